package network_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
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
		"the same e-mail":               {[]network.Candidate{newCandidate("ada", "a")}, newCandidate("ada-2", "a"), 0},
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
	// A third profile with the shared address goes to one of the two, always the same.
	for range 3 {
		if got := d.mustPlace(newCandidate("cyd", "a"), candidateID(9)); got.ID != candidateID(0) {
			t.Errorf("got %s, want %s", got.ID, candidateID(0))
		}
	}
	if d.mustMembership(candidateID(0)).ResumeKey != "resumes/ada/a" || d.mustMembership(candidateID(1)).ResumeKey != "resumes/bob/a" {
		t.Error("a membership took something from the other")
	}
}

func TestEveryIdentityOfAMembershipLeadsToIt(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(0), start)
	d.mustIngest(newCandidate("ada", "b"), candidateID(1), start)
	d.mustIngest(newCandidate("ada-2", "b"), candidateID(2), start)
	for _, c := range []network.Candidate{newCandidate("ada", "x"), newCandidate("ada-2", "x"), newCandidate("x", "a"), newCandidate("x", "b")} {
		if got := d.mustPlace(c, candidateID(9)); got.ID != candidateID(0) {
			t.Errorf("%s, %s: got %s, want %s", c.LinkedInURL, c.Email, got.ID, candidateID(0))
		}
	}
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

// With any writes in parallel, an owner has a person once: as if one had come after
// the other.
func TestOnePersonFromManySubmissionsAtOnce(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(n int) network.Candidate{
		"different addresses": func(n int) network.Candidate { return newCandidate("ada", string(rune('a'+n))) },
		"different profiles":  func(n int) network.Candidate { return newCandidate("ada-"+string(rune('a'+n)), "a") },
		"nothing different":   func(int) network.Candidate { return newCandidate("ada", "a") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			ids := [8]string{}
			var group sync.WaitGroup
			for n := range ids {
				group.Go(func() {
					var err error
					if ids[n], err = d.placeAndIngest(make(n), candidateID(n), start); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			if got := slices.Compact(ids[:]); len(got) != 1 {
				t.Errorf("they became %v, want one membership", got)
			}
			if got := d.listRows("agy_1"); len(got) != 1 || got[0].ID() != ids[0] {
				t.Errorf("got the rows %v, want one of %s", got, ids[0])
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
		"a new one, whose profile was taken":        {nil, newCandidate("ada", "a"), newCandidate("ada", "b")},
		"a new one, whose address was taken":        {nil, newCandidate("ada", "a"), newCandidate("bob", "a")},
		"an update, of what was updated":            {[]network.Candidate{newCandidate("ada", "a")}, newCandidate("ada", "a"), newCandidate("ada", "b")},
		"one by address, whose profile was taken":   {[]network.Candidate{newCandidate("ada", "a")}, newCandidate("bob", "a"), newCandidate("bob", "b")},
		"one by address, updated by another's also": {[]network.Candidate{newCandidate("ada", "a")}, newCandidate("bob", "a"), newCandidate("cyd", "a")},
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
	if p.ID != candidateID(0) || p.ReplacedResume(newCandidate("ada", "a")) != "" {
		t.Errorf("got %s, replacing %q; want %s anew", p.ID, p.ReplacedResume(newCandidate("ada", "a")), candidateID(0))
	}
	if got := d.mustMembership(candidateID(0)); !got.AddedAt.Equal(start.Add(time.Hour)) {
		t.Errorf("added %v, want it now", got.AddedAt)
	}
}
