package network_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Eight clients of one agency, each with a key, a clock and persons of its own,
// do at random what the API offers, at the same time, and find at every step
// what a plain model of the contract says.
func TestRandomSequences(t *testing.T) {
	t.Parallel()
	runSequences(t, cloudtest.Draws(100))
}

// The same while one AWS call in twenty fails, loses its answer or happens
// twice: the functions' and the worker's alike.
func TestRandomSequencesWithFaults(t *testing.T) {
	t.Parallel()
	runSequences(t, cloudtest.Draws(100), faults(rand.Uint64()))
}

func runSequences(t *testing.T, steps int, hooks ...cloud.Hook) {
	b := newTestServiceOn(t, cloudtest.System)
	var clients sync.WaitGroup // a fatal difference ends its own client alone
	for n := range 8 {
		c := newClient(b, n, hooks)
		clients.Go(func() {
			for step := 0; step < steps && !t.Failed(); step++ {
				c.step()
			}
		})
	}
	clients.Wait()
}

// client is one of the concurrent clients. Its persons are numbered from first.
type client struct {
	*testService
	*rand.Rand
	model
	first   int
	seed    uint64
	flights []flight
	// real is how candidates come.
	real *pipeline
	// tried is how often the last request was sent: more than once, and a part of
	// its work may have been done before.
	tried int
}

// flight is a submission that was accepted and is not ingested yet.
type flight struct {
	candidate   network.Candidate
	email, slug int
	// newID names the membership if it is a new one.
	newID             string
	batch, submission string
}

func newClient(b *testService, n int, hooks []cloud.Hook) *client {
	c := &client{first: n*1000 + 1, seed: rand.Uint64()}
	c.Rand = rand.New(rand.NewPCG(c.seed, 0))
	c.model.excluded = map[string]time.Time{}
	c.model.restored = map[string]time.Time{}
	own := *b
	own.made = n * 100_000
	own.Clock = cloudtest.NewClock(b.Now())
	own.calls = &recorder{}
	own.host.Now = own.Now
	own.key = own.newKey(agencyID, olga)
	own.Handler = own.openHandler(own.host, hooks...)
	c.testService = &own
	c.real = newPipeline(c, hooks)
	return c
}

// step does one thing at random. Moments never coincide, so that older and newer
// are clear, and are so far apart that no window is ever full.
func (c *client) step() {
	c.Move(10 * time.Second)
	actions := []func(){
		c.submit, c.depart, c.depart, c.arrive, c.arrive, c.offMarketSome, c.offMarketSome, c.offMarketSome, c.reEnableSome,
		c.putSome, c.optIn, c.lookupSome, c.readSome, c.readList, c.wait,
	}
	actions[c.IntN(len(actions))]()
}

// wait lets hours or weeks pass: submissions time out and eligibility ends.
func (c *client) wait() {
	c.Move(time.Duration(c.IntN(150)) * []time.Duration{2 * time.Minute, 6 * time.Hour}[c.IntN(2)])
}

func (c *client) differ(what string, want, got any) {
	c.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Errorf("client with seed %d, %s (-model +answer):\n%s", c.seed, what, diff)
	}
}

// ask sends a request until it is no fault of ours that is answered.
func (c *client) ask(method, path, body string) apitest.Response {
	for c.tried = 1; ; c.tried++ {
		if a := c.sendRequest(method, path, body); a.Status != http.StatusInternalServerError {
			return a
		}
	}
}

func (c *client) someone() int { return c.first + c.IntN(5) }

// candidate is a person, often with the e-mail address of another.
func (c *client) candidate() flight {
	f := flight{email: c.someone()}
	f.slug = f.email
	if c.IntN(3) == 0 {
		f.slug = c.someone()
	}
	f.candidate = newCandidate([]string{olga, olga, ben}[c.IntN(3)], f.slug)
	f.candidate.Email = newCandidate("", f.email).Email
	found := profile.Invent(fmt.Sprint("person-", f.slug))
	f.candidate.Title = found.Title
	f.candidate.Company = found.Company
	f.candidate.Location = found.Location
	f.candidate.Preferences = newPreferences(c.Int64N(100_000) + 1)
	f.candidate.SubmittedAt = c.Now()
	return f
}

