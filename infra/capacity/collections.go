package capacity

import (
	"maps"
	"slices"
)

// collectionSizes are how many members the largest collection of each form has, by the members
// that are measured. Forms without a row hold one entity, and what belongs to it, and are small.
var collectionSizes = map[string]map[string]float64{
	"marketplace U#<recruiter>": {"candidate": 100_000, "match": 20_000, "call": 20_000, "role": 5_000},
	"marketplace C#<company>":   {"role": 10_000},
	// A note taker's address is among the participants of all calls of a year.
	"marketplace H#<hash>": {"call": 10 * 365 * 24 * 3600},
}

// Collection is what the items of one key take where a local index bounds them.
type Collection struct {
	Form  string
	Bytes float64
}

// OfLimit returns how much of what DynamoDB stores for one key the collection takes.
func (c Collection) OfLimit() float64 { return c.Bytes / CollectionBytes }

// Collections returns the largest collection of each form that grows, sorted by form.
func (m Measurements) Collections() (all []Collection) {
	for _, form := range slices.Sorted(maps.Keys(collectionSizes)) {
		if stored, ok := m.StoredBytes[form]; ok {
			c := Collection{Form: form}
			for member, count := range collectionSizes[form] {
				c.Bytes += count * float64(stored[member])
			}
			all = append(all, c)
		}
	}
	return all
}
