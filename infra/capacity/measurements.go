package capacity

import (
	_ "embed" // the measurements
	"encoding/json"
	"maps"
	"slices"
)

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

// Forms returns the forms of all keys that operations use, sorted.
func (m Measurements) Forms() []string {
	forms := map[string]bool{}
	for _, operation := range m.Operations {
		for form := range operation.Keys {
			forms[form] = true
		}
	}
	return slices.Sorted(maps.Keys(forms))
}
