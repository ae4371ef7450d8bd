package network_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func TestWhoIsThereAlready(t *testing.T) {
	t.Parallel()
	by := func(c network.Candidate, change func(*network.Candidate)) network.Candidate {
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		standing []network.Candidate // as id(0), id(1), …
		comes    network.Candidate
		want     int
	}{
		"nobody":                        {nil, newCandidate("ada", "a"), 9},
		"the same person":               {[]network.Candidate{newCandidate("ada", "a")}, newCandidate("ada", "a"), 0},
		"the same profile":              {[]network.Candidate{newCandidate("ada", "a")}, newCandidate("ada", "b"), 0},
		"the same e-mail":               {[]network.Candidate{newCandidate("ada", "a")}, newCandidate("bob", "a"), 9},
		"another person":                {[]network.Candidate{newCandidate("ada", "a")}, newCandidate("bob", "b"), 9},
		"both match: the profile wins":  {[]network.Candidate{newCandidate("ada", "a"), newCandidate("bob", "b")}, newCandidate("bob", "a"), 1},
		"both match, the other order":   {[]network.Candidate{newCandidate("bob", "b"), newCandidate("ada", "a")}, newCandidate("bob", "a"), 0},
		"another owner has it":          {[]network.Candidate{newCandidate("ada", "a")}, by(newCandidate("ada", "a"), func(c *network.Candidate) { c.OwnerID = "mem_2" }), 9},
		"another agency has it":         {[]network.Candidate{newCandidate("ada", "a")}, by(newCandidate("ada", "a"), func(c *network.Candidate) { c.Tenant = "agy_2" }), 9},
		"another name is no difference": {[]network.Candidate{newCandidate("ada", "a")}, by(newCandidate("ada", "a"), func(c *network.Candidate) { c.Name = "A. E." }), 0},
		"an owner whose id is a prefix": {[]network.Candidate{by(newCandidate("ada", "a"), func(c *network.Candidate) { c.OwnerID = "mem_10" })}, newCandidate("ada", "a"), 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			for n, s := range c.standing {
				d.mustIngest(s, candidateID(n), start)
			}
			if got := d.mustPlace(c.comes, candidateID(9)); got.ID != candidateID(c.want) {
				t.Errorf("got %s, want %s", got.ID, candidateID(c.want))
			}
		})
	}
}

func TestNothingIsMerged(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(0), start)
	d.mustIngest(newCandidate("bob", "b"), candidateID(1), start)
	// Bob's profile with Ada's address: Bob's, and the address leads to both.
	both := newCandidate("bob", "a")
	both.SubmittedAt = start.Add(time.Second)
	d.mustIngest(both, candidateID(2), start)
	if got := len(d.listRows("agy_1")); got != 2 {
		t.Fatalf("got %d rows, want 2", got)
	}
	if got := d.mustPlace(newCandidate("cyd", "a"), candidateID(9)); got.ID != candidateID(9) {
		t.Errorf("a third profile with the shared address went to %s, want a new membership", got.ID)
	}
	if d.mustMembership(candidateID(0)).ResumeKey != "resumes/ada/a" || d.mustMembership(candidateID(1)).ResumeKey != "resumes/bob/a" {
		t.Error("a membership took something from the other")
	}
}

// An e-mail address leads to every membership that was ever submitted with it.
func TestEveryAddressOfAMembershipLeadsToIt(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(0), start)
	d.mustIngest(newCandidate("ada", "b"), candidateID(9), start)
	d.mustIngest(newCandidate("bob", "b"), candidateID(1), start)
	must(t, d.AddByRoleSubmission(ctx, newCandidate("cyd", "b"), candidateID(2), network.Write{Now: start, ID: "role"}))
	for mailbox, want := range map[string][]string{"a": {candidateID(0)}, "b": {candidateID(0), candidateID(1), candidateID(2)}} {
		if got := d.idsOf(emailReference(mailbox)); !slices.Equal(got, want) {
			t.Errorf("%s leads to %v, want %v", mailbox, got, want)
		}
	}
}

