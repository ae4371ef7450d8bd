package roles_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// putApplication stores a recruiter's application to a role.
func (b *testService) putApplication(roleID, recruiterID, status string, autoMatch bool) {
	b.t.Helper()
	b.putApplicationVia(roleID, recruiterID, status, autoMatch, nil)
}

func (b *testService) putApplicationVia(roleID, recruiterID, status string, autoMatch bool, via *contract.ApplicationVia) {
	b.t.Helper()
	nothing := func(context.Context, *role.Application, *role.Application) ([]entity.Action, error) { return nil, nil }
	at := b.nextStamp()
	agency := new(agencyID)
	if recruiterID == zoe {
		agency = nil
	}
	b.must(b.roles.PutApplication(b.t.Context(), fmt.Sprint("app", at.Version), at, &role.Application{
		RoleID: roleID, RecruiterID: recruiterID, AgencyID: agency, CandidateID: "cand1", CandidateName: "Ada Example", Status: status, AutoMatch: autoMatch, Via: via,
		SubmittedAt: contract.At(b.at),
	}, nothing))
}

// putRolesOfEveryKind stores a role for each way in which a recruiter can be involved in
// one; each is updated later than the one before.
func (b *testService) putRolesOfEveryKind() {
	b.t.Helper()
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Example Works"}})
	in := contract.At(b.at.AddDate(0, 0, 7))
	past := contract.At(b.at.AddDate(0, 0, -1))
	trial := func(ends *contract.Time, goal, counted int64, ended bool) func(*role.Assignment) {
		return func(a *role.Assignment) {
			a.Trial = &role.Trial{EndsAt: ends, SubmissionGoal: goal, SubmissionsCounted: counted, Ended: ended}
		}
	}
	for i, id := range strings.Fields("primary trial endless over met ended cross withauto withown auto single mixed rejected withdrawn hired pending paused closed asked nothing promoted demoted") {
		b.putRole(id, func(r *role.Role) {
			r.UpdatedAt = contract.At(b.at.Add(time.Duration(i/2) * time.Hour)) // in pairs, which the id orders
			if id == "paused" || id == "closed" {
				r.Status = contract.RoleStatus(strings.ToUpper(id))
			}
		})
	}
	for _, id := range strings.Fields("primary withauto withown paused closed") {
		b.putAssignment(id, olga, "APPROVED", "FULL", nil)
	}
	b.putAssignment("trial", olga, "APPROVED", "FULL", trial(&in, 3, 2, false))
	b.putAssignment("endless", olga, "APPROVED", "FULL", trial(nil, 1, 0, false))
	b.putAssignment("over", olga, "APPROVED", "FULL", trial(&past, 3, 0, false))
	b.putAssignment("met", olga, "APPROVED", "FULL", trial(&in, 3, 3, false))
	b.putAssignment("ended", olga, "APPROVED", "FULL", trial(&in, 3, 0, true))
	b.putAssignment("cross", olga, "APPROVED", "CROSS_SUBMIT", trial(&in, 3, 0, false)) // no primary slot, so no trial
	b.putAssignment("single", olga, "APPROVED", "CROSS_SUBMIT", nil)
	b.putAssignment("asked", olga, "APPROVED", "SUBMISSION_REQUEST_ONLY", nil)
	b.putAssignment("pending", olga, "PENDING", "FULL", trial(&in, 3, 0, false))
	for id, application := range map[string]struct {
		status string
		auto   bool
	}{
		"withauto": {"INTERVIEWING", true}, "withown": {"SUBMITTED", false}, "auto": {"IN_REVIEW", true}, "single": {"OFFER", false},
		"rejected": {"REJECTED", false}, "withdrawn": {"WITHDRAWN", true}, "hired": {"HIRED", true}, "paused": {"SUBMITTED", true},
	} {
		b.putApplication(id, olga, application.status, application.auto)
	}
	b.putAssignment("promoted", olga, "APPROVED", "CROSS_SUBMIT", nil)
	b.putApplication("promoted", olga, "IN_REVIEW", false)
	b.putAssignment("promoted", olga, "APPROVED", "FULL", nil)
	b.putAssignment("demoted", olga, "APPROVED", "FULL", nil)
	b.putApplication("demoted", olga, "IN_REVIEW", false)
	b.putAssignment("demoted", olga, "APPROVED", "CROSS_SUBMIT", nil)
	b.putApplication("mixed", olga, "SUBMITTED", true)
	b.putApplication("mixed", olga, "REJECTED", false)
	b.putApplicationVia("mixed", olga, "SUBMITTED", false, new(contract.ApplicationViaSingle))
	b.putApplication("nothing", ben, "SUBMITTED", true)
}

