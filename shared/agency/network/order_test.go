package network

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// stated is one statement of a drawn history.
type stated struct {
	kind string
	Statement
	// value is the salary, the switch (1: on) or the file that is stated.
	value int
}

func (s stated) String() string {
	return fmt.Sprintf("%s(%d)@%d/%d", s.kind, s.value, s.At.Sub(submitted).Milliseconds(), s.Rank)
}

// The kinds of statements: of the app, of the API, and a submission.
var (
	appKinds = []string{"app preferences", "app off", "app on", "lock", "unlock", "role submission"}
	apiKinds = []string{"preferences", "off-market", "re-enable", "fast-track"}
)

// drawStatements draws what is delivered late, and the calls, which are made in their
// order by a clock that is often behind. Most of it falls into the same few milliseconds.
func drawStatements(r *rand.Rand) (late, calls []stated) {
	at := func() time.Time { return submitted.Add(time.Duration(1+r.IntN(6)) * time.Millisecond) }
	for n := range 1 + r.IntN(6) {
		s := stated{appKinds[r.IntN(len(appKinds))], Statement{at(), int64(n + 1)}, n + 1}
		if r.IntN(4) == 0 {
			s.kind = "submission"
			s.Rank = 0
		}
		late = append(late, s)
	}
	for n := range r.IntN(5) {
		s := stated{apiKinds[r.IntN(len(apiKinds))], Statement{at(), apiRank}, 100 + n}
		calls = append(calls, s)
	}
	return late, calls
}

// orderedMember is a membership at which statements arrive, with what the test knows of it.
type orderedMember struct {
	Membership
	excluded time.Time // of its identity
}

func salary(n int) *contract.SavedWorkPreferences {
	return toSavedPreferences(contract.WorkPreferences{SalaryMin: int64(n)})
}

// merge takes in a statement that has its time, as the writers do.
func (m *orderedMember) merge(s stated, eligibility time.Duration) {
	switch s.kind {
	case "app preferences", "preferences":
		m.setPreferences(salary(s.value), s.Statement)
	case "app off", "app on":
		m.Market = m.Market.SetOff(s.kind == "app off", s.Statement, eligibility)
	case "off-market", "re-enable": // a call that was not refused
		m.Market = m.Market.mark(s.kind == "off-market", s.Statement)
	case "lock", "unlock":
		m.Market = m.Market.Lock(s.kind == "lock", s.Statement)
	case "fast-track":
		m.Market = m.Market.OptIn(s.value%2 == 1, s.Statement)
	case "role submission":
		m.noteSubmission(contract.CandidateSourceRoleSubmission, s.At)
	case "submission":
		c := Candidate{ResumeKey: fmt.Sprintf("%03d", s.value), SubmittedAt: s.At, Preferences: contract.WorkPreferences{SalaryMin: int64(s.value)}}
		m.ingest(c, m.excluded, s.At.Add(eligibility))
		if m.excluded.Before(s.At) {
			m.excluded = time.Time{}
		}
	}
}

// call makes a call of the API, and returns it with the time it was given, or false if it was
// refused. Its effect is visible when it is answered.
func (m *orderedMember) call(t *testing.T, s stated, eligibility time.Duration) (stated, bool) {
	w := Write{Now: s.At}
	var result contract.ResultStatus
	visible := true
	switch s.kind {
	case "preferences":
		s.Statement = w.statement(m.PreferencesStated)
		m.merge(s, eligibility)
		visible = reflect.DeepEqual(m.Preferences, salary(s.value))
	case "fast-track":
		s.Statement = w.statement(m.Market.FastTrackStated)
		m.merge(s, eligibility)
		visible = m.Market.FastTrack == (s.value%2 == 1)
	case "off-market":
		s.Statement = w.statement(m.Market.Stated)
		m.Market, _ = m.Market.TakeOff(s.Statement)
		visible = m.Market.Off()
	case "re-enable":
		s.Statement = w.statement(m.Market.Stated)
		m.Market, result = m.Market.ReEnable(s.Statement, eligibility)
		if result == contract.ResultLocked || result == contract.ResultPreExcluded {
			return s, false
		}
		visible = m.Market.Status(s.At) == contract.OnMarket
	}
	if !visible {
		t.Errorf("the effect of %v is not there: %+v", s, m.Membership)
	}
	return s, true
}

// shown is what of a membership must not depend on the order of arrival.
type shown struct {
	Salary, Resume            string
	Off, Locked, Excluded     bool
	FastTrack, Boosted        bool
	Source, LastSource        contract.CandidateSource
	PreferencesAt, MarketAtMS int64
}

func (m *orderedMember) shown() shown {
	return shown{
		fmt.Sprint(*m.Preferences.SalaryMin), m.ResumeKey, m.Market.Off(), m.Market.Locked, m.Market.Excluded(),
		m.Market.FastTrack, m.Market.Boosted, m.Source, m.lastSubmissionSource(),
		m.PreferencesStated.At.UnixMilli(), m.Market.Stated.At.UnixMilli(),
	}
}

