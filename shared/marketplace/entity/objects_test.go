package entity_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// textSystem stores texts, with calls that can be made to fail.
type textSystem struct {
	entity.Objects
	t      *testing.T
	bucket objectstore.Bucket
	table  dynamo.Table
	// onCall, if not nil, decides on each call.
	onCall func(operation string, send func() error) error
}

func newTextSystem(t *testing.T) *textSystem {
	t.Helper()
	s := &textSystem{t: t}
	h := cloudtest.System(t, nil, func() time.Time { return now })
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if s.onCall == nil {
			return send()
		}
		return s.onCall(call.Operation, send)
	})
	o := h.Opener()
	s.bucket = objectstore.Open(o, topology.MarketplaceBucket)
	s.table = o.Table(topology.Marketplace)
	s.Objects = entity.Open(o).Objects(s.bucket)
	must(t, o.Err())
	return s
}

// failAt makes every call fail from the first of an operation on, as if the process died.
func (s *textSystem) failAt(operation string) {
	dead := false
	s.onCall = func(called string, send func() error) error {
		dead = dead || called == operation
		if dead {
			return errors.New("the process died")
		}
		return send()
	}
}

func (s *textSystem) putText(version int64) error {
	c := entity.Change{Key: key, Stamp: entity.Stamp{Version: version, At: now}, Next: func(entity.State) (entity.NewState, error) { return entity.NewState{}, nil }}
	_, err := s.Apply(ctx, c, &entity.Text{Key: textName(version), Type: "text/plain", Content: []byte(textName(version))})
	return err
}

func textName(version int64) string { return "transcripts/1/" + string(rune('0'+version)) }

// sweepObjects takes all turns of a sweep.
func (s *textSystem) sweepObjects(at time.Time) (failed error) {
	turn := s.NewSweep(at)
	for left := true; left; {
		var err error
		left, err = turn(ctx, func() bool { return true })
		failed = errors.Join(failed, err)
	}
	return failed
}

// sweepAll sweeps as often as any disposal takes.
func (s *textSystem) sweepAll() {
	s.t.Helper()
	s.onCall = nil
	for _, wait := range []time.Duration{0, 9 * time.Minute, 20 * time.Minute} {
		must(s.t, s.sweepObjects(now.Add(wait)))
	}
	var left []map[string]any
	must(s.t, s.table.Scan().Filter("begins_with(pk, ?)", "X#").All(ctx, &left))
	if len(left) > 0 {
		s.t.Errorf("the disposals %v are left", left)
	}
}

// checkTexts checks of which versions there is a text.
func (s *textSystem) checkTexts(want ...int64) {
	s.t.Helper()
	s.onCall = nil
	for version := range int64(5) {
		_, err := s.bucket.Get(ctx, textName(version), 100)
		if is := err == nil; is != slices.Contains(want, version) {
			s.t.Errorf("version %d: there is a text: %t; want those of %v", version, is, want)
		}
	}
}

// A text whose writer died goes, whether its event comes again or never, and so does one
// that was replaced; the one that the entity leads to stays.
func TestTextsOfDeadWriters(t *testing.T) {
	t.Parallel()
	s := newTextSystem(t)
	must(t, s.putText(1))
	s.failAt("PutObject")
	if s.putText(2) == nil {
		t.Error("a dead writer reports no error")
	}
	s.sweepAll()
	s.checkTexts(1)
	n := 0
	s.onCall = func(operation string, send func() error) error {
		if operation == "TransactWriteItems" {
			n++
		}
		if n == 2 { // the one that commits
			return errors.New("the process died")
		}
		return send()
	}
	if s.putText(2) == nil {
		t.Error("a dead writer reports no error")
	}
	s.checkTexts(1, 2)
	s.onCall = nil
	must(t, s.putText(3))
	s.checkTexts(2, 3)
	s.sweepAll()
	s.checkTexts(3)
	s.failAt("DeleteObject")
	if s.putText(4) == nil {
		t.Error("a dead writer reports no error")
	}
	s.checkTexts(3, 4)
	s.sweepAll()
	s.checkTexts(4)
}

// A text stays whose event is delivered twice at once: the slower delivery finds at each
// of its calls that the faster one is done.
func TestTextOfADoubleDelivery(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		s := newTextSystem(t)
		calls := 0
		s.onCall = func(_ string, send func() error) error {
			calls++
			if calls == at {
				must(t, s.putText(1))
			}
			return send()
		}
		must(t, s.putText(1))
		reached := calls >= at
		s.checkTexts(1)
		s.sweepAll()
		s.checkTexts(1)
		if !reached {
			if at < 4 {
				t.Errorf("the delivery made %d calls", calls)
			}
			return
		}
	}
}

// Nothing leads to an object any more that the sweeper has begun to remove, also if the
// sweeper dies there.
func TestRemovedObjectIsNotKept(t *testing.T) {
	t.Parallel()
	s := newTextSystem(t)
	must(t, s.Put(ctx, textName(1), "text/plain", []byte("text")))
	must(t, s.sweepObjects(now))
	s.failAt("DeleteObject")
	if s.sweepObjects(now.Add(time.Hour)) == nil {
		t.Error("a dead sweeper reports no error")
	}
	s.onCall = nil
	if err := s.putText(1); err == nil {
		t.Error("a text was stored under the key of one that is being removed")
	}
	s.sweepAll()
	s.checkTexts()
	must(t, s.putText(1))
	s.sweepAll()
	s.checkTexts(1)
}
