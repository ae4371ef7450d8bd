package roleindex

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"time"
)

// An order key says where a role stands in Browse order, 53 bits so that it is
// exact as a JSON number: 13 bits rank, 20 bits posted hour, 20 bits hash of the
// id; smaller is earlier. No role has key 0, so that 0 stands before all.
const (
	rankBits, hourBits, hashBits = 13, 20, 20

	maxRank = 1<<rankBits - 1
	maxHour = 1<<hourBits - 1 // the year 2089
	maxHash = 1<<hashBits - 1
)

// OrderKey computes a role's place in Browse order: higher ranks first (0 …
// 8191), then newer ones by the hour (the zero time last), then by a hash of the
// id. Values out of range count as the nearest in range.
func OrderKey(browseRank int, postedAt time.Time, id string) uint64 {
	rank := uint64(clamp(int64(browseRank), 0, maxRank))
	return (maxRank-rank)<<(hourBits+hashBits) | (maxHour-postedHour(postedAt))<<hashBits | hashID(id)
}

func (d *Doc) orderKey() uint64 { return OrderKey(d.BrowseRank, d.PostedAt, d.ID) }

// postedHour counts hours since 1970; unknown is 0.
func postedHour(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(clamp(t.Unix()/3600, 0, maxHour))
}

// hourOfKey is the posted hour inside an order key.
func hourOfKey(key uint64) uint64 { return maxHour - key>>hashBits&maxHour }

// hashID is never 0. It is part of every cursor ever given out: it may not change.
func hashID(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	sum := h.Sum64()
	return 1 + (sum^sum>>32)%maxHash
}

// compareRows is Browse order: by key, and by packed id where keys are equal.
func compareRows(a, b uint64, idA, idB []byte) int {
	if a != b {
		return cmp.Compare(a, b)
	}
	return bytes.Compare(idA, idB)
}

func clamp(v, low, high int64) int64 { return max(low, min(v, high)) }
