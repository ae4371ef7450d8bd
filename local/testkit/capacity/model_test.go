package capacity_test

import (
	"testing"

	model "github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// hot has the forms of keys that exceed half of the limit.
var hot = map[string]bool{}

// At the targets no key uses more than half of the units that DynamoDB takes for one, and no item
// more than half of its bytes. No table has a local index, which would limit the items of a key to
// 10 GB.
func TestNoKeyIsHot(t *testing.T) {
	t.Parallel()
	m := model.ReadMeasurements()
	for _, r := range keyLoads(m) {
		if (r.ofLimit() > mostOfLimit) != hot[r.Form] {
			t.Errorf("the busiest key %s takes %+v a second, mostly by %s and %s", r.Form, r.Busiest, r.Reader, r.Writer)
		}
	}
	for form, bytes := range m.LargestItems {
		if bytes > itemBytes*mostOfLimit {
			t.Errorf("an item of %s has %d bytes", form, bytes)
		}
	}
}

// Every route of the contract is measured.
func TestEveryRouteIsMeasured(t *testing.T) {
	t.Parallel()
	m := model.ReadMeasurements()
	for _, route := range contract.Routes {
		if _, ok := m.Operations[route.Operation]; !ok {
			t.Errorf("%s is not measured", route.Operation)
		}
	}
}

// A second has the number of requests of the targets, within 5 %, and every event of an entity has
// a target.
func TestTargetsAddUp(t *testing.T) {
	t.Parallel()
	var requests float64
	targets := map[string]bool{}
	for _, target := range model.Targets() {
		targets[target.Operation] = true
		if target.Surface != model.Elsewhere {
			requests += target.PerSecond
		}
	}
	if requests < 0.95*model.Requests || requests > 1.05*model.Requests {
		t.Errorf("%.0f requests a second; want %.0f", requests, model.Requests)
	}
	for _, e := range entityEvents {
		if !targets["feed "+e.kind] {
			t.Errorf("the event of %s has no target", e.kind)
		}
	}
}
