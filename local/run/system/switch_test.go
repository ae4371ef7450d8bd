//go:build opensearch

package system_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
)

// domainProxy forwards requests to a search domain. It can be killed and frozen.
type domainProxy struct {
	t        *testing.T
	address  string
	server   *http.Server
	frozen   atomic.Bool
	searches atomic.Int64 // answered by the domain
}

func startDomainProxy(t *testing.T) *domainProxy {
	t.Helper()
	p := &domainProxy{t: t, address: "127.0.0.1:0"}
	p.start()
	t.Cleanup(func() { p.kill() })
	return p
}

// start accepts connections, at the previous address if there was one.
func (p *domainProxy) start() {
	p.t.Helper()
	listener, err := net.Listen("tcp", p.address)
	must(p.t, err)
	target, err := url.Parse(os.Getenv(topology.SettingSearchURL))
	must(p.t, err)
	forward := httputil.NewSingleHostReverseProxy(target)
	p.address = listener.Addr().String()
	p.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.frozen.Load() {
			<-r.Context().Done()
			return
		}
		forward.ServeHTTP(w, r)
		if strings.Contains(r.URL.Path, "/_msearch") {
			p.searches.Add(1)
		}
	})}
	go func() { _ = p.server.Serve(listener) }()
}

// kill refuses new connections and breaks the open ones, as the death of a process does.
func (p *domainProxy) kill() { _ = p.server.Close() }

// engineSwitch is a system under load whose roles function and publisher are replaced, as in a
// deployment.
type engineSwitch struct {
	*roleSystem
	domain *domainProxy
	// roles is the deployed function. Requests in progress complete in the function in which they
	// began.
	roles atomic.Pointer[lambda.HTTPFunction]
	// personal and agency hold keys, which the requests use in turn.
	personal, agency []string
	want             map[string]string // expected bodies, by path
	requests, wrong  atomic.Int64
	cycles           [loadWorkers]atomic.Int64
	mu               sync.Mutex
	times            []time.Duration
	version          int
}

const (
	loadWorkers = 4
	// requestInterval is the time between two requests by the functions' clock. It keeps within the
	// rates of the keys.
	requestInterval = 250 * time.Millisecond
)

// comparedPaths are the paths of lists and searches whose responses the test does not change.
var comparedPaths = []string{
	"/recruiter/roles", "/recruiter/roles?query=enginer", "/recruiter/roles?query=senoir+desinger", "/recruiter/roles?minFeePercent=20&limit=50",
	"/recruiter/roles?approvedOnly=true", "/recruiter/active-roles?limit=20", recommendedPath(market.CandidateID(3)),
	"/agency/roles/search?query=enginer", "/agency/roles?limit=20&recruiterEmail=" + demo.MemberEmail,
}

func startEngineSwitch(t *testing.T) *engineSwitch {
	t.Helper()
	embedded := newManualSystemWith(t, map[string]string{topology.SettingSearchURL: ""})
	s := &engineSwitch{roleSystem: &roleSystem{manualSystem: embedded}, domain: startDomainProxy(t), want: map[string]string{}}
	s.openFeed()
	s.loadDemoRoles(240)
	s.applyEvents(slices.Collect(market.CandidateEvents(demo.OwnerID, 0, 5, s.now()))...)
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	s.putProbe()
	must(t, s.Publish(t.Context()))
	for range 4 {
		s.personal = append(s.personal, s.newRecruiterKey(demo.OwnerID))
		s.agency = append(s.agency, s.newAgencyKey())
	}
	s.roles.Store(new(s.HTTP[string(contract.Roles)]))
	s.HTTP[string(contract.Roles)] = func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return (*s.roles.Load())(ctx, e)
	}
	for _, path := range comparedPaths {
		s.want[path] = s.readPages(path)
	}
	return s
}

// deploy replaces the roles function by one that has the address of the search domain, or none if
// searchURL is "", and returns the matching publisher.
func (s *engineSwitch) deploy(searchURL string) (publish func(context.Context) error) {
	s.t.Helper()
	host := s.hookedHost()
	getenv := host.Getenv
	host.Getenv = func(name string) string {
		if name == topology.SettingSearchURL {
			return searchURL
		}
		return getenv(name)
	}
	list, err := roles.New(s.t.Context(), system.Permitted(host, string(contract.Roles)))
	must(s.t, err)
	worker, err := publisher.New(s.t.Context(), system.Permitted(host, topology.Publisher.Name))
	must(s.t, err)
	s.roles.Store(new(lambda.HTTPFunction(lambdahttp.Handler(list))))
	return func(ctx context.Context) error { _, err := worker.Publish(ctx); return err }
}

// putProbe stores the probe, a role that comes last in every list, with a new title.
func (s *engineSwitch) putProbe() {
	s.version++
	s.applyEvent("role.upserted", "probe", s.version, newRoleData(s.probeTitle(), object{"updatedAt": "2020-01-01T00:00:00Z", "postedAt": "2020-01-01T00:00:00Z"}))
}

func (s *engineSwitch) probeTitle() string { return fmt.Sprintf("Zymurgist %d", s.version) }

