package entity

import (
	"fmt"
	"hash/fnv"
	"time"
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

var firstPlaceTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// PlaceOf is the place of what was made at a time and has this id.
func PlaceOf(at time.Time, id string) Place {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	// FNV leaves the high bits of short texts alike; fold them in.
	sum := h.Sum32()
	sum ^= sum >> 15
	age := min(max(at.UnixMilli()-firstPlaceTime.UnixMilli(), 0), int64(MaxPlace>>hashBits)-1)
	return MaxPlace - Place(age<<hashBits|int64(sum&(1<<hashBits-1)))
}

// Key returns the place as a value of a sort key, in order.
func (p Place) Key() string { return fmt.Sprintf("%013x", int64(p)) }
