package roles_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	service "github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// copyItem stores n copies of an item under other sort keys.
func (b *testService) copyItem(pk, sk string, n int, newSortKey func(i int) string) {
	b.t.Helper()
	table := cloudtest.TableOf(b.t, b.host, topology.Marketplace)
	var item dynamo.Item
	b.must(table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).One(b.t.Context(), &item))
	copies := make([]any, n)
	for i := range copies {
		one := maps.Clone(item)
		key, err := dynamo.Marshal(newSortKey(i))
		b.must(err)
		one[topology.SK] = key
		copies[i] = one
	}
	for part := range slices.Chunk(copies, 1000) {
		_, err := table.Batch(topology.PK, topology.SK).Write().Put(part...).Run(b.t.Context())
		b.must(err)
	}
}

// putManyRoles stores Olga's relations to n roles, few of which exist, and n matches, one of them
// on a closed role.
func (b *testService) putManyRoles(n int) {
	b.t.Helper()
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Example Works"}})
	for i := range 25 {
		b.putRole(fmt.Sprintf("role_%05d", i), nil)
	}
	b.putRole("closed", func(r *role.Role) { r.Status = contract.RoleStatusClosed })
	b.putAssignment("role_00000", olga, "APPROVED", "FULL", nil)
	b.putApplication("role_00000", olga, "SUBMITTED", false)
	pk, sk := itemkey.RecruiterRole.Key(olga, "role_00000")
	b.copyItem(pk, sk, n, func(i int) string { return itemkey.RecruiterRole.SK(fmt.Sprintf("role_%05d", i)) })
	m := match.Match{
		RecruiterID: olga, RoleID: "other", Status: contract.MatchStatusDismissed, SentAt: contract.At(b.at), HiringManagerName: "Mona",
		HiringManagerNote: new(strings.Repeat("We would like to meet. ", 10)), Candidate: match.Candidate{CandidateID: "ada", Name: "Ada Example"},
	}
	entities := entity.NewStore(cloudtest.TableOf(b.t, b.host, topology.Marketplace), dynamo.New(b.host.AWS).WriteTx)
	matches := match.NewStore(entities)
	b.must(matches.Put(b.t.Context(), "match1", b.nextStamp(), &m))
	const layout = "20060102T150405.000"
	pk, sk = itemkey.RecruiterMatch.Key(olga, b.at.Format(layout), "match1")
	b.copyItem(pk, sk, n, func(i int) string {
		return itemkey.RecruiterMatch.SK(b.at.Add(-time.Duration(i)*time.Minute).Format(layout), fmt.Sprintf("match_%05d", i))
	})
	pk, sk = itemkey.RoleMatch.Key(olga, "other", "match1")
	b.copyItem(pk, sk, n, func(i int) string {
		return itemkey.RoleMatch.SK(fmt.Sprintf("role_%05d", i), fmt.Sprintf("match_%05d", i))
	})
	m.RoleID = "closed"
	m.SentAt = contract.At(b.at.Add(time.Minute))
	b.must(matches.Put(b.t.Context(), "match2", b.nextStamp(), &m))
	c := crm.Candidate{RecruiterID: olga, CandidateID: "ada", Name: "Ada Example", RelationshipStatus: "SOURCED", AddedAt: contract.At(b.at)}
	b.must(crm.NewStore(entities, func() time.Time { return b.at }).Put(b.t.Context(), olga, "ada", b.nextStamp(), &c))
}

// unitLine is the part of a log line that reports a request's cost.
type unitLine struct {
	Calls int     `json:"calls"`
	Read  float64 `json:"read_units"`
}

// The cost of a recruiter's requests depends neither on the number of roles that the recruiter is
// on nor on the number of matches, but an agency's list of a status reads a short row of each match. A process reads the recruiter's roles once, and again after they
// have changed.
func TestUnitsOfManyRoles(t *testing.T) {
	t.Parallel()
	for _, size := range []int{10, 500, cloudtest.Draws(1_500)} {
		b := newTestService(t)
		b.putManyRoles(size)
		var log bytes.Buffer
		b.host.Log = cloud.NewLog(&log, "roles")
		for name, request := range map[string]struct{ who, path string }{
			"list": {olga, "/recruiter/roles"}, "of one's own": {olga, "/recruiter/roles?primaryOnly=true&matchMyPreferences=true"},
			"active": {olga, "/recruiter/active-roles?limit=20"}, "detail": {olga, "/recruiter/roles/role_00000"}, "of a match": {olga, "/recruiter/roles/closed"},
			"agency": {agencyID, "/agency/roles?limit=20"}, "of a member": {agencyID, "/agency/roles?limit=20&" + onOlga}, "recommended": {olga, "/recruiter/candidates/ada/recommended-roles"},
			"of a status": {agencyID, "/agency/roles?limit=20&status=ACTIVE"},
		} {
			var err error
			b.Handler, err = service.New(t.Context(), b.host)
			b.must(err)
			var costs [2]unitLine
			for i := range 3 { // the first request loads the catalogue and the guesses that later ones use
				log.Reset()
				if a := b.get(request.who, request.path); a.Status != 200 {
					t.Fatal(name, a.Body)
				}
				var lines = bytes.Split(bytes.TrimSpace(log.Bytes()), []byte("\n"))
				b.must(json.Unmarshal(lines[len(lines)-1], &costs[min(i, 1)]))
			}
			t.Logf("%d roles: %s: first %+v, then %+v", size, name, costs[0], costs[1])
			if most := mostUnits[name]; costs[1] == (unitLine{}) || costs[1].Calls > most.Calls || costs[1].Read > most.Read {
				t.Errorf("%d roles: %s cost %+v; want at most %+v", size, name, costs[1], most)
			}
		}
	}
}

// mostUnits holds the maximum cost of each request, whatever the number of roles. The requests are
// a minute apart, so each list also reads the change log, in six calls, two of them writes, and two and a
// half units, as one list a second of all instances does. 1,500 matches
// take 7 units of an agency's list of a status.
var mostUnits = map[string]unitLine{
	"list": {10, 18}, "of one's own": {10, 18}, "active": {10, 18}, "detail": {6, 9}, "of a match": {7, 10},
	"agency": {10, 16}, "of a member": {10, 16}, "of a status": {11, 24}, "recommended": {12, 11},
}
