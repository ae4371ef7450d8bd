package capacity

import (
	_ "embed" // the measurements
	"encoding/json"
	"maps"
	"slices"
)

// Measurements are what the tests of local/capacity have measured.
type Measurements struct {
	// Operations are what one run of each uses, by its name.
	Operations map[string]Operation `json:"operations"`
	// LargestItems are in bytes, by the form of the partition key.
	LargestItems map[string]int `json:"largestItems"`
}

// Operation is what one run uses.
type Operation struct {
	// Calls are those of all AWS services.
	Calls int `json:"calls"`
	// Keys are by the form of the key: the table and the form of its partition key, as
	// "accounts A#<agency>", or the table and the name of a global index.
	Keys map[string]Use `json:"keys"`
}

// Units returns the units of all keys.
func (o Operation) Units() (sum Units) {
	for _, use := range o.Keys {
		sum = sum.Add(1, use.Total)
	}
	return sum
}

// UnitsOf returns the units of one run of an operation. It panics if it is not measured.
func (m Measurements) UnitsOf(operation string) Units {
	o, ok := m.Operations[operation]
	if !ok {
		panic("capacity: not measured: " + operation)
	}
	return o.Units()
}

// MeanRequest returns the mean of the units of the requests at the targets, without submissions.
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
