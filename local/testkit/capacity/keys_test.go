package capacity_test

import (
	"maps"
	"slices"
	"strings"

	model "github.com/recruiting-marketplace/external-api/infra/capacity"
)

// The units a second that DynamoDB takes for one partition key, and the share of them that a key
// may use.
const (
	keyReads, keyWrites = 3000, 1000
	mostOfLimit         = 0.5
	// itemBytes is the largest size of an item.
	itemBytes = 400 << 10
)

// keyLoad is the load of the keys of one form, in units a second.
type keyLoad struct {
	// Form is the table and the form of the partition key, or the table and the index.
	Form string
	// All is the load of all keys, Busiest that of the busiest one.
	All, Busiest model.Units
	// Reader and Writer are the operations that use the busiest key most, and most what they use.
	Reader, Writer string
	most           model.Units
}

// ofLimit returns the share of DynamoDB's limits for a key that the busiest one uses.
func (r keyLoad) ofLimit() float64 { return max(r.Busiest.Reads/keyReads, r.Busiest.Writes/keyWrites) }

// keyLoads returns the load of the keys of every form. It panics on a form without a share.
func keyLoads(m model.Measurements) []keyLoad {
	rows := map[string]keyLoad{}
	for _, t := range model.Targets() {
		for form, use := range m.Operations[t.Operation].Keys {
			of, ok := shares[form]
			if !ok {
				panic("capacity: keys without a share: " + form)
			}
			row := rows[form]
			row.Form = form
			busiest := model.Units{}.Add(t.PerSecond, of.busiestUnits(t, use))
			row.All = row.All.Add(t.PerSecond, use.Total)
			row.Busiest = row.Busiest.Add(1, busiest)
			if busiest.Reads > row.most.Reads {
				row.most.Reads = busiest.Reads
				row.Reader = t.Operation
			}
			if busiest.Writes > row.most.Writes {
				row.most.Writes = busiest.Writes
				row.Writer = t.Operation
			}
			rows[form] = row
		}
	}
	return slices.SortedFunc(maps.Values(rows), func(a, b keyLoad) int { return strings.Compare(a.Form, b.Form) })
}
