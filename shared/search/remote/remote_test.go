package remote_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/remote"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// stubDomain is a domain that answers as a test says.
type stubDomain struct {
	requests atomic.Int64
	answer   atomic.Pointer[func(w http.ResponseWriter, searches int)]
}

func (d *stubDomain) set(answer func(w http.ResponseWriter, searches int)) { d.answer.Store(&answer) }

func (d *stubDomain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.requests.Add(1)
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ") || !strings.Contains(r.Header.Get("Authorization"), "/es/aws4_request") {
		http.Error(w, "not signed", http.StatusForbidden)
		return
	}
	body := make([]byte, r.ContentLength)
	_, _ = r.Body.Read(body)
	(*d.answer.Load())(w, strings.Count(string(body), "\n")/2)
}

// finds answers every search with nothing, and with a head.
func finds(until time.Time) func(http.ResponseWriter, int) {
	return func(w http.ResponseWriter, searches int) {
		nothing := strings.Repeat(`{"status":200,"hits":{"total":{"value":0},"hits":[]}},`, searches-1)
		_, _ = fmt.Fprintf(w, `{"responses":[%s{"status":200,"hits":{"hits":[{"_source":{"until":%d}}]}}]}`, nothing, until.UnixMilli())
	}
}

func fails(w http.ResponseWriter, _ int) { http.Error(w, "overloaded", http.StatusTooManyRequests) }

func isAbsent(w http.ResponseWriter, _ int) { http.Error(w, "no such index", http.StatusNotFound) }

func newStubbedCatalogue(t *testing.T) (*testCatalogue, *stubDomain) {
	t.Helper()
	d := &stubDomain{}
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	b := newTestCatalogue(t, map[string]string{topology.SettingSearchURL: server.URL})
	b.putCompany()
	b.putRole("first", 1, "carpenter", "PUBLIC")
	b.now = b.now.Add(time.Hour)
	return b, d
}

// A domain that fails costs no instance the load of a whole base: callers are told to wait. After three
// failures the domain is not asked for ten seconds, and then again.
func TestDomainFails(t *testing.T) {
	t.Parallel()
	b, d := newStubbedCatalogue(t)
	reader := b.newRemote()
	d.set(fails)
	refuse := func(want int64) {
		t.Helper()
		before := d.requests.Load()
		_, err := reader.Current(t.Context(), b.now)
		if e := fault.As(err); err == nil || e.Kind != fault.Unavailable || e.RetryAfter != 10*time.Second {
			t.Errorf("got %v, want a refusal for ten seconds", err)
		}
		if asked := d.requests.Load() - before; asked != want {
			t.Errorf("the domain was asked %d times, want %d", asked, want)
		}
	}
	refuse(1)
	refuse(1)
	refuse(1)
	refuse(0)
	b.now = b.now.Add(10 * time.Second)
	refuse(1)
	refuse(0)
	b.now = b.now.Add(10 * time.Second)
	d.set(finds(b.now))
	if found := b.searchIDs(reader, "carpenter"); len(found) > 0 {
		t.Errorf("found %v, which the domain does not have", found)
	}
}

// A reader of the domain that cannot read the log serves the domain with the changes that it holds, and logs
// their age. When the domain fails too, its callers are told to wait, and the line of the domain's alarm is
// logged. When both work again, neither is.
func TestTheAgeOfChangesOverADomain(t *testing.T) {
	t.Parallel()
	b, d := newStubbedCatalogue(t)
	h, out := b.newOutage()
	roles, _ := openStores(t, h)
	o := h.Opener()
	reader := remote.Open(o, roles, catalogue.OpenEmbedded(o, roles))
	search := func(after time.Duration) error {
		t.Helper()
		b.now = b.now.Add(after)
		out.lines.Reset()
		current, err := reader.Current(t.Context(), b.now)
		must(t, err)
		_, err = current.Search(t.Context(), roleindex.Query{Text: "carpenter"}, nil)
		return err
	}
	const aged, failed = `"catalogue_age_s":`, `"msg":"` + remote.FailureMessage + `"`
	d.set(finds(b.now))
	must(t, search(0))
	out.log.Store(true)
	if err := search(2 * time.Second); err != nil || !strings.Contains(out.lines.String(), aged+"2,") || strings.Contains(out.lines.String(), failed) {
		t.Errorf("without the log: %v, %s", err, &out.lines)
	}
	d.set(fails)
	err := search(time.Minute)
	if e := fault.As(err); err == nil || e.Kind != fault.Unavailable || e.RetryAfter <= 0 {
		t.Errorf("got %v, want a refusal with a time to wait", err)
	}
	if lines := out.lines.String(); !strings.Contains(lines, aged+"62,") || !strings.Contains(lines, failed) {
		t.Errorf("without both: %s", lines)
	}
	out.log.Store(false)
	d.set(finds(b.now))
	if err := search(time.Minute); err != nil || strings.Contains(out.lines.String(), aged) || strings.Contains(out.lines.String(), failed) {
		t.Errorf("with both: %v, %s", err, &out.lines)
	}
}

