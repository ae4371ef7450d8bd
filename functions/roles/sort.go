package roles

import (
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// browseSort returns the order of GET /recruiter/roles.
func browseSort(in contract.ListRolesRequest) roleindex.Order {
	if optional.Value(in.Sort) == contract.RoleSortRelevance {
		return roleindex.RelevanceOrder
	}
	return roleindex.BrowseOrder
}

// checkSort refuses relevance without words to be relevant to.
func checkSort(in contract.ListRolesRequest) error {
	if browseSort(in) == roleindex.RelevanceOrder && in.Query == nil {
		return fault.Field(contract.ValidationFailed, "query", "query: is required with sort=relevance.")
	}
	return nil
}

// searchSort returns the order of GET /agency/roles/search.
func searchSort(in contract.SearchAgencyRolesRequest) roleindex.Order {
	if optional.Value(in.Sort) == contract.AgencyRoleSortUpdated {
		return roleindex.UpdateOrder
	}
	return roleindex.RelevanceOrder
}

// readStart sets where the page of a query begins, by a cursor of the query's order.
func readStart(call *gateway.Call, q *roleindex.Query, sent *string, filters ...string) (err error) {
	if q.Sort == roleindex.UpdateOrder {
		q.AfterUpdated, err = readPosition(call, sent, filters...)
		return err
	}
	valid := func(position string) bool { n, err := strconv.ParseUint(position, 10, 64); return err == nil && n > 0 }
	position, err := cursor.Read(call, sent, valid, filters...)
	if err == nil && position != "" {
		q.After, err = strconv.ParseUint(position, 10, 64)
	}
	return err
}

// formatPosition returns a row's position in a list with the last update first, as
// "<ms> <id>".
func formatPosition(row roleindex.Row) string {
	return strconv.FormatInt(row.UpdatedAt, 10) + " " + row.ID
}

func parsePosition(position string) (*roleindex.Position, bool) {
	ms, id, ok := strings.Cut(position, " ")
	at, err := strconv.ParseInt(ms, 10, 64)
	return &roleindex.Position{UpdatedAt: at, ID: id}, ok && err == nil && at >= 0 && id != ""
}

// readPosition returns the position of the cursor of such a list, nil for its beginning.
func readPosition(call *gateway.Call, sent *string, filters ...string) (*roleindex.Position, error) {
	valid := func(position string) bool { _, ok := parsePosition(position); return ok }
	position, err := cursor.Read(call, sent, valid, filters...)
	if err != nil || position == "" {
		return nil, err
	}
	at, _ := parsePosition(position)
	return at, nil
}

// nextCursor returns the cursor after a page, nil after the last one.
func (p page) nextCursor(sort roleindex.Order, filters ...string) *string {
	if !p.more {
		return nil
	}
	position := formatPosition(p.last)
	if sort != roleindex.UpdateOrder {
		position = strconv.FormatUint(sort.Position(p.last), 10)
	}
	return new(cursor.New(position, filters...))
}
