package network_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// placeModel is the rule of "there already" on plain maps.
type placeModel struct {
	// byProfile are the memberships by owner and LinkedIn URL.
	byProfile map[string]string
	// byEmail are the memberships of all owners.
	byEmail map[string][]string
	added   map[string]time.Time
	// stored is each membership after the newest write to it.
	stored map[string]network.Membership
}

// place returns the membership to which a candidate goes, and enters it.
func (m placeModel) place(c network.Candidate, newID string, now time.Time) string {
	id, there := m.byProfile[c.OwnerID+c.LinkedInURL]
	if !there {
		id = newID
		m.added[newID] = now
		m.byProfile[c.OwnerID+c.LinkedInURL] = id
	}
	return id
}

func (m placeModel) link(c network.Candidate, id string) {
	if !slices.Contains(m.byEmail[c.Email], id) {
		m.byEmail[c.Email] = append(m.byEmail[c.Email], id)
	}
}

// drawnSubmission is a submission of a few persons who share addresses, through this API or by the
// app to a role.
type drawnSubmission struct {
	network.Candidate
	toRole bool
}

var drawSubmission = rapid.Custom(func(rt *rapid.T) drawnSubmission {
	pick := rapid.IntRange(0, 3)
	c := newCandidate(fmt.Sprint("p", pick.Draw(rt, "profile")), fmt.Sprint("m", pick.Draw(rt, "mailbox")))
	c.OwnerID = rapid.SampledFrom([]string{"mem_1", "mem_2"}).Draw(rt, "owner")
	return drawnSubmission{c, rapid.IntRange(0, 3).Draw(rt, "to a role") == 0}
})

// Submissions go where the model says, and change nothing of any other membership.
func TestAnySequenceOfSubmissionsIsAsTheModelSays(t *testing.T) {
	t.Parallel()
	table := newTestStore(t)
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		agency := fmt.Sprint("agy_", run)
		model := placeModel{map[string]string{}, map[string][]string{}, map[string]time.Time{}, map[string]network.Membership{}}
		for n, s := range rapid.SliceOfN(drawSubmission, 1, 12).Draw(rt, "submissions") {
			newID := candidateID(run*100 + n)
			now := start.Add(time.Duration(n) * time.Second)
			s.Tenant = tenant.ID(agency)
			s.SubmittedAt = now
			id := model.place(s.Candidate, newID, now)
			table.submit(rt, s, id, newID, now)
			if _, there := model.stored[id]; !there || !s.toRole {
				model.link(s.Candidate, id) // a role submission of somebody who is there changes only the source
			}
			table.compare(rt, model, s, id)
		}
		if rows := table.listRows(agency); len(rows) != len(model.added) {
			rt.Fatalf("got %d list rows for %d memberships", len(rows), len(model.added))
		}
		for email, want := range model.byEmail {
			found, err := table.Resolve(ctx, tenant.ID(agency), []contract.CandidateReference{{Email: &email}}, allOwners)
			must(t, err)
			var got []string
			for _, m := range found[0].Memberships {
				got = append(got, m.ID)
			}
			if diff := cmp.Diff(want, got, cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
				rt.Fatalf("%s leads to others (-want +got):\n%s", email, diff)
			}
		}
	})
}

// submit stores a submission and checks that it goes to the membership id.
func (d testStore) submit(rt *rapid.T, s drawnSubmission, id, newID string, now time.Time) {
	if s.toRole {
		must(d.t, d.AddByRoleSubmission(ctx, s.Candidate, newID, network.Write{Now: now, ID: newID}))
	} else if got := d.mustIngest(s.Candidate, newID, now).ID; got != id {
		rt.Fatalf("%s went to %s, want %s", s.LinkedInURL, got, id)
	}
}

// compare checks the membership that was submitted, and that all others are as before.
func (d testStore) compare(rt *rapid.T, model placeModel, s drawnSubmission, id string) {
	for other, before := range maps.All(model.stored) {
		if diff := cmp.Diff(before, d.mustMembership(other), cmpopts.IgnoreUnexported(before)); other != id && diff != "" {
			rt.Fatalf("%s was changed by the submission of %s (-before +after):\n%s", other, s.LinkedInURL, diff)
		}
	}
	got := d.mustMembership(id)
	if got.LinkedInURL != s.LinkedInURL || !got.AddedAt.Equal(model.added[id]) || !s.toRole && got.ResumeKey != s.ResumeKey {
		rt.Fatalf("got %+v, want what %s was submitted with, added %v", got, s.LinkedInURL, model.added[id])
	}
	model.stored[id] = got
}