// get returns the body of a response, whose status must be 200.
func (s *engineSwitch) get(path string) string {
	s.advanceClock(requestInterval)
	n := s.requests.Add(1)
	keys := s.personal
	if strings.HasPrefix(path, "/agency") {
		keys = s.agency
	}
	begun := time.Now()
	r := s.sendRequest(http.MethodGet, path, keys[int(n)%len(keys)], nil)
	s.mu.Lock()
	s.times = append(s.times, time.Since(begun))
	s.mu.Unlock()
	if r.status != http.StatusOK {
		s.wrong.Add(1)
		s.t.Errorf("GET %s: %d %s", path, r.status, r.body)
	}
	return r.body
}

// readPages returns the first pages of a list.
func (s *engineSwitch) readPages(path string) (all string) {
	cursor := ""
	for range 3 {
		at := path
		if cursor != "" {
			at += map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + "cursor=" + url.QueryEscape(cursor)
		}
		body := s.get(at)
		all += body + "\n"
		var page struct{ NextCursor any }
		if json.Unmarshal([]byte(body), &page) != nil || page.NextCursor == nil {
			break
		}
		cursor = fmt.Sprint(page.NextCursor)
		if number, isNumber := page.NextCursor.(float64); isNumber {
			cursor = fmt.Sprintf("%.0f", number)
		}
	}
	return all
}

// load sends requests until ctx ends and compares their responses.
func (s *engineSwitch) load(ctx context.Context, worker int) {
	for n := worker; ctx.Err() == nil; n++ {
		path := comparedPaths[n%len(comparedPaths)]
		if got := s.readPages(path); got != s.want[path] && ctx.Err() == nil {
			s.wrong.Add(1)
			s.t.Errorf("%s:\n got %.600s\nwant %.600s", path, got, s.want[path])
		}
		if (n-worker)%len(comparedPaths) == 0 {
			s.cycles[worker].Add(1)
		}
	}
}

// observe changes the probe and lists it while the load continues, until every worker has sent each
// request again, and logs the figures of the phase. It returns the number of searches that the
// domain answered.
func (s *engineSwitch) observe(phase string) (fromDomain int64) {
	s.t.Helper()
	requests := s.requests.Load()
	searches := s.domain.searches.Load()
	var begun [loadWorkers]int64
	for i := range s.cycles {
		begun[i] = s.cycles[i].Load()
	}
	s.mu.Lock()
	s.times = nil
	s.mu.Unlock()
	for i := range s.cycles {
		for s.cycles[i].Load() < begun[i]+2 && s.wrong.Load() == 0 {
			s.putProbe()
			if got := s.get("/recruiter/roles?query=zymurgist"); !strings.Contains(got, s.probeTitle()) {
				s.wrong.Add(1)
				s.t.Errorf("%s: a change is not in the next list: %s", phase, got)
			}
		}
	}
	s.mu.Lock()
	slices.Sort(s.times)
	median := s.times[len(s.times)/2]
	longest := s.times[len(s.times)-1]
	s.mu.Unlock()
	fromDomain = s.domain.searches.Load() - searches
	s.t.Logf("%-34s %5d requests, %d wrong, %5d answers of the domain, p50 %4d ms, longest %5d ms",
		phase, s.requests.Load()-requests, s.wrong.Load(), fromDomain, median.Milliseconds(), longest.Milliseconds())
	s.advanceClock(time.Minute) // after this the domain is searched again
	return fromDomain
}

// Under load, a search domain is switched on while empty, filled, killed, started again, frozen and
// switched off. Every request gets the response that it got from the embedded index, and every
// change is in the next list: the instance has loaded that index before the domain was filled.
func TestSearchDomainIsSwitchedUnderLoad(t *testing.T) {
	s := startEngineSwitch(t)
	ctx, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	for i := range loadWorkers {
		load.Go(func() { s.load(ctx, i) })
	}
	defer load.Wait()
	defer stop()
	expect := func(phase string, fromDomain bool) {
		t.Helper()
		const underWay = 3 * (loadWorkers + 1) // searches in progress when a phase begins: each takes up to three requests
		if n := s.observe(phase); (n > underWay) != fromDomain {
			t.Errorf("%s: the domain gave %d answers", phase, n)
		}
	}
	expect("embedded", false)
	address := "http://" + s.domain.address + "/" + uuid.NewString()
	publish := s.deploy(address)
	s.observe("switched on, empty") // the domain reports that it has no index
	filled := make(chan error, 1)
	go func() { filled <- publish(ctx) }()
	s.observe("being filled")
	must(t, cmp.Or(<-filled, publish(ctx)))
	expect("filled", true)
	s.domain.kill()
	expect("killed", false)
	s.domain.start()
	expect("started again", true)
	s.domain.frozen.Store(true)
	expect("frozen", false)
	s.domain.frozen.Store(false)
	expect("thawed", true)
	s.deploy("")
	expect("switched off", false)
	t.Logf("%d requests, %d wrong", s.requests.Load(), s.wrong.Load())
}
