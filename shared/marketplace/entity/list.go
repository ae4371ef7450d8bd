package entity

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Place is where a row stands in a list that has the newest first: a number that
// grows down the list, from 1, made of the row's time (41 bits of milliseconds
// since 2000) and a hash of its id (11 bits). It is a position of a key, never a
// count, so rows that come or go move no other's place.
//
// Rows of one millisecond whose hashes agree share a place.
type Place int64

// MaxPlace is the last place there is (52 bits).
const MaxPlace Place = 1<<52 - 1

const hashBits = 11

var beginning = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// PlaceOf is the place of what was made at a time and has this id.
func PlaceOf(at time.Time, id string) Place {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	// FNV leaves the high bits of short texts alike; fold them in.
	sum := h.Sum32()
	sum ^= sum >> 15
	age := min(max(at.UnixMilli()-beginning.UnixMilli(), 0), int64(MaxPlace>>hashBits)-1)
	return MaxPlace - Place(age<<hashBits|int64(sum&(1<<hashBits-1)))
}

// Key returns the place as a value of a sort key, in order.
func (p Place) Key() string { return fmt.Sprintf("%013x", int64(p)) }

// AfterPlace returns a sort key behind all of a kind's rows of a place; 0 is before
// the first row. The place is the first value of the kind's sort keys.
func AfterPlace(kind itemkey.Kind, p Place) string {
	return kind.Prefix() + min(p, MaxPlace).Key() + "$"
}

// List reads consistently, in one call, up to n rows of a partition that begin with
// prefix and come after the sort key from ("": all). more tells that there are
// others behind them. Rows beyond a megabyte are left for the next call.
func (s *Store) List(ctx context.Context, pk, prefix, from string, n int) (rows []Found, more bool, err error) {
	q := s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.BeginsWith, prefix).Consistent(true).SearchLimit(n)
	if from != "" {
		start, err := dynamo.MarshalItem(rowItem{PK: pk, SK: from})
		if err != nil {
			return nil, false, err
		}
		q.StartFrom(start)
	}
	var found []rowItem
	next, err := q.AllWithLastEvaluatedKey(ctx, &found)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, false, err
	}
	rows = make([]Found, len(found))
	for i, row := range found {
		rows[i] = Found{SK: row.SK, body: row.Body}
	}
	return rows, len(next) > 0, nil
}

// Row reads one row consistently; false if it is not there.
func (s *Store) Row(ctx context.Context, pk, sk string) (row Found, there bool, err error) {
	var item rowItem
	err = s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).Consistent(true).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) {
		return row, false, nil
	}
	return Found{SK: item.SK, body: item.Body}, err == nil, err
}
