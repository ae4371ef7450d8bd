// Package capacity is a model of the load on the tables. From the units that each operation uses of
// each partition key ([ReadMeasurements]; the tests of local/testkit/capacity measure them) and from how
// often it runs ([Targets]) it computes the units a second of each table and index. Those of the busiest key of every
// form are computed by the same tests, which write the tables of docs/capacity.md.
//
// It calls nothing in AWS. The deployment derives the warm throughput of tables from it, and infra/cost
// takes its units from the same measurements.
package capacity

import (
	_ "embed" // the measurements
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// TableUnits returns the units a second of each table, by its name, and of each global index, by
// the names of the table and the index. It panics on an operation without a target, and a target without an operation.
func (m Measurements) TableUnits() map[string]Units {
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
	forms := map[string]bool{}
	for _, operation := range m.Operations {
		for form := range operation.Keys {
			forms[form] = true
		}
	}
	sums := map[string]Units{}
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		var all Units
		for _, t := range Targets() {
			all = all.Add(t.PerSecond, m.Operations[t.Operation].Keys[form].Total)
		}
		sums[tableOf(form)] = sums[tableOf(form)].Add(1, all)
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

// Measurements has what the tests of local/testkit/capacity have measured.
type Measurements struct {
	// Operations has what one run of each operation uses, by name.
	Operations map[string]Operation `json:"operations"`
	// LargestItems has the size in bytes of the largest item for each form of partition key.
	LargestItems map[string]int `json:"largestItems"`
}

// Operation is what one run of an operation uses.
type Operation struct {
	// Calls is the number of calls to all AWS services.
	Calls int `json:"calls"`
	// Keys has the use of keys by their form: the table and the form of its partition key, such as
	// "accounts A#<agency>", or the table and the name of a global index.
	Keys map[string]Use `json:"keys"`
}

// Units returns the sum of the units of all keys.
func (o Operation) Units() (sum Units) {
	for _, use := range o.Keys {
		sum = sum.Add(1, use.Total)
	}
	return sum
}

// UnitsOf returns the units of one run of an operation. It panics if the operation is not measured.
func (m Measurements) UnitsOf(operation string) Units {
	o, ok := m.Operations[operation]
	if !ok {
		panic("capacity: not measured: " + operation)
	}
	return o.Units()
}

// MeanRequest returns the mean units of a request at the targets, without submissions.
func (m Measurements) MeanRequest() (mean Units) {
	var all float64
	for _, t := range mix {
		all += t.PerSecond
	}
	for _, t := range mix {
		mean = mean.Add(t.PerSecond/all, m.UnitsOf(t.Operation))
	}
	return mean
}

// File is the path of the measurements in this package's directory.
const File = "measurements.json"

//go:embed measurements.json
var recorded []byte

// ReadMeasurements returns the recorded measurements. It panics if they are malformed.
func ReadMeasurements() (m Measurements) {
	if err := json.Unmarshal(recorded, &m); err != nil {
		panic(err)
	}
	return m
}

// FormatNumber returns a number with separators for thousands, and with one decimal if it is below
// 10.
func FormatNumber(n float64) string {
	if n < 10 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", n), ".0")
	}
	digits := fmt.Sprintf("%.0f", n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
