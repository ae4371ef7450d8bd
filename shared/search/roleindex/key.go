package roleindex

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"time"
)

// An order key is a role's position in Browse order, smaller is earlier. It has 53 bits,
// so that it is exact as a JSON number: 13 bits of rank, 20 of posted hour, 20 of a hash
// of the id. No role has key 0, so that 0 is before all.
const (
	rankBits, hourBits, hashBits = 13, 20, 20

	maxRank = 1<<rankBits - 1
	maxHour = 1<<hourBits - 1 // the year 2089
	maxHash = 1<<hashBits - 1
)

// OrderKey returns a role's position in Browse order: higher ranks (0 … 8191) first,
// then later hours (the zero time last), then by a hash of the id. Values out of range
// count as the nearest in range.
func OrderKey(browseRank int, postedAt time.Time, id string) uint64 {
	rank := uint64(clamp(int64(browseRank), 0, maxRank))
	return (maxRank-rank)<<(hourBits+hashBits) | (maxHour-postedHour(postedAt))<<hashBits | hashID(id)
}

func (d *Doc) orderKey() uint64 { return OrderKey(d.BrowseRank, d.PostedAt, d.ID) }

// postedHour returns hours since 1970, 0 for the zero time.
func postedHour(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(clamp(t.Unix()/3600, 0, maxHour))
}

// hourOfKey returns the posted hour in an order key.
func hourOfKey(key uint64) uint64 { return maxHour - key>>hashBits&maxHour }

// hashID returns a hash that is never 0. It must not change, because cursors have it.
func hashID(id string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id))
	sum := h.Sum64()
	return 1 + (sum^sum>>32)%maxHash
}

// compareRows compares by Browse order: by key, then by id.
func compareRows(a, b uint64, idA, idB []byte) int {
	if a != b {
		return cmp.Compare(a, b)
	}
	return bytes.Compare(idA, idB)
}

func clamp(v, low, high int64) int64 { return max(low, min(v, high)) }
