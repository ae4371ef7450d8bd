package entity

import (
	"fmt"
	"hash/fnv"
	"time"
)

// Rank is the order of a row in a list that has the newest first: a number that
// grows down the list, from 1, made of the row's time (41 bits of milliseconds
// since 2000) and a hash of its id (11 bits). It is derived from the key, never a
// count, so rows that are added or removed change no other's rank.
//
// Rows with the same millisecond and hash share a rank.
type Rank int64

// MaxRank is the largest rank (52 bits).
const MaxRank Rank = 1<<52 - 1

const hashBits = 11

var firstRankTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// RankOf returns the rank of the row with this time and id.
func RankOf(at time.Time, id string) Rank {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	// FNV leaves the high bits of short texts alike; fold them in.
	sum := h.Sum32()
	sum ^= sum >> 15
	age := min(max(at.UnixMilli()-firstRankTime.UnixMilli(), 0), int64(MaxRank>>hashBits)-1)
	return MaxRank - Rank(age<<hashBits|int64(sum&(1<<hashBits-1)))
}

// Key returns the rank as a value of a sort key, in order.
func (p Rank) Key() string { return fmt.Sprintf("%013x", int64(p)) }