// An instance that holds the published base, because it served it before the domain was filled, goes
// on to serve it when the domain fails.
func TestDomainFailsBesideAHeldBase(t *testing.T) {
	t.Parallel()
	b, d := newStubbedCatalogue(t)
	reader := b.newRemote()
	d.set(isAbsent)
	find := func() {
		t.Helper()
		if found := b.searchIDs(reader, "carpenter"); !slices.Equal(found, []string{"first"}) {
			t.Errorf("found %v", found)
		}
	}
	find()
	d.set(fails)
	for range 5 {
		b.now = b.now.Add(10 * time.Second)
		find()
	}
}

// A domain without an index is not asked again for ten seconds.
func TestDomainIsAbsent(t *testing.T) {
	t.Parallel()
	b, d := newStubbedCatalogue(t)
	reader := b.newRemote()
	d.set(isAbsent)
	for range 3 {
		if found := b.searchIDs(reader, "carpenter"); !slices.Equal(found, []string{"first"}) {
			t.Errorf("found %v", found)
		}
	}
	if d.requests.Load() != 1 {
		t.Errorf("the domain was asked %d times", d.requests.Load())
	}
}

// A domain that goes back to an older index lacks changes that a reader no longer lays over
// it: the search is refused, and the reader begins anew with the older head, once.
func TestDomainGoesBack(t *testing.T) {
	t.Parallel()
	b, d := newStubbedCatalogue(t)
	var calls cloudtest.Calls
	reader := b.newRemoteWith(calls.Hook)
	d.set(finds(b.now))
	if found := b.searchIDs(reader, "carpenter"); len(found) > 0 {
		t.Fatalf("found %v, which the domain does not have", found)
	}
	d.set(finds(noon.Add(-time.Hour)))
	current, err := reader.Current(t.Context(), b.now)
	must(t, err)
	refuse := func() {
		if _, err := current.Search(t.Context(), roleindex.Query{Text: "carpenter"}, nil); fault.As(err).Kind != fault.Unavailable {
			t.Errorf("got %v, want a refusal", err)
		}
	}
	find := func(requests int64, readsRoles bool) {
		t.Helper()
		before := d.requests.Load()
		calls.Reset()
		if found := b.searchIDs(reader, "carpenter"); !slices.Equal(found, []string{"first"}) {
			t.Errorf("found %v in the changes over the older head", found)
		}
		asked := d.requests.Load() - before
		made := calls.Reset()
		if asked != requests || slices.Contains(made, "DynamoDB.BatchGetItem") != readsRoles {
			t.Errorf("%d requests and the calls %v; want %d, and that roles are read: %t", asked, made, requests, readsRoles)
		}
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(refuse)
	}
	group.Wait()
	b.now = b.now.Add(10 * time.Second) // after three failures the domain is not asked for so long
	find(2, true)                       // the head and the search
	refuse()
	find(1, false)
}

// A call during which the reader begins anew has the changes over the older head.
func TestDomainGoesBackDuringACall(t *testing.T) {
	t.Parallel()
	b, d := newStubbedCatalogue(t)
	var during atomic.Pointer[func()]
	reader := b.newRemoteWith(func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation != "Query" {
			return send()
		}
		if do := during.Swap(nil); do != nil {
			(*do)()
		}
		return send()
	})
	d.set(finds(b.now))
	current := b.current(reader)
	d.set(finds(noon.Add(-time.Hour)))
	refuse := func() {
		if _, err := current.Search(t.Context(), roleindex.Query{Text: "carpenter"}, nil); fault.As(err).Kind != fault.Unavailable {
			t.Errorf("got %v, want a refusal", err)
		}
	}
	during.Store(&refuse)
	if found := b.searchIDs(reader, "carpenter"); during.Load() != nil || !slices.Equal(found, []string{"first"}) {
		t.Errorf("found %v in the changes over the older head", found)
	}
}

// A caller who is gone is not the domain's failure.
func TestCallerIsGone(t *testing.T) {
	t.Parallel()
	b, d := newStubbedCatalogue(t)
	reader := b.newRemote()
	d.set(finds(b.now))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 5 {
		if _, err := reader.Current(gone, b.now); err == nil {
			t.Error("a cancelled call succeeds")
		}
	}
	if found := b.searchIDs(reader, "carpenter"); len(found) > 0 || d.requests.Load() == 0 {
		t.Errorf("found %v: the domain is not asked", found)
	}
}
