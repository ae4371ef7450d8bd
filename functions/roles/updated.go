package roles

import (
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

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
