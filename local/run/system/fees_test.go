package system_test

import (
	"fmt"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// If an agency hides payment, its members see no amount and cannot infer one by filters;
// its owners see all.
func TestFeesHidden(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	agency := demo.Agencies()[0].Agency
	agency.HidesPayment = true
	must(t, s.openAccounts().ApplyAgency(t.Context(), agency.ID, 2, &agency))
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	fee := object{"percentOfSalary": 20, "boostPercent": 5, "bonusAmount": 1000, "firstSubmissionReward": 100}
	s.applyEvent("role.upserted", "r1", 1, newRoleData("Carpenter", object{"fee": fee, "salary": object{"min": 100000, "max": 150000}}))
	for _, id := range []string{demo.OwnerID, demo.MemberID} {
		s.applyEvent("roleAssignment.upserted", "r1/"+id, 1, object{
			"roleId": "r1", "recruiterId": id, "approvalStatus": "APPROVED", "accessLevel": "FULL", "fee": object{"percentOfSalary": 25},
		})
	}
	for _, who := range []struct {
		id     string
		hidden bool
	}{{demo.OwnerID, false}, {demo.MemberID, true}} {
		key := s.newRecruiterKey(who.id)
		var list, filtered contract.RoleList
		var detail contract.RoleDetail
		var active contract.ActiveRolesResponse
		s.getJSON("/recruiter/roles", key, &list)
		s.getJSON("/recruiter/roles/r1", key, &detail)
		s.getJSON("/recruiter/active-roles", key, &active)
		if len(list.Roles) != 1 || len(active.Roles) != 1 || active.Roles[0].Fee == nil {
			t.Fatalf("%s: got %+v and %+v", who.id, list, active)
		}
		for where, got := range map[string]contract.Fee{"list": list.Roles[0].Fee, "detail": detail.Summary.Fee, "active roles": *active.Roles[0].Fee} {
			none := got == contract.Fee{}
			if none != who.hidden || !none && (*got.PercentOfSalary != 25 || *got.AmountLowerBound != 25_000) {
				t.Errorf("%s, %s: got %+v", who.id, where, got)
			}
		}
		// 20 is the role's rate, 25 the one that is offered to the caller.
		for least, want := range map[string]int{"0": 1, "20": 1, "25": 1, "25.5": 0} {
			filtered = contract.RoleList{}
			s.getJSON("/recruiter/roles?minFeePercent="+least, key, &filtered)
			if who.hidden {
				want = 0
			}
			if len(filtered.Roles) != want || filtered.NextCursor != nil {
				t.Errorf("%s, minFeePercent=%s: got %d roles; want %d", who.id, least, len(filtered.Roles), want)
			}
		}
	}
}

// A role that is not open is on no list of open roles, for any caller and filter; those
// involved in it can still read it.
func TestClosedRolesAreNotListed(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	s.applyEvent("role.upserted", "r1", 1, newRoleData("Carpenter", object{"visibility": "STEALTH"}))
	s.applyEvent("roleAssignment.upserted", "r1/"+demo.OwnerID, 1, object{"roleId": "r1", "recruiterId": demo.OwnerID, "approvalStatus": "APPROVED", "accessLevel": "FULL"})
	for i, status := range []string{"ACTIVE", "PAUSED", "ACTIVE", "CLOSED"} {
		s.applyEvent("role.upserted", "r1", 10+i, newRoleData("Carpenter", object{"visibility": "STEALTH", "status": status}))
		want := 0
		if status == "ACTIVE" {
			want = 1
		}
		for _, filter := range []string{"", "query=carpenter", "query=example", "primaryOnly=true", "approvedOnly=true", "matchMyPreferences=true"} {
			if got := s.listRoles(filter).Roles; len(got) != want {
				t.Errorf("%s, %q: got %d roles; want %d", status, filter, len(got), want)
			}
		}
		for _, filter := range []string{"", "primaryOnly=true"} {
			var active contract.ActiveRolesResponse
			if s.getJSON("/recruiter/active-roles?"+filter, s.personal, &active); len(active.Roles) != want {
				t.Errorf("%s, active roles, %q: got %d; want %d", status, filter, len(active.Roles), want)
			}
		}
		var agency contract.AgencyRolesResponse
		if s.getJSON("/agency/roles", s.key, &agency); len(agency.Roles) != want {
			t.Errorf("%s, the agency's: got %d; want %d", status, len(agency.Roles), want)
		}
		if s.getJSON("/agency/roles?status="+status, s.key, &agency); len(agency.Roles) != 1 {
			t.Errorf("%s, the agency's of that status: got %d; want 1", status, len(agency.Roles))
		}
		var detail contract.RoleDetail
		s.getJSON("/recruiter/roles/r1", s.personal, &detail)
		stranger := s.sendRequest("GET", "/recruiter/roles/r1", s.newRecruiterKey(demo.MemberID), nil)
		if reached := stranger.status == 200; reached != (want == 1) {
			t.Errorf("%s: a stranger's detail is %d", status, stranger.status)
		}
	}
}

// A role that accepts no recruiters is only listed for those who are on it.
func TestSelfServeClosed(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	for i := range 3 {
		s.applyEvent("role.upserted", fmt.Sprint("r", i), 1, newRoleData("Carpenter", object{"notAcceptingRecruiters": i > 0}))
	}
	s.applyEvent("roleAssignment.upserted", "r1/"+demo.OwnerID, 1, object{"roleId": "r1", "recruiterId": demo.OwnerID, "approvalStatus": "APPROVED", "accessLevel": "CROSS_SUBMIT"})
	for filter, want := range map[string]string{
		"": "r0 r1", "recruiterAvailability=available": "r0 r1", "recruiterAvailability=not_available": "r1", "approvedOnly=true": "r1", "primaryOnly=true": "",
	} {
		if got := sortedRoleIDs(s.listRoles(filter).Roles); got != want {
			t.Errorf("%q: got %q; want %q", filter, got, want)
		}
	}
}
