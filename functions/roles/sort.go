package roles

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// readStart sets where the page of a query begins, by a cursor of the query's order.
func readStart(call *gateway.Call, q *roleindex.Query, sent *string, filters ...string) error {
	_, err := cursor.Read(call, sent, func(position string) bool { return setStart(q, position) }, filters...)
	return err
}

// setStart sets where the page of a query begins, by a position in the query's order. It reports whether it is one:
// "<ms> <id>" in a list with the last update first, and a number in others.
func setStart(q *roleindex.Query, position string) bool {
	if q.Sort != roleindex.UpdateOrder {
		after, err := strconv.ParseUint(position, 10, 64)
		q.After = after
		return err == nil && after > 0
	}
	ms, id, ok := strings.Cut(position, " ")
	at, err := strconv.ParseInt(ms, 10, 64)
	q.AfterUpdated = &roleindex.Position{UpdatedAt: at, ID: id}
	isRow := at >= 0 && id != ""
	return ok && err == nil && isRow
}

// nextCursor returns the cursor after a page, nil after the last one.
func (p page) nextCursor(sort roleindex.Order, filters ...string) *string {
	if !p.more {
		return nil
	}
	position := fmt.Sprintf("%d %s", p.last.UpdatedAt, p.last.ID)
	if sort != roleindex.UpdateOrder {
		position = strconv.FormatUint(sort.Position(p.last), 10)
	}
	return new(cursor.New(position, filters...))
}