// The filters of the active roles: each by itself, and joined. Those of submissions
// match by how each was made, whether or not a primary slot is held.
func TestActiveRoles(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putRolesOfEveryKind()
	slots := "ended endless met over primary promoted trial withauto withown"
	for filter, want := range map[string]string{
		"":                 slots + " auto demoted mixed single",
		"primaryOnly=true": slots, "activeTrialOnly=true": "endless trial", "singleSubmissionsOnly=true": "mixed promoted single", "autoMatchOnly=true": "auto mixed withauto",
		"activeTrialOnly=true&autoMatchOnly=true": "auto endless mixed trial withauto", "singleSubmissionsOnly=true&autoMatchOnly=true": "auto mixed promoted single withauto",
		"primaryOnly=true&activeTrialOnly=true": slots, "primaryOnly=true&autoMatchOnly=true": slots + " auto mixed",
		"primaryOnly=false&activeTrialOnly=false&singleSubmissionsOnly=false&autoMatchOnly=false": slots + " auto demoted mixed single",
	} {
		sorted := strings.Fields(want)
		slices.Sort(sorted)
		for _, limit := range []string{"1", "4", "100"} {
			got, pages := b.collectPages(olga, "/recruiter/active-roles?"+filter+"&limit="+limit)
			if slices.Sort(got); !slices.Equal(got, sorted) {
				t.Errorf("%q by %s: got %q, want %q", filter, limit, got, sorted)
			}
			if limit == "1" && pages < len(sorted) {
				t.Errorf("%q: %d pages of one", filter, pages)
			}
		}
	}
	if got, _ := b.collectPages(ben, "/recruiter/active-roles?limit=100"); !slices.Equal(got, []string{"nothing"}) {
		t.Errorf("another's: got %q", got)
	}
}

// collectPages reads a list to its end by string cursors.
func (b *testService) collectPages(who, path string) (ids []string, pages int) {
	b.t.Helper()
	cursor := ""
	for {
		l := b.listRoles(who, path+cursor)
		pages++
		for _, r := range l.Roles {
			ids = append(ids, r.ID)
		}
		if l.NextCursor == nil {
			return ids, pages
		}
		cursor = "&cursor=" + l.cursorText()
	}
}

// Last update first, then id, for any page length.
func TestActiveOrder(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putRolesOfEveryKind()
	got, _ := b.collectPages(olga, "/recruiter/active-roles?limit=3")
	rows := apitest.DecodeOK[contract.ActiveRolesResponse](t, b.get(olga, "/recruiter/active-roles?limit=100")).Roles
	ordered := slices.IsSortedFunc(rows, func(x, y contract.ActiveRole) int {
		if c := y.UpdatedAt.Compare(x.UpdatedAt.Time); c != 0 {
			return c
		}
		return strings.Compare(x.ID, y.ID)
	})
	var all []string
	for _, r := range rows {
		all = append(all, r.ID)
	}
	if diff := cmp.Diff(all, got); diff != "" || !ordered {
		t.Errorf("ordered %v, pages differ from the whole:\n%s", ordered, diff)
	}
}