// submit sends a candidate who arrives at once.
func (c *client) submit() {
	if c.depart(); len(c.flights) > 0 {
		c.arriveAs(len(c.flights) - 1)
	}
}

// depart sends one candidate or several.
func (c *client) depart() {
	if c.IntN(2) == 0 {
		c.real.submit(c.candidate())
	} else {
		c.real.bulk([]flight{c.candidate(), c.candidate(), c.candidate()}[:1+c.IntN(3)])
	}
}

func (c *client) arrive() {
	if len(c.flights) > 0 {
		c.arriveAs(c.IntN(len(c.flights)))
	}
}

func (c *client) arriveAs(i int) {
	f := c.flights[i]
	c.flights = slices.Delete(c.flights, i, i+1)
	c.real.land(f)
}

// refs draws references: to memberships, and to persons known and unknown.
func (c *client) refs() (refs []modelRef, sent string) {
	var list []string
	for range 1 + c.IntN(4) {
		n := c.someone()
		switch kind := c.IntN(8); {
		case kind < 2 && len(c.members) > 0:
			id := c.members[c.IntN(len(c.members))].id
			refs = append(refs, modelRef{id: id})
			list = append(list, byID(id))
		case kind < 5:
			refs = append(refs, modelRef{identity: fmt.Sprint("em", n)})
			list = append(list, byEmail(n))
		case kind < 7:
			refs = append(refs, modelRef{identity: fmt.Sprint("li", n)})
			list = append(list, byLinkedIn(n))
		default:
			refs = append(refs, modelRef{})
			list = append(list, byID("cu_unknown"))
		}
	}
	return refs, candidates(list...)
}

func (c *client) offMarketSome() {
	refs, sent := c.refs()
	c.marketed("off-market", c.offMarket(refs, c.Now()), sent)
}

func (c *client) reEnableSome() {
	refs, sent := c.refs()
	c.marketed("re-enable", c.reEnable(refs, c.Now()), sent)
}

func (c *client) marketed(action string, want []string, sent string) {
	a := c.ask(http.MethodPost, "/talent-network/candidates/"+action, sent)
	got := spelled(c.t, apitest.DecodeOK[contract.MarketResponse](c.t, a))
	for i := range got {
		if s := sorted(got[i]); c.tried > 1 && (s == sorted(want[i]) || s == sorted("already_"+want[i])) {
			got[i] = want[i] // done by an attempt that failed afterwards, and ordered by what that made of it
		}
	}
	c.differ(action+" "+sent, want, got)
}

// sorted orders the words of a result.
func sorted(result string) string {
	words := strings.Fields(result)
	slices.Sort(words)
	return strings.Join(words, " ")
}

func (c *client) member() *modelMember {
	if len(c.members) == 0 {
		return nil
	}
	return c.members[c.IntN(len(c.members))]
}

func (c *client) putSome() {
	m := c.member()
	if m == nil {
		return
	}
	if salary := c.Int64N(100_000) + 1; c.IntN(3) > 0 { // else what it is already
		m.salary = salary
		m.updated = c.Now()
	}
	m.stated = c.Now()
	a := c.ask(http.MethodPut, pathOf(m.id, "preferences"), sentPreferences(m.salary))
	c.differ("put preferences", m.preferences(), a.Body)
}

func sentPreferences(salary int64) string {
	return fmt.Sprintf(`{"locations":["europe","asia"],"workplaceTypes":["REMOTE"],"salaryMin":%d,"idealFundingRounds":["SEED"],`+
		`"visaAuthorization":"HAS_VISA_AUTHORIZATION","roleType":["data_engineer"]}`, salary)
}

func (c *modelMember) preferences() string {
	return fmt.Sprintf(`{"candidateUserId":"%s","preferences":{"locations":["europe","asia"],"workplaceTypes":["REMOTE"],"salaryMin":%d,"salaryMax":null,"ote":null,`+
		`"idealFundingRounds":["SEED"],"visaAuthorization":"HAS_VISA_AUTHORIZATION","roleType":["data_engineer"],"excludedIndustries":[],"companySizePreferences":[]}}`, c.id, c.salary)
}

