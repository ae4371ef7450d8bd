package network

import (
	"context"
	"maps"
	"slices"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// maxPages is how many pages of rows are read at most to fill one: a filter that few
// rows pass yields a short page with a cursor instead of reading on.
const maxPages = 10

// Listing reads one page of a tenant's list. Which rows pass can depend on what is read
// of the agency, so it reads in two steps: Read can go on beside that, Page comes after.
type Listing struct {
	store  *Store
	tenant tenant.ID
	// after is the sort key of the last row that was read.
	after string
	limit int
	// rows were read and not looked at yet, left is how many more may be read.
	rows []rowItem
	left int
	// exhausted says that there are no more rows after those read.
	exhausted bool
}

// List returns the listing of a page of at most limit rows after a sort key; "" is before the
// first. A sort key stays valid whatever happens to the list.
func (s *Store) List(t tenant.ID, after string, limit int) *Listing {
	return &Listing{store: s, tenant: t, after: after, limit: limit, left: maxPages * limit}
}

// ValidSortKey reports whether a text is the sort key of a row.
func ValidSortKey(text string) bool {
	_, _, ok := parseSortKey(text)
	return ok
}

// Read reads as many rows as a page has, and one more, which shows whether it is the
// last page.
func (l *Listing) Read(ctx context.Context) error { return l.readRows(ctx, l.limit+1) }

func (l *Listing) readRows(ctx context.Context, n int) error {
	n = min(n, l.left)
	query := l.store.table.Get(topology.PK, listKey(l.tenant)).Consistent(true).SearchLimit(n)
	if l.after != "" {
		query.Range(topology.SK, dynamo.Greater, l.after)
	}
	var rows []rowItem
	next, err := query.AllWithLastEvaluatedKey(ctx, &rows)
	if err != nil {
		return err
	}
	l.rows, l.exhausted, l.left = append(l.rows, rows...), next == nil, l.left-n
	if len(rows) > 0 {
		l.after = rows[len(rows)-1].SK
	}
	return nil
}

// Page fills the page with the rows that pass and whose owners are active. next is the
// sort key after which the next page begins; "" if there are no more.
func (l *Listing) Page(ctx context.Context, check OwnerCheck, pass func(Row) bool) (page []Row, next string, err error) {
	last := "" // the sort key of the last row looked at
	for more := 3 * l.limit; ; more *= 2 {
		for part := range slices.Chunk(l.rows, l.limit+1) {
			visible, err := visibleRows(ctx, part, check, pass)
			if err != nil {
				return nil, "", err
			}
			for _, item := range part {
				row, passes := visible[item.SK]
				if passes && len(page) == l.limit {
					return page, last, nil
				}
				if passes {
					page = append(page, row)
				}
				last = item.SK
			}
		}
		l.rows = nil
		switch {
		case l.exhausted:
			return page, "", nil
		case len(page) == l.limit || l.left == 0:
			return page, last, nil
		}
		if err := l.readRows(ctx, more); err != nil {
			return nil, "", err
		}
	}
}

// visibleRows returns by their sort keys the rows that pass and whose owners are active.
func visibleRows(ctx context.Context, items []rowItem, check OwnerCheck, pass func(Row) bool) (map[string]Row, error) {
	passing, owners := map[string]Row{}, []string{}
	for _, item := range items {
		if row := item.toRow(); pass(row) {
			passing[item.SK], owners = row, append(owners, row.OwnerID)
		}
	}
	active, err := check(ctx, owners)
	maps.DeleteFunc(passing, func(_ string, row Row) bool { return err == nil && !active(row.OwnerID) })
	return passing, err
}
