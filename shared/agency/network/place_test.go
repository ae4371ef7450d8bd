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
		"nobody":                        {nil, person("ada", "a"), 9},
		"the same person":               {[]network.Candidate{person("ada", "a")}, person("ada", "a"), 0},
		"the same profile":              {[]network.Candidate{person("ada", "a")}, person("ada", "b"), 0},
		"the same e-mail":               {[]network.Candidate{person("ada", "a")}, person("ada-2", "a"), 0},
		"another person":                {[]network.Candidate{person("ada", "a")}, person("bob", "b"), 9},
		"both match: the profile wins":  {[]network.Candidate{person("ada", "a"), person("bob", "b")}, person("bob", "a"), 1},
		"both match, the other order":   {[]network.Candidate{person("bob", "b"), person("ada", "a")}, person("bob", "a"), 0},
		"another owner has it":          {[]network.Candidate{person("ada", "a")}, by(person("ada", "a"), func(c *network.Candidate) { c.OwnerID = "mem_2" }), 9},
		"another agency has it":         {[]network.Candidate{person("ada", "a")}, by(person("ada", "a"), func(c *network.Candidate) { c.AgencyID = "agy_2" }), 9},
		"another name is no difference": {[]network.Candidate{person("ada", "a")}, by(person("ada", "a"), func(c *network.Candidate) { c.Name = "A. E." }), 0},
		"an owner whose id is a prefix": {[]network.Candidate{by(person("ada", "a"), func(c *network.Candidate) { c.OwnerID = "mem_10" })}, person("ada", "a"), 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			for n, s := range c.standing {
				d.ingest(s, id(n), start)
			}
			if got := d.place(c.comes, id(9)); got.ID != id(c.want) {
				t.Errorf("got %s, want %s", got.ID, id(c.want))
			}
		})
	}
}

func TestNothingIsMerged(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.ingest(person("ada", "a"), id(0), start)
	d.ingest(person("bob", "b"), id(1), start)
	// Bob's profile with Ada's address: Bob's, and the address leads to both.
	both := person("bob", "a")
	both.SubmittedAt = start.Add(time.Second)
	d.ingest(both, id(2), start)
	if got := len(d.rows("agy_1")); got != 2 {
		t.Fatalf("got %d rows, want 2", got)
	}
	// A third profile with the shared address goes to one of the two, always the same.
	for range 3 {
		if got := d.place(person("cyd", "a"), id(9)); got.ID != id(0) {
			t.Errorf("got %s, want %s", got.ID, id(0))
		}
	}
	if d.membership(id(0)).ResumeKey != "resumes/ada/a" || d.membership(id(1)).ResumeKey != "resumes/bob/a" {
		t.Error("a membership took something from the other")
	}
}

func TestEveryIdentityOfAMembershipLeadsToIt(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.ingest(person("ada", "a"), id(0), start)
	d.ingest(person("ada", "b"), id(1), start)
	d.ingest(person("ada-2", "b"), id(2), start)
	for _, c := range []network.Candidate{person("ada", "x"), person("ada-2", "x"), person("x", "a"), person("x", "b")} {
		if got := d.place(c, id(9)); got.ID != id(0) {
			t.Errorf("%s, %s: got %s, want %s", c.LinkedInURL, c.Email, got.ID, id(0))
		}
	}
}

func TestOwnersOfAnyName(t *testing.T) {
	t.Parallel()
	d := open(t)
	owners := []string{"mem.1", "mem 1", "mem[1]", "mem'1", "'", "$", ":v", "(mem)", "ünï", "size", "0", strings.Repeat("'", 128)}
	for n, owner := range owners {
		c := person("ada", "a")
		c.OwnerID = owner
		d.ingest(c, id(n), start)
	}
	for n, owner := range owners {
		c := person("ada", "b")
		c.OwnerID = owner
		if got := d.place(c, id(99)); got.ID != id(n) {
			t.Errorf("%s: got %s, want %s", owner, got.ID, id(n))
		}
	}
}

// Whatever runs at once, one owner has a person once: as if one had come after
// the other.
func TestOnePersonFromManySubmissionsAtOnce(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(n int) network.Candidate{
		"different addresses": func(n int) network.Candidate { return person("ada", string(rune('a'+n))) },
		"different profiles":  func(n int) network.Candidate { return person("ada-"+string(rune('a'+n)), "a") },
		"nothing different":   func(int) network.Candidate { return person("ada", "a") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			ids := [8]string{}
			var group sync.WaitGroup
			for n := range ids {
				group.Go(func() {
					var err error
					if ids[n], err = d.join(make(n), id(n), start); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			if got := slices.Compact(ids[:]); len(got) != 1 {
				t.Errorf("they became %v, want one membership", got)
			}
			if got := d.rows("agy_1"); len(got) != 1 || got[0].ID() != ids[0] {
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
		"a new one, whose profile was taken":        {nil, person("ada", "a"), person("ada", "b")},
		"a new one, whose address was taken":        {nil, person("ada", "a"), person("bob", "a")},
		"an update, of what was updated":            {[]network.Candidate{person("ada", "a")}, person("ada", "a"), person("ada", "b")},
		"one by address, whose profile was taken":   {[]network.Candidate{person("ada", "a")}, person("bob", "a"), person("bob", "b")},
		"one by address, updated by another's also": {[]network.Candidate{person("ada", "a")}, person("bob", "a"), person("cyd", "a")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			for n, s := range c.standing {
				d.ingest(s, id(n), start)
			}
			p := d.place(c.comes, id(8))
			d.ingest(c.between, id(7), start)
			if err := d.write(c.comes, p, start); !dynamo.IsCondCheckFailed(err) {
				t.Errorf("got %v, want a failed condition", err)
			}
			if _, err := d.join(c.comes, id(8), start); err != nil {
				t.Errorf("the next look: %v", err)
			}
		})
	}
}

// An identity that outlived its membership leads to the same id, which is made again.
func TestAMembershipThatIsGoneIsMadeAgain(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.ingest(person("ada", "a"), id(0), start)
	d.ingest(person("bob", "b"), id(1), start)
	must(t, d.table.Delete(topology.PK, "M#"+id(0)).Range(topology.SK, "M").Run(ctx))
	p := d.ingest(person("ada", "b"), id(2), start.Add(time.Hour))
	if p.ID != id(0) || p.ReplacedResume(person("ada", "a")) != "" {
		t.Errorf("got %s, replacing %q; want %s anew", p.ID, p.ReplacedResume(person("ada", "a")), id(0))
	}
	if got := d.membership(id(0)); !got.AddedAt.Equal(start.Add(time.Hour)) {
		t.Errorf("added %v, want it now", got.AddedAt)
	}
}
