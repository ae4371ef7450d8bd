package crm

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// currentRows are rows as they are stored during a search.
type currentRows struct {
	index       *Index
	recruiterID string
	// items has what was read by sort key; a row that does not exist has a nil entry.
	items map[string]*entity.Item
}

// readRows reads the rows of a list that were not read before.
func (c *currentRows) readRows(ctx context.Context, list positionedRows) error {
	var missing []entity.Key
	for _, one := range list {
		k := c.keyOf(one)
		if _, read := c.items[k.SK]; !read {
			missing = append(missing, k)
		}
	}
	items, err := c.index.store.entities.Items(ctx, missing, true)
	if err != nil {
		return err
	}
	for _, k := range missing {
		c.items[k.SK] = nil
	}
	for i := range items {
		c.items[items[i].SK] = &items[i]
	}
	return nil
}

// keyOf returns the key of a row in the recruiter's list.
func (c *currentRows) keyOf(one positionedRow) entity.Key {
	rank := entity.Rank(one.position % otherHitOffset)
	return entity.KeyOf(itemkey.CandidateRow, c.recruiterID, rank.Key(), one.ID)
}

// fillRows fills the rows of list from the items that were read. A row becomes empty if it no longer
// exists or is not in the same group.
func (c *currentRows) fillRows(m matcher, list positionedRows) error {
	for i := range list {
		one := &list[i]
		item := c.items[c.keyOf(*one).SK]
		one.Row = Row{}
		if item == nil {
			continue
		}
		var r Row
		if err := r.decodeRow(*item); err != nil {
			return err
		}
		if how := m.classifyRow(r); how == nameHit && one.position < otherHitOffset || how == otherHit && one.position >= otherHitOffset {
			one.Row = r
		}
	}
	return nil
}
