package roles

import (
	"strconv"

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

// checkSort refuses relevance without words to be relevant to, and a cursor of the other order.
func checkSort(in contract.ListRolesRequest) error {
	sort := browseSort(in)
	if sort == roleindex.RelevanceOrder && in.Query == nil {
		return fault.Field(contract.ValidationFailed, "query", "query: is required with sort=relevance.")
	}
	at := optional.Value(in.Cursor)
	if at < 0 && sort != roleindex.RelevanceOrder || at > 0 && sort == roleindex.RelevanceOrder {
		return fault.Field(contract.InvalidCursor, "cursor",
			"cursor: belongs to another sort; use the nextCursor of the previous page with its sort, or no cursor for the first page.")
	}
	return nil
}

// numericCursor returns the cursor after a row. Positions of both orders fill the range of a number that
// JSON keeps exactly, so the sign tells them apart.
func numericCursor(sort roleindex.Order, row roleindex.Row) int64 {
	position := int64(sort.Position(row))
	if sort == roleindex.RelevanceOrder {
		return -position
	}
	return position
}

// positionOf returns the position of a numeric cursor.
func positionOf(cursor int64) uint64 { return uint64(max(cursor, -cursor)) }

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
