// Package capacity is a model of the load on the tables. From the units that each operation uses of
// each partition key ([ReadMeasurements]; the tests of local/testkit/capacity measure them) and from how
// often it runs ([Targets]) it computes the units a second of the busiest key of every form, and of
// each table and index as a whole.
//
// It calls nothing in AWS. The deployment derives the warm throughput of tables from it, infra/cost
// takes its units from the same measurements, and docs/capacity.md contains its tables.
package capacity

import (
	"maps"
	"slices"
	"strings"
)

// The units a second that DynamoDB takes for one partition key, and the share of them that a key
// may use.
const (
	KeyReads, KeyWrites = 3000, 1000
	MostOfLimit         = 0.5
	// ItemBytes is the largest size of an item.
	ItemBytes = 400 << 10
)

// Row is the load of the keys of one form, in units a second.
type Row struct {
	// Form is the table and the form of the partition key, or the table and the index.
	Form string
	// All is the load of all keys, Busiest that of the busiest one.
	All, Busiest Units
	// Reader and Writer are the operations that use the busiest key most.
	Reader, Writer string
}

// OfLimit returns the share of DynamoDB's limits for a key that the busiest one uses.
func (r Row) OfLimit() float64 { return max(r.Busiest.Reads/KeyReads, r.Busiest.Writes/KeyWrites) }

// Rows returns the load of the keys of every form. It panics on an operation without a target, a
// target without an operation, and a form without a share.
func (m Measurements) Rows() (sorted []Row) {
	m.checkComplete()
	rows := map[string]*Row{}
	most := map[string]Units{}
	for _, t := range Targets() {
		for form, use := range m.Operations[t.Operation].Keys {
			row, ok := rows[form]
			if !ok {
				row = &Row{Form: form}
				rows[form] = row
			}
			busiest := Units{}.Add(t.PerSecond, shares[form].busiestUnits(t, use))
			row.All = row.All.Add(t.PerSecond, use.Total)
			row.Busiest = row.Busiest.Add(1, busiest)
			was := most[form]
			if busiest.Reads > was.Reads {
				was.Reads = busiest.Reads
				row.Reader = t.Operation
			}
			if busiest.Writes > was.Writes {
				was.Writes = busiest.Writes
				row.Writer = t.Operation
			}
			most[form] = was
		}
	}
	for _, form := range slices.Sorted(maps.Keys(rows)) {
		sorted = append(sorted, *rows[form])
	}
	return sorted
}

func (m Measurements) checkComplete() {
	targets := map[string]bool{}
	for _, t := range Targets() {
		targets[t.Operation] = true
		if _, ok := m.Operations[t.Operation]; !ok {
			panic("capacity: not measured: " + t.Operation)
		}
	}
	for name := range m.Operations {
		if !targets[name] {
			panic("capacity: no target: " + name)
		}
	}
	for _, form := range m.Forms() {
		if _, ok := shares[form]; !ok {
			panic("capacity: keys without a share: " + form)
		}
	}
}

// TableUnits returns the units a second of each table, by its name, and of each global index, by
// the names of the table and the index.
func (m Measurements) TableUnits() map[string]Units {
	sums := map[string]Units{}
	for _, row := range m.Rows() {
		name := tableOf(row.Form)
		sums[name] = sums[name].Add(1, row.All)
	}
	return sums
}

// tableOf returns the table of a form of keys, or the table and the index of which it is.
func tableOf(form string) string {
	if !strings.ContainsRune(form, '<') {
		return form
	}
	table, _, _ := strings.Cut(form, " ")
	return table
}

// Units are read and write units of DynamoDB.
type Units struct {
	Reads  float64 `json:"reads,omitempty"`
	Writes float64 `json:"writes,omitempty"`
}

// Add returns the sum of u and n times v.
func (u Units) Add(n float64, v Units) Units {
	return Units{u.Reads + n*v.Reads, u.Writes + n*v.Writes}
}

// Use is the units that one run of an operation uses of the keys of one form.
type Use struct {
	// Total is the sum of all keys. Busiest has the most reads of one key, and the most writes of
	// one key.
	Total   Units `json:"total"`
	Busiest Units `json:"busiest"`
}

// AddKey adds the units of one more key.
func (u *Use) AddKey(key Units) {
	u.Total = u.Total.Add(1, key)
	u.Busiest = Units{max(u.Busiest.Reads, key.Reads), max(u.Busiest.Writes, key.Writes)}
}
