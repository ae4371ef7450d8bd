package capacity

import "testing"

// An outage of the provider at the targets takes what a soak has counted: 14 write units of the table and 6
// of its index each time that a submission is woken, for as many as there are look-ups, and 12 and 4 for each
// that arrives, beside its acceptance.
func TestAnOutageWritesWhatItParks(t *testing.T) {
	t.Parallel()
	m := ReadMeasurements()
	normal := m.TableUnits()
	outage := m.OutageUnits()
	// Of the index, an acceptance writes one unit and an ingestion three.
	if got, want := outage["submissions due"].Writes, 160.0*(1+4)+240*6; got != want {
		t.Errorf("the index: got %v write units a second; want %v", got, want)
	}
	// Of the table, an ingestion writes twelve, as parking does.
	if got, want := outage["submissions"].Writes, normal["submissions"].Writes+240*14; got != want {
		t.Errorf("the table: got %v write units a second; want %v", got, want)
	}
	if got, want := outage["network"], normal["network"]; got != want {
		t.Errorf("another table: got %v; want %v", got, want)
	}
}