// idsOf returns the ids of the memberships to which a reference leads, in order.
func (d testStore) idsOf(r contract.CandidateReference) (ids []string) {
	d.t.Helper()
	found, err := d.Resolve(ctx, "agy_1", []contract.CandidateReference{r}, allOwners)
	must(d.t, err)
	for _, m := range found[0].Memberships {
		ids = append(ids, m.ID)
	}
	slices.Sort(ids)
	return ids
}

func TestOwnersOfAnyName(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	owners := []string{"mem.1", "mem 1", "mem[1]", "mem'1", "'", "$", ":v", "(mem)", "ünï", "size", "0", strings.Repeat("'", 128)}
	for n, owner := range owners {
		c := newCandidate("ada", "a")
		c.OwnerID = owner
		d.mustIngest(c, candidateID(n), start)
	}
	for n, owner := range owners {
		c := newCandidate("ada", "b")
		c.OwnerID = owner
		if got := d.mustPlace(c, candidateID(99)); got.ID != candidateID(n) {
			t.Errorf("%s: got %s, want %s", owner, got.ID, candidateID(n))
		}
	}
}

// With any writes in parallel, an owner has a LinkedIn profile once, whatever the addresses are.
func TestManySubmissionsAtOnce(t *testing.T) {
	t.Parallel()
	const writers = 8
	for name, tt := range map[string]struct {
		make func(n int) network.Candidate
		want int
	}{
		"different addresses": {func(n int) network.Candidate { return newCandidate("ada", string(rune('a'+n))) }, 1},
		"different profiles":  {func(n int) network.Candidate { return newCandidate("ada-"+string(rune('a'+n)), "a") }, writers},
		"nothing different":   {func(int) network.Candidate { return newCandidate("ada", "a") }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			ids := [writers]string{}
			var group sync.WaitGroup
			for n := range ids {
				group.Go(func() {
					var err error
					ids[n], err = d.placeAndIngest(tt.make(n), candidateID(n), start)
					if err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			for n, id := range ids {
				if got, want := d.mustMembership(id).LinkedInURL, tt.make(n).LinkedInURL; got != want {
					t.Errorf("submission %d went to the membership of %s, want %s", n, got, want)
				}
			}
			slices.Sort(ids[:])
			if got, rows := len(slices.Compact(ids[:])), len(d.listRows("agy_1")); got != tt.want || rows != tt.want {
				t.Errorf("they became %d memberships with %d rows, want %d", got, rows, tt.want)
			}
		})
	}
}

func TestAPlaceThatChangedIsNotWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		standing       []network.Candidate
		comes, between network.Candidate
	}{
		"a new one, whose profile was taken": {nil, newCandidate("ada", "a"), newCandidate("ada", "b")},
		"an update, of what was updated":     {[]network.Candidate{newCandidate("ada", "a")}, newCandidate("ada", "a"), newCandidate("ada", "b")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			for n, s := range c.standing {
				d.mustIngest(s, candidateID(n), start)
			}
			p := d.mustPlace(c.comes, candidateID(8))
			d.mustIngest(c.between, candidateID(7), start)
			if err := d.ingestAt(c.comes, p, start); !dynamo.IsCondCheckFailed(err) {
				t.Errorf("got %v, want a failed condition", err)
			}
			if _, err := d.placeAndIngest(c.comes, candidateID(8), start); err != nil {
				t.Errorf("the next look: %v", err)
			}
		})
	}
}

// An identity that outlived its membership leads to the same id, which is made again.
func TestAMembershipThatIsGoneIsMadeAgain(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(0), start)
	d.mustIngest(newCandidate("bob", "b"), candidateID(1), start)
	must(t, d.table.Delete(topology.PK, "M#"+candidateID(0)).Range(topology.SK, "M").Run(ctx))
	p := d.mustIngest(newCandidate("ada", "b"), candidateID(2), start.Add(time.Hour))
	if p.ID != candidateID(0) || p.ReplacedResume != "" {
		t.Errorf("got %s, replacing %q; want %s anew", p.ID, p.ReplacedResume, candidateID(0))
	}
	if got := d.mustMembership(candidateID(0)); !got.AddedAt.Equal(start.Add(time.Hour)) {
		t.Errorf("added %v, want it now", got.AddedAt)
	}
}
