package network_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
)

// identityRecord is the rule of "there already" on plain maps.
type identityRecord struct {
	byLinkedIn map[string]string
	byEmail    map[string][]string
}

func (k identityRecord) place(c network.Candidate, newID string) string {
	if id := k.byLinkedIn[c.OwnerID+c.LinkedInURL]; id != "" {
		return id
	}
	if ids := k.byEmail[c.OwnerID+c.Email]; len(ids) > 0 {
		return slices.Min(ids)
	}
	return newID
}

func (k identityRecord) add(c network.Candidate, id string) {
	k.byLinkedIn[c.OwnerID+c.LinkedInURL] = id
	k.byEmail[c.OwnerID+c.Email] = append(k.byEmail[c.OwnerID+c.Email], id)
}

func TestAnySequenceOfIngestionsIsAsTheModelSays(t *testing.T) {
	t.Parallel()
	candidate := rapid.Custom(func(rt *rapid.T) network.Candidate {
		pick := rapid.IntRange(0, 3)
		c := newCandidate(fmt.Sprint("p", pick.Draw(rt, "profile")), fmt.Sprint("m", pick.Draw(rt, "mailbox")))
		c.OwnerID = rapid.SampledFrom([]string{"mem_1", "mem_2"}).Draw(rt, "owner")
		return c
	})
	table := newTestStore(t)
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		model := identityRecord{map[string]string{}, map[string][]string{}}
		added := map[string]time.Time{}
		for n, c := range rapid.SliceOfN(candidate, 1, 12).Draw(rt, "candidates") {
			c.Tenant = tenant.ID(fmt.Sprint("agy_", run))
			newID, now := candidateID(run*100+n), start.Add(time.Duration(n)*time.Second)
			c.SubmittedAt = now
			want := model.place(c, newID)
			if got := table.mustIngest(c, newID, now).ID; got != want {
				rt.Fatalf("ingestion %d went to %s, want %s", n, got, want)
			}
			model.add(c, want)
			if _, there := added[want]; !there {
				added[want] = now
			}
			got := table.mustMembership(want)
			if got.ResumeKey != c.ResumeKey || !got.AddedAt.Equal(added[want]) || !got.UpdatedAt.Equal(now) {
				rt.Fatalf("ingestion %d: got %+v, want it added %v", n, got, added[want])
			}
		}
		if rows := table.listRows(fmt.Sprint("agy_", run)); len(rows) != len(added) {
			rt.Fatalf("got %d list rows for %d memberships", len(rows), len(added))
		}
	})
}
