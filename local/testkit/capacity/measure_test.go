package capacity_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	model "github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
)

var update = flag.Bool("update", false, "record the measurements, for infra/capacity")

// small is the scale that is measured first, a tenth of the recorded one.
var small = scale{members: 500, memberships: 200, roles: 200, ownRoles: 50, candidates: 250, calls: 100}

// measureOperations measures all operations once, in the scene.
func (s *scene) measureOperations() model.Measurements {
	s.t.Helper()
	m := model.Measurements{Operations: map[string]model.Operation{}, LargestItems: map[string]int{}}
	for _, o := range operations {
		run := o.prepare(s)
		usage := s.meter.measure(run)
		m.Operations[o.name] = usage.operation()
		spreadEntries(m.Operations[o.name])
		if units := m.Operations[o.name].Units(); units.Reads+units.Writes != usage.reported {
			s.t.Errorf("%s: computed %+v; the emulator reports %v units", o.name, units, usage.reported)
		}
		for form, bytes := range usage.largest {
			m.LargestItems[form] = max(m.LargestItems[form], bytes)
		}
	}
	return m
}

// spreadEntries sets the use of the busiest shard of a log of changes to its mean: which shard an
// entry is in depends on ids, which are random.
func spreadEntries(o model.Operation) {
	logs := map[string]float64{"changes I#<tenant>#<shard:number>": 4, "changes D#<snapshot>#<day:number>#<shard:number>": 3}
	for form, shards := range logs {
		if use, ok := o.Keys[form]; ok {
			writes := max(min(use.Total.Writes, 2), use.Total.Writes/shards)
			use.Busiest = model.Units{Reads: use.Total.Reads / shards, Writes: writes}
			o.Keys[form] = use
		}
	}
}

// The use of an operation does not depend on the amount of data, and equals the recorded one, with
// which the model of the load computes. With -update it is recorded.
func TestOperationsUseWhatIsRecorded(t *testing.T) {
	t.Parallel()
	if resumetest.RanPlain(t, "local/testkit/capacity") {
		return
	}
	few := newScene(t, small).measureOperations()
	many := newScene(t, small.multiply(10)).measureOperations()
	checkGrowth(t, few, many)
	if *update {
		writeMeasurements(t, many)
		writeDocument(t, many)
		return
	}
	sizes := cmpopts.IgnoreFields(model.Measurements{}, "LargestItems") // random texts in them differ in length
	// The read units of each page of a shard are rounded up, and random ids decide which entries share one.
	rounding := cmpopts.EquateApprox(0.04, 0)
	if diff := cmp.Diff(model.ReadMeasurements(), many, sizes, rounding); diff != "" {
		t.Errorf("go test ./local/testkit/capacity -args -update records what has changed (-recorded +measured):\n%s", diff)
	}
}

// most is how many times as much an operation may use with ten times as much data.
const most = 1.2

// growing has the forms of keys of which some operations use more. An entry without such an
// operation fails the test.
var growing = map[string]bool{}

func checkGrowth(t *testing.T, few, many model.Measurements) {
	t.Helper()
	grows := map[string]bool{}
	for name, operation := range many.Operations {
		for form, use := range operation.Keys {
			was := few.Operations[name].Keys[form].Total
			if use.Total.Reads > max(1, most*was.Reads) || use.Total.Writes > max(1, most*was.Writes) {
				grows[form] = true
				t.Logf("%s: %s costs %+v; %+v with a tenth of the data", name, form, use.Total, was)
			}
		}
	}
	if diff := cmp.Diff(growing, grows); diff != "" {
		t.Errorf("forms of keys of which operations use more in a tenfold of data (-known +measured):\n%s", diff)
	}
}

func writeMeasurements(t *testing.T, m model.Measurements) {
	t.Helper()
	text, err := json.MarshalIndent(m, "", "\t")
	if err == nil {
		err = os.WriteFile("../../../infra/capacity/measurements.json", append(text, '\n'), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
