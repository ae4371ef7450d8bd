package network

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The moments of the table: a mark from before (<) or after (>) a submission,
// and now, after all of them. Eligibility is live, gone, never ending, or new.
var (
	submitted = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	before    = submitted.Add(-time.Hour)
	after     = submitted.Add(time.Hour)
	now       = submitted.Add(2 * time.Hour)
	expiries  = map[string]time.Time{"live": now.Add(time.Millisecond), "gone": now, "never": {}, "new": now.Add(DefaultEligibility)}
)

// spellMarket writes a state as the table does: a lock, a mark, eligibility, and what
// else it carries.
func spellMarket(m Market) string {
	words := []string{"open"}
	if m.Locked {
		words[0] = "locked"
	}
	times := map[time.Time]string{before: "<", after: ">", now: "=now"}
	var marks []string
	if m.Excluded() {
		marks = append(marks, "pre"+times[m.ExcludedAt])
	}
	if m.TakenOff {
		marks = append(marks, "off"+times[m.Stated.At])
	}
	words = append(words, cmp.Or(strings.Join(marks, "+"), "on"))
	for name, at := range expiries {
		if m.ExpiresAt.Equal(at) {
			words = append(words, name)
		}
	}
	return strings.Join(append(words, fmt.Sprintf("fast=%t boost=%t", m.FastTrack, m.Boosted)), " ")
}

// marketOf reads a lock, marks and eligibility.
func marketOf(lock, marks, expiry string, fast, boost bool) Market {
	m := Market{Locked: lock == "locked", ExpiresAt: expiries[expiry], FastTrack: fast, Boosted: boost}
	times := map[string]time.Time{"<": before, ">": after, "=now": now}
	for mark := range strings.SplitSeq(marks, "+") {
		switch {
		case strings.HasPrefix(mark, "off"):
			m.TakenOff = true
			m.Stated = Statement{times[mark[3:]], apiRank}
		case strings.HasPrefix(mark, "pre"):
			m.ExcludedAt = times[mark[3:]]
		}
	}
	return m
}

// moves says for every lock and mark what each action makes of the mark, and what
// it answers. Re-enabling depends on eligibility too: see TestReEnableByEligibility.
var moves = []struct {
	lock, mark string
	// ingest is without pre-exclusion of the identities, and with one from
	// before and from after the submission.
	ingest, ingestBefore, ingestAfter string
	takeOff                           string
	taken                             contract.ResultStatus
	enable                            string
	enabled                           contract.ResultStatus
}{
	{"open", "on", "on", "on", "pre>", "off=now", "off_market", "", ""},
	{"open", "off<", "on", "on", "pre>", "off=now", "already_off_market", "on", "on_market"},
	{"open", "off>", "off>", "off>", "pre>+off>", "off=now", "already_off_market", "on", "on_market"},
	{"open", "pre<", "on", "on", "pre>", "pre<+off=now", "already_off_market", "pre<", "pre_excluded"},
	{"open", "pre>", "pre>", "pre>", "pre>", "pre>+off=now", "already_off_market", "pre>", "pre_excluded"},
	{"locked", "on", "on", "on", "pre>", "off=now", "already_off_market", "on", "locked"},
	{"locked", "off<", "on", "on", "pre>", "off=now", "already_off_market", "off<", "locked"},
	{"locked", "off>", "off>", "off>", "pre>+off>", "off=now", "already_off_market", "off>", "locked"},
	{"locked", "pre<", "on", "on", "pre>", "pre<+off=now", "already_off_market", "pre<", "locked"},
	{"locked", "pre>", "pre>", "pre>", "pre>", "pre>+off=now", "already_off_market", "pre>", "locked"},
}

// eachState calls test with every state of a row.
func eachState(lock, mark string, test func(expiry string, fast, boost bool, m Market)) {
	for expiry := range expiries {
		for _, fast := range []bool{false, true} {
			for _, boost := range []bool{false, true} {
				test(expiry, fast, boost, marketOf(lock, mark, expiry, fast, boost))
			}
		}
	}
}

func TestEveryStateAndAction(t *testing.T) {
	t.Parallel()
	for _, tt := range moves {
		eachState(tt.lock, tt.mark, func(expiry string, fast, boost bool, m Market) {
			is := func(action, want string, got Market) {
				t.Helper()
				if diff := gocmp.Diff(want, spellMarket(got)); diff != "" {
					t.Errorf("%s, %s (-want +got):\n%s", spellMarket(m), action, diff)
				}
			}
			to := func(mark, expiry string, boost bool) string {
				return spellMarket(marketOf(tt.lock, mark, expiry, fast, boost))
			}
			renewed := map[bool]string{true: "never", false: "new"}[expiry == "never"]
			is("ingest", to(tt.ingest, renewed, boost && !strings.Contains(tt.ingest, "pre")), m.Ingest(submitted, time.Time{}, expiries["new"]))
			is("ingest, excluded before", to(tt.ingestBefore, renewed, boost && !strings.Contains(tt.ingestBefore, "pre")), m.Ingest(submitted, before, expiries["new"]))
			is("ingest, excluded after", to(tt.ingestAfter, renewed, false), m.Ingest(submitted, after, expiries["new"]))

			off, result := m.TakeOff(Statement{now, apiRank})
			is("off-market", to(tt.takeOff, expiry, false), off)
			if result != tt.taken {
				t.Errorf("%s, off-market: got %s, want %s", spellMarket(m), result, tt.taken)
			}
			if tt.enable != "" {
				on, result := m.ReEnable(Statement{now, apiRank}, DefaultEligibility)
				if result != tt.enabled {
					t.Errorf("%s, re-enable: got %s, want %s", spellMarket(m), result, tt.enabled)
				}
				if result == contract.ResultOnMarket {
					expiry = renewed
				}
				is("re-enable", to(tt.enable, expiry, boost), on)
			}
			for _, on := range []bool{false, true} {
				opted := m
				locked := m
				opted.FastTrack = on
				locked.Locked = on
				is("fast-track", spellMarket(opted), m.OptIn(on, Statement{now, 1}))
				is("lock", spellMarket(locked), m.Lock(on, Statement{now, 1}))
			}
		})
	}
}

func TestReEnableByEligibility(t *testing.T) {
	t.Parallel()
	for expiry, want := range map[string]contract.ResultStatus{
		"live": "already_on_market", "never": "already_on_market", "new": "already_on_market", "gone": "on_market",
	} {
		m, got := marketOf("open", "on", expiry, true, true).ReEnable(Statement{now, apiRank}, DefaultEligibility)
		after := map[bool]string{true: "new", false: expiry}[want == "on_market"]
		if wantState := spellMarket(marketOf("open", "on", after, true, true)); got != want || spellMarket(m) != wantState {
			t.Errorf("%s: got %s and %s, want %s and %s", expiry, got, spellMarket(m), want, wantState)
		}
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for _, tt := range moves {
		eachState(tt.lock, tt.mark, func(expiry string, _, _ bool, m Market) {
			want := contract.OnMarket
			switch {
			case tt.lock == "locked" || tt.mark != "on":
				want = contract.OffMarket
			case expiry == "gone":
				want = contract.Expired
			}
			if got := m.Status(now); got != want || m.Off() != (want == contract.OffMarket) {
				t.Errorf("%s: got %s, off %t; want %s", spellMarket(m), got, m.Off(), want)
			}
		})
	}
}
