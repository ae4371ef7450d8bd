package network_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// An erasure removes one person with the file, and no other person, even if their
// identities look alike: a mailbox may contain every character that keys are made of.
func TestErasureIsOfOnePerson(t *testing.T) {
	t.Parallel()
	boxes := []string{"bob", "ada#bob", "em#bob", "#bob", "ada#em#bob", "bob#"}
	for n, box := range boxes {
		t.Run(box, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			for i, other := range boxes {
				d.mustIngest(newCandidate("p-"+string(rune('a'+i)), other), candidateID(i), start)
			}
			d.offMarket(start, contract.CandidateReference{Email: new("nobody#" + box + "@example.com")}) // of a person who is no member
			var dropped []string
			removed, err := d.Erase(ctx, identity.Hash(box+"@example.com"), start.Add(time.Hour), func(_ context.Context, m network.Membership) error {
				dropped = append(dropped, m.ResumeKey)
				return nil
			})
			must(t, err)
			if want := []string{newCandidate("p-"+string(rune('a'+n)), box).ResumeKey}; removed != 1 || !slices.Equal(dropped, want) {
				t.Errorf("erased %d with the files %v, want one with %v", removed, dropped, want)
			}
			for i := range boxes {
				if _, found, _ := d.Membership(ctx, candidateID(i)); found == (i == n) {
					t.Errorf("%s is there: %t", boxes[i], found)
				}
			}
		})
	}
}

// An exclusion is found by the person too, and goes on standing for others.
func TestErasureOfAnExclusion(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	for _, box := range []string{"bob", "ada#bob"} {
		d.offMarket(start, contract.CandidateReference{Email: new(box + "@example.com")})
	}
	if leads, err := d.LeadsToMember(ctx, identity.Hash("bob@example.com")); err != nil || leads {
		t.Errorf("an exclusion leads to a member: %t, %v", leads, err)
	}
	_, err := d.Erase(ctx, identity.Hash("bob@example.com"), start.Add(time.Hour), nil)
	must(t, err)
	for box, want := range map[string]bool{"bob": false, "ada#bob": true} {
		c := newCandidate("p-"+box[:3], box)
		c.SubmittedAt = start.Add(-time.Second)
		if d.mustIngest(c, candidateID(len(box)), start); d.mustMembership(candidateID(len(box))).Market.Excluded() != want {
			t.Errorf("%s is pre-excluded: %t, want %t", box, !want, want)
		}
	}
}

// A former address that another person has too stays as it is, and all else that leads to the erased person goes.
func TestErasureAfterASharedAddress(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("p1", "a"), candidateID(1), start)
	d.mustIngest(newCandidate("p2", "a"), candidateID(2), start)
	d.mustIngest(newCandidate("p1", "own"), candidateID(3), start.Add(time.Minute))
	removed, err := d.Erase(ctx, identity.Hash("https://www.linkedin.com/in/p1"), start.Add(time.Hour), forgetNothing)
	if must(t, err); removed != 1 {
		t.Errorf("erased %d memberships, want 1", removed)
	}
	var left []map[string]any
	must(t, d.table.Scan().All(ctx, &left))
	for _, item := range left {
		if text := fmt.Sprint(item); strings.Contains(text, "own@example.com") || strings.Contains(text, "/in/p1") {
			t.Errorf("this is left: %v", item)
		}
	}
	d.mustMembership(candidateID(2))
	if ids := d.idsOf(emailReference("a")); !slices.Equal(ids, []string{candidateID(2)}) {
		t.Errorf("the address leads to %v, want the other person", ids)
	}
}

// An erasure that is late or repeated keeps what came after it: a membership by a role submission, which has no time of a
// submission, and an exclusion, also one under an identity of a membership that goes.
func TestARepeatedErasureKeepsWhatCameAfterIt(t *testing.T) {
	t.Parallel()
	erasedAt := start.Add(time.Hour)
	d := newTestStore(t)
	erase := func(box string) {
		t.Helper()
		_, err := d.Erase(ctx, identity.Hash(box+"@example.com"), erasedAt, forgetNothing)
		must(t, err)
	}
	c := newCandidate("ada", "ada")
	c.SubmittedAt = time.Time{}
	must(t, d.AddByRoleSubmission(ctx, c, candidateID(1), network.Write{Now: erasedAt.Add(time.Second), ID: "role"}))
	erase("ada")
	d.mustMembership(candidateID(1))
	if ids := d.idsOf(emailReference("ada")); !slices.Equal(ids, []string{candidateID(1)}) {
		t.Errorf("the address of the membership that was kept leads to %v", ids)
	}

	d.mustIngest(newCandidate("eve", "eve"), candidateID(2), start)
	d.offMarket(erasedAt.Add(time.Second), contract.CandidateReference{Email: new("bob@example.com")})
	excluded := erasedAt.Add(time.Second).UnixMilli()
	must(t, d.table.Update("pk", "A#agy_1#em#eve@example.com").Range("sk", "I").Set("excluded", excluded).Add("version", 1).Run(ctx))
	erase("eve")
	erase("bob")
	for n, box := range []string{"bob", "eve"} {
		back := newCandidate(box, box)
		back.SubmittedAt = erasedAt
		if d.mustIngest(back, candidateID(3+n), erasedAt.Add(time.Minute)); !d.mustMembership(candidateID(3 + n)).Market.Excluded() {
			t.Errorf("%s is no longer pre-excluded", box)
		}
	}
}
