package network_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// What the app says about the mark and the lock comes in any order.
func TestAppsMarksDoNotDependOnOrder(t *testing.T) {
	t.Parallel()
	now := network.Statement{At: start.Add(time.Hour), Rank: 1}
	expires := now.At.Add(network.DefaultEligibility)
	off := func(m network.Market) network.Market { return m.SetOff(true, now, network.DefaultEligibility) }
	on := func(m network.Market) network.Market { return m.SetOff(false, now, network.DefaultEligibility) }
	lock := func(m network.Market) network.Market { return m.Lock(true, now) }
	for _, before := range []network.Market{
		{}, {TakenOff: true, Stated: network.Statement{At: start}}, {ExcludedAt: start}, {ExpiresAt: start}, {Boosted: true},
	} {
		for name, mark := range map[string]func(network.Market) network.Market{"off": off, "on": on} {
			if a, b := lock(mark(before)), mark(lock(before)); a != b {
				t.Errorf("%s of %+v: %+v before the lock, %+v after it", name, before, a, b)
			}
		}
		if got := off(before); !got.Off() || got.Boosted {
			t.Errorf("off makes %+v of %+v", got, before)
		}
		if got := on(before); got.Off() != before.Excluded() || !before.ExpiresAt.IsZero() && !got.ExpiresAt.Equal(expires) {
			t.Errorf("on makes %+v of %+v", got, before)
		}
	}
}

// A role submission adds who is not there, and does not restore the pre-excluded.
func TestAddByRoleSubmission(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.offMarket(start, emailReference("b"))
	for _, c := range []network.Candidate{newCandidate("ada", "a"), newCandidate("bob", "b")} {
		c.SubmittedAt = time.Time{}
		for range 2 {
			must(t, d.AddByRoleSubmission(ctx, c, candidateID(1)+c.LinkedInURL[len(c.LinkedInURL)-3:], network.Write{Now: start.Add(time.Hour), ID: c.Email}))
		}
	}
	ada := d.mustMembership(candidateID(1) + "ada")
	bob := d.mustMembership(candidateID(1) + "bob")
	if ada.Source != contract.CandidateSourceRoleSubmission || ada.Preferences != nil || ada.Market != (network.Market{}) {
		t.Errorf("ada is %+v", ada)
	}
	if !bob.Market.Excluded() || !bob.Market.Off() {
		t.Errorf("bob is %+v", bob.Market)
	}
}

// An erasure removes a person's memberships, rows, identities and files, and no other's.
func TestErase(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	other := newCandidate("bob", "b")
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	second := newCandidate("ada", "a")
	second.Tenant = "agy_2"
	d.mustIngest(second, candidateID(2), start)
	d.mustIngest(other, candidateID(3), start)
	var dropped []string
	drop := func(_ context.Context, m network.Membership) error {
		dropped = append(dropped, m.ResumeKey)
		return nil
	}
	removed := 0
	for _, canonical := range []string{"a@example.com", "https://www.linkedin.com/in/ada", "nobody@example.com"} {
		n, err := d.Erase(ctx, identity.Hash(canonical), start.Add(time.Hour), drop)
		must(t, err)
		removed += n
	}
	if removed != 2 || len(dropped) != 2 {
		t.Errorf("%d memberships and the files %v were removed", removed, dropped)
	}
	var left []map[string]any
	must(t, d.table.Scan().All(ctx, &left))
	if len(left) != 7 { // bob's membership, four rows and two identities
		t.Errorf("%d items are left: %v", len(left), left)
	}
}

// Of two submissions at the same time, that to a role is where the membership came from, in whichever order they arrive.
func TestRoleSubmissionIsFirstAtTheSameTime(t *testing.T) {
	t.Parallel()
	for n, roleFirst := range []bool{false, true} {
		d := newTestStore(t)
		c := newCandidate("ada", "a")
		submit := func() { d.mustIngest(c, candidateID(1), start) }
		submitToRole := func() {
			must(t, d.AddByRoleSubmission(ctx, c, candidateID(1), network.Write{Now: start, ID: fmt.Sprint("role", n)}))
		}
		steps := []func(){submit, submitToRole}
		if roleFirst {
			slices.Reverse(steps)
		}
		for _, step := range steps {
			step()
		}
		if got := d.mustMembership(candidateID(1)).Source; string(got) != string(contract.CandidateSourceRoleSubmission) {
			t.Errorf("role first %t: the source is %s", roleFirst, got)
		}
	}
}

// The app's mark renews an eligibility that is over, as the newest statement that the candidate is back, and no other.
func TestOnlyAnEndedEligibilityIsRenewed(t *testing.T) {
	t.Parallel()
	now := network.Statement{At: start, Rank: 1}
	soon := start.AddDate(0, 0, 10)
	over := start.Add(-time.Hour)
	renewed := start.Add(network.DefaultEligibility)
	newer := network.Statement{At: start.Add(time.Minute)}
	for _, tt := range []struct {
		before network.Market
		off    bool
		want   time.Time
	}{
		{network.Market{ExpiresAt: over}, false, renewed},
		{network.Market{ExpiresAt: over}, true, over},
		{network.Market{ExpiresAt: soon}, false, soon},
		{network.Market{ExpiresAt: soon}, true, soon},
		{network.Market{ExpiresAt: over, Stated: newer}, false, over},
		{network.Market{ExpiresAt: soon, Stated: newer}, false, soon},
	} {
		if got := tt.before.SetOff(tt.off, now, network.DefaultEligibility).ExpiresAt; !got.Equal(tt.want) {
			t.Errorf("%+v, off %t: ends %v, want %v", tt.before, tt.off, got, tt.want)
		}
	}
}

// What came by a role submission stays eligible for ever, whatever is stated later.
func TestEligibilityWithoutEndStays(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	must(t, d.AddByRoleSubmission(ctx, newCandidate("ada", "a"), candidateID(1), network.Write{Now: start, ID: "role"}))
	at := start
	step := func(what string, off bool, act func()) {
		t.Helper()
		at = at.Add(time.Hour)
		act()
		if m := d.mustMembership(candidateID(1)).Market; !m.ExpiresAt.IsZero() || m.Off() != off {
			t.Errorf("%s: eligible until %v, off %t; want no end, off %t", what, m.ExpiresAt, m.Off(), off)
		}
	}
	reEnable := func() {
		_, err := d.ReEnable(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, allOwners, network.Write{Now: at, ID: at.String()})
		must(t, err)
	}
	setOff := func(off bool) {
		_, err := d.SetOffMarket(ctx, d.mustMembership(candidateID(1)), off, network.Write{Now: at, Version: 1, ID: at.String()})
		must(t, err)
	}
	submit := func() {
		c := newCandidate("ada", "a")
		c.SubmittedAt = at
		d.mustIngest(c, candidateID(2), at)
	}
	step("off-market", true, func() { d.offMarket(at, emailReference("a")) })
	step("re-enable", false, reEnable)
	step("off in the app", true, func() { setOff(true) })
	step("on in the app", false, func() { setOff(false) })
	step("off-market again", true, func() { d.offMarket(at, emailReference("a")) })
	step("a submission", false, submit)
	step("re-enable of one on the market", false, reEnable)
}