// model applies statements in the order of their times to plain variables: it knows
// nothing of late ones.
func model(all []stated, excluded time.Time) shown {
	all = slices.Clone(all)
	if !excluded.IsZero() {
		all = append(all, stated{"exclude", Statement{excluded, apiRank}, 0})
	}
	slices.SortFunc(all, func(a, b stated) int {
		switch {
		case a.Statement == b.Statement:
			return a.value - b.value
		case a.after(b.Statement):
			return 1
		}
		return -1
	})
	at := submitted.UnixMilli()
	m := shown{"1", "000", false, false, false, false, excluded.IsZero(), contract.CandidateSourceExternalAPI, contract.CandidateSourceExternalAPI, at, at}
	off := false
	for _, s := range all {
		at := s.At.UnixMilli()
		switch s.kind {
		case "app preferences", "preferences", "submission":
			m.Salary = fmt.Sprint(s.value)
			m.PreferencesAt = at
		}
		switch s.kind {
		case "app off", "off-market":
			off = true
			m.Boosted = false
			m.MarketAtMS = at
		case "app on", "re-enable", "submission":
			off = false
			m.MarketAtMS = at
		case "lock", "unlock":
			m.Locked = s.kind == "lock"
		case "fast-track":
			m.FastTrack = s.value%2 == 1
		case "role submission":
			m.LastSource = contract.CandidateSourceRoleSubmission
		case "exclude":
			m.Excluded = true
		}
		if s.kind == "submission" {
			m.Excluded = false
			m.Resume = fmt.Sprintf("%03d", s.value)
			m.LastSource = contract.CandidateSourceExternalAPI
		}
	}
	m.Off = off || m.Locked || m.Excluded
	return m
}

// newOrderedMember returns a membership that came by a submission at a time before all
// others, boosted, and pre-excluded then if excluded is.
func newOrderedMember(excluded time.Time, eligibility time.Duration) *orderedMember {
	market := Market{ExpiresAt: submitted.Add(eligibility)}
	m := &orderedMember{Membership: Membership{Source: contract.CandidateSourceExternalAPI, SourceAt: submitted, Market: market}, excluded: excluded}
	m.merge(stated{"submission", Statement{At: submitted}, 0}, eligibility)
	m.Preferences = salary(1)
	m.Market.Boosted = !m.Market.Excluded()
	return m
}

const histories = 120_000

// Statements about a membership, delivered in any order and any number of times, result in
// the state that a model computes by reading them in the order of their times.
func TestOrderOfArrivalDoesNotMatter(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	deliveries := 0
	refused := 0
	for n := range histories {
		late, calls := drawStatements(r)
		eligibility := []time.Duration{DefaultEligibility, 3 * time.Millisecond}[r.IntN(2)]
		excluded := time.Time{}
		if r.IntN(4) == 0 {
			excluded = submitted.Add(time.Duration(r.IntN(7)) * time.Millisecond)
		}
		// Calls are made in their order; all else arrives whenever, most of it twice.
		arriving := append(slices.Clone(late), late[r.IntN(len(late)):]...)
		r.Shuffle(len(arriving), func(i, j int) { arriving[i], arriving[j] = arriving[j], arriving[i] })
		member := newOrderedMember(excluded, eligibility)
		made := slices.Clone(late)
		var order []stated
		for len(arriving)+len(calls) > 0 {
			deliveries++
			if len(calls) == 0 || r.IntN(len(arriving)+len(calls)) < len(arriving) {
				member.merge(arriving[0], eligibility)
				order = append(order, arriving[0])
				arriving = arriving[1:]
				continue
			}
			s, accepted := member.call(t, calls[0], eligibility)
			order = append(order, s)
			calls = calls[1:]
			if accepted {
				made = append(made, s)
			} else {
				refused++
			}
		}
		want := model(made, excluded)
		if diff := cmp.Diff(want, member.shown()); diff != "" {
			t.Fatalf("seed %d, history %d: %v, excluded %v (-model +stored):\n%s", seed, n, order, excluded, diff)
		}
		if m := member.Market; !m.Off() && m.Status(m.Stated.At) != contract.OnMarket {
			t.Fatalf("seed %d, history %d: %v: the last to put the candidate on the market leaves %+v", seed, n, order, m)
		}
		// The same statements in any other order, each of them twice.
		again := append(slices.Clone(made), made...)
		r.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		other := newOrderedMember(excluded, eligibility)
		for _, s := range again {
			other.merge(s, eligibility)
		}
		if diff := cmp.Diff(want, other.shown()); diff != "" {
			t.Fatalf("seed %d, history %d: %v, excluded %v (-model +stored):\n%s", seed, n, again, excluded, diff)
		}
	}
	t.Logf("%d histories with %d deliveries, %d calls refused", histories, deliveries, refused)
}