func (c *modelMember) fastTrack() string {
	return fmt.Sprintf(`{"candidateUserId":"%s","fastTrack":%t,"offMarket":%t}`, c.id, c.fast, c.off())
}

func (c *client) optIn() {
	m := c.member()
	if m == nil {
		return
	}
	on := c.IntN(2) == 0
	a := c.ask(http.MethodPut, pathOf(m.id, "fast-track"), fmt.Sprintf(`{"fastTrack":%t}`, on))
	if m.owner != olga {
		a.CheckError(c.t, 403, contract.KeyOwnerMismatch)
		return
	}
	if m.fast != on {
		m.fast = on
		m.updated = c.Now()
	}
	c.differ("put fast-track", m.fastTrack(), a.Body)
}

func (c *client) readSome() {
	if m := c.member(); m != nil {
		c.differ("preferences", m.preferences(), c.ask(http.MethodGet, pathOf(m.id, "preferences"), "").Body)
		read := apitest.DecodeOK[contract.Candidate](c.t, c.ask(http.MethodGet, "/talent-network/candidates/"+m.id, ""))
		c.differ("candidate", m.row(c.Now()), read.CandidateRow)
		c.differ("fast-track", m.fastTrack(), c.ask(http.MethodGet, pathOf(m.id, "fast-track"), "").Body)
	}
}

func (c *client) lookupSome() {
	refs, sent := c.refs()
	want := make([][]contract.CandidateRow, len(refs))
	for i, r := range refs {
		for _, m := range c.find(r) {
			want[i] = append(want[i], m.row(c.Now()))
		}
	}
	a := c.ask(http.MethodPost, lookupPath, sent)
	got := make([][]contract.CandidateRow, len(refs))
	for i, r := range apitest.DecodeOK[contract.LookupResponse](c.t, a).Results {
		for _, found := range r.Candidates {
			got[i] = append(got[i], found.CandidateRow)
		}
	}
	c.differ("lookup "+sent, want, got)
}

// readList pages through the whole list and looks at the client's own.
func (c *client) readList() {
	status := []string{"", "on_market", "off_market", "expired"}[c.IntN(4)]
	query := "?limit=30"
	if status != "" {
		query += "&status=" + status
	}
	got := []contract.CandidateRow{}
	for cursor := ""; ; {
		page := apitest.DecodeOK[contract.CandidateList](c.t, c.ask(http.MethodGet, listPath+query+cursor, ""))
		for _, r := range page.Candidates {
			var n int
			if _, err := fmt.Sscanf(strings.ToLower(r.Name), "person %d", &n); err == nil && n/1000 == c.first/1000 {
				got = append(got, r)
			}
		}
		if page.NextCursor == nil {
			break
		}
		cursor = "&cursor=" + *page.NextCursor
	}
	c.differ("list "+status, c.rows(status, c.Now()), got)
}

// spelled is a market answer as testService.postMarket spells it.
func spelled(t testing.TB, out contract.MarketResponse) []string {
	t.Helper()
	all := []string{}
	for i, r := range out.Results {
		if r.Index != i || r.OK != (r.Message == "") {
			text, _ := json.Marshal(r)
			t.Errorf("result %d is %s", i, text)
		}
		all = append(all, strings.TrimSpace(map[bool]string{false: "!"}[r.OK]+string(r.Status)+" "+strings.Join(r.CandidateUserIDs, " ")))
	}
	return all
}

// errBroken is a failure that is never retried.
var errBroken = errors.New("broken by the test")

// faults makes one call in twenty fail or happen twice.
func faults(seed uint64) cloud.Hook {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, 1))
	return func(_ context.Context, _ cloud.Call, send func() error) error {
		mu.Lock()
		kind := random.IntN(20 * 5)
		mu.Unlock()
		switch kind {
		case 0:
			return cloudtest.Lost{}
		case 1:
			return errBroken
		case 2:
			return errors.Join(send(), cloudtest.Lost{})
		case 3:
			return errors.Join(send(), errBroken)
		case 4:
			_ = send()
		}
		return send()
	}
}
