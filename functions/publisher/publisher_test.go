package publisher_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

var noon = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// testPublisher is a publisher with the stores of its data, a clock and a log.
type testPublisher struct {
	*publisher.Service
	t     *testing.T
	clock *cloudtest.Clock
	roles *role.Store
	crm   *crm.Store
	log   *bytes.Buffer
}

func newTestPublisher(t *testing.T, env map[string]string, hooks ...cloud.Hook) *testPublisher {
	t.Helper()
	p := &testPublisher{t: t, clock: cloudtest.NewClock(noon), log: &bytes.Buffer{}}
	h := cloudtest.System(t, env, p.clock.Now)
	o := h.Opener()
	entities := entity.Open(o)
	p.roles = role.NewStore(entities, objectstore.Open(o, topology.MarketplaceBucket))
	p.crm = crm.NewStore(entities, p.clock.Now)
	p.roles = p.roles.WithChangeLog(catalogue.NewChangeLog(snapshot.Open(o, catalogue.SnapshotName), p.clock.Now, h.NewID))
	h.Log = slog.New(slog.NewJSONHandler(p.log, nil))
	for _, hook := range hooks {
		h.AWS = cloud.WithHook(h.AWS, hook)
	}
	var err error
	p.Service, err = publisher.New(t.Context(), h)
	must(t, errors.Join(err, o.Err()))
	return p
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (p *testPublisher) putRole(id string) {
	p.t.Helper()
	must(p.t, p.roles.Put(p.t.Context(), id, entity.Stamp{Version: 1, At: p.clock.Now()}, role.Role{Listing: role.Listing{
		Title: "Carpenter", CompanyID: "co", Status: "ACTIVE", Visibility: "PUBLIC", UpdatedAt: contract.At(p.clock.Now()),
	}}))
}

// TestScheduledPublications fails unless the schedule's event publishes the roles once they have changed, and not again.
func TestScheduledPublications(t *testing.T) {
	t.Parallel()
	p := newTestPublisher(t, nil)
	for _, step := range []struct {
		name string
		do   func()
		want bool
	}{
		{"no roles", func() {}, false},
		{"a role", func() { p.putRole("r1") }, true},
		{"no change", func() {}, false},
		{"another role", func() { p.putRole("r2") }, true},
	} {
		step.do()
		p.clock.Move(time.Minute)
		out, err := p.Handle(t.Context(), events.SQSEvent{})
		if want := (publisher.Result{Published: step.want}); err != nil || out != any(want) {
			t.Errorf("%s: got %+v, %v, want %+v", step.name, out, err, want)
		}
	}
}

// TestFailedPublications fails unless a publication whose call failed is an error, and the next one publishes.
func TestFailedPublications(t *testing.T) {
	t.Parallel()
	errCut := errors.New("the connection was cut")
	isCut := true
	p := newTestPublisher(t, nil, func(_ context.Context, _ cloud.Call, send func() error) error {
		if isCut {
			return errCut
		}
		return send()
	})
	p.putRole("r1")
	if out, err := p.Handle(t.Context(), events.SQSEvent{}); !errors.Is(err, errCut) {
		t.Errorf("got %+v, %v, want %v", out, err, errCut)
	}
	if roles, err := p.Rebuild(t.Context(), nil); !errors.Is(err, errCut) {
		t.Errorf("rebuilding: got %d roles, %v, want %v", roles, err, errCut)
	}
	if candidates, err := p.PublishIndexes(t.Context(), []string{"rec"}); !errors.Is(err, errCut) {
		t.Errorf("publishing indexes: got %d candidates, %v, want %v", candidates, err, errCut)
	}
	isCut = false
	if out, err := p.Publish(t.Context()); err != nil || !out.Published {
		t.Errorf("got %+v, %v, want a generation", out, err)
	}
}

// TestPublicationsBesideADomain fails unless a search domain that does not respond is an error, beside which the roles are published.
func TestPublicationsBesideADomain(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	domain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(domain.Close)
	p := newTestPublisher(t, map[string]string{topology.SettingSearchURL: domain.URL})
	p.putRole("r1")
	if out, err := p.Publish(t.Context()); err == nil || !out.Published || asked.Swap(0) == 0 {
		t.Errorf("publishing: got %+v, %v, want a generation and an error of the domain", out, err)
	}
	if roles, err := p.Rebuild(t.Context(), nil); err == nil || roles != 1 || asked.Swap(0) == 0 {
		t.Errorf("rebuilding: got %d roles, %v, want one and an error of the domain", roles, err)
	}
}

// TestRebuild fails unless all roles are published, without changes in the log, and their number is returned and reported.
func TestRebuild(t *testing.T) {
	t.Parallel()
	p := newTestPublisher(t, nil)
	p.roles = p.roles.WithChangeLog(nil)
	for _, id := range []string{"r1", "r2", "r3"} {
		p.putRole(id)
	}
	last := [2]int{}
	roles, err := p.Rebuild(t.Context(), func(read, all int) { last = [2]int{read, all} })
	if err != nil || roles != 3 || last != [2]int{3, 3} {
		t.Errorf("got %d roles, %v, and the last report %v, want 3", roles, err, last)
	}
	if roles, err := p.Rebuild(t.Context(), nil); err != nil || roles != 3 {
		t.Errorf("again: got %d roles, %v, want 3", roles, err)
	}
}

// TestNoPublisherWithoutSettings fails if the worker starts although a setting is missing.
func TestNoPublisherWithoutSettings(t *testing.T) {
	t.Parallel()
	h := cloud.NewHost(func(string) string { return "" }, time.Now, slog.New(slog.DiscardHandler))
	if _, err := publisher.New(t.Context(), h); err == nil {
		t.Error("got no error")
	}
}
