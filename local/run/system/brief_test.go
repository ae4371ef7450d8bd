package system_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// getBrief returns the role as the agency reads it on behalf of a member.
func (s *roleSystem) getBrief(email string, transcripts bool) contract.RoleBrief {
	s.t.Helper()
	out, err := client.New(s.BaseURL, s.key).AgencyRole(s.t.Context(), contract.AgencyRoleRequest{
		RoleID: "r1", RecruiterEmail: email, IncludeIntakeTranscripts: transcripts,
	})
	must(s.t, err)
	return out
}

// Announcements and transcripts reach only those they are for, and links are removed
// from prose but not from link fields.
func TestBrief(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	s.applyEvent("company.upserted", "co1", 1, object{
		"name": "Example Works", "updatedAt": "2026-02-01T00:00:00Z", "description": "Read [more](https://works.example.com/about).",
		"pressUrls": []string{"https://press.example.com/1"}, "teamImageUrls": []string{"https://works.example.com/team.jpg"}, "productImageUrls": []string{"https://works.example.com/it.jpg"},
	})
	s.applyEvent("role.upserted", "r1", 1, newRoleData("Carpenter", object{
		"description": "Watch https://video.example.com/rec/1 first.", "requirements": []object{{"description": "Wood", "type": "OPTIONAL"}, {"description": "Glue", "type": "DEALBREAKER"}},
	}))
	for who, readers := range map[string]object{
		"all": {"all": true}, "owner": {"recruiterIds": []string{demo.OwnerID}}, "agency": {"agencyIds": []string{demo.AgencyID}}, "nobody": {"recruiterIds": []string{"rec_nobody"}},
	} {
		s.applyEvent("announcement.upserted", "a-"+who, 1, object{"roleId": "r1", "message": "For " + who + ": see https://x.example.com/1", "createdAt": "2026-02-03T00:00:00Z", "recipients": readers})
		s.applyEvent("intakeTranscript.upserted", "t-"+who, 1, object{"roleId": "r1", "text": "Text for " + who, "summary": "Short", "updatedAt": "2026-02-02T00:00:00Z", "readers": readers})
	}
	for email, want := range map[string][]string{demo.OwnerEmail: {"agency", "all", "owner"}, demo.MemberEmail: {"agency", "all"}} {
		got := s.getBrief(email, true)
		var announced, read []string
		for _, a := range got.AdditionalContext.Announcements {
			announced = append(announced, strings.TrimSuffix(strings.TrimPrefix(a.Message, "For "), ": see"))
		}
		for _, i := range *got.IntakeTranscripts {
			read = append(read, strings.TrimPrefix(i.Text, "Text for "))
		}
		slices.Sort(announced)
		slices.Sort(read)
		if diff := cmp.Diff([][]string{want, want}, [][]string{announced, read}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", email, diff)
		}
		if got.UpdatedAt.String() != "2026-02-03T00:00:00.000Z" {
			t.Errorf("updatedAt %s; want the newest of role, company and announcements", got.UpdatedAt)
		}
	}
	got := s.getBrief(demo.MemberEmail, false)
	if got.IntakeTranscripts != nil || *got.Description != "Watch first." || *got.Company.Description != "Read more." ||
		len(got.Company.PressURLs) != 1 || len(got.Company.TeamImageURLs) != 1 || len(got.Company.ProductImageURLs) != 1 ||
		got.Requirements[0].Required || !got.Requirements[1].Required {
		t.Errorf("got %+v", got)
	}
	for who := range map[string]bool{"all": true, "agency": true, "owner": true} {
		s.applyEvent("intakeTranscript.deleted", "t-"+who, 2, nil)
	}
	r := s.sendRequest("GET", "/agency/roles/r1?includeIntakeTranscripts=true&recruiterEmail="+url.QueryEscape(demo.OwnerEmail), s.key, nil)
	if !strings.Contains(r.body, `"intakeTranscripts":[]`) {
		t.Errorf("got %s; want an empty list where nothing may be read", r.body)
	}
}

// Callers list their own submissions, and owners those of the agency.
func TestMySubmissions(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	s.applyEvent("role.upserted", "r1", 1, newRoleData("Carpenter", nil))
	for i := range 40 {
		who := []string{demo.OwnerID, demo.MemberID}[i%2]
		s.applyEvent("application.upserted", fmt.Sprintf("app%02d", i), 1, object{
			"roleId": "r1", "recruiterId": who, "agencyId": demo.AgencyID, "candidateId": fmt.Sprint("c", i), "candidateName": fmt.Sprintf("Candidate %02d", i),
			"status": "SUBMITTED", "submittedAt": fmt.Sprintf("2026-01-01T00:%02d:00Z", i),
		})
	}
	for id, want := range map[string]struct {
		rows        int
		first, last string
	}{demo.OwnerID: {30, "Candidate 39", "Candidate 10"}, demo.MemberID: {20, "Candidate 39", "Candidate 01"}} {
		got, err := client.New(s.BaseURL, s.newRecruiterKey(id)).Role(t.Context(), "r1")
		must(t, err)
		rows := got.Pipeline.MySubmissions
		if len(rows) != want.rows || rows[0].CandidateName != want.first || rows[len(rows)-1].CandidateName != want.last || got.Summary.MyRole.Submissions.Total != 20 {
			t.Errorf("%s: got %d rows, %+v", id, len(rows), got.Summary.MyRole)
		}
	}
}

// Saved preferences are combined with the request; salaries are compared in thousands.
func TestPreferencesAndSalaries(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works", "industries": []string{"ai"}})
	for i, salary := range []object{{"min": 80000, "max": 99600}, {"min": 100400, "max": 150000}, {"min": 990000, "max": 1500000}, nil} {
		change := object{"locationKeys": []string{[]string{"uk", "europe"}[i%2]}, "workplaceType": "ON_SITE"}
		if salary != nil {
			change["salary"] = salary
		}
		s.applyEvent("role.upserted", fmt.Sprint("r", i), 1, newRoleData("Carpenter", change))
	}
	s.applyEvent("savedPreferences.upserted", demo.OwnerID, 1, object{"locations": []string{"uk"}, "workplaceTypes": []string{"REMOTE"}, "minSalary": 100000})
	for filter, want := range map[string]string{
		"": "r0 r1 r2 r3", "minSalary=100000": "r0 r1 r2", "minSalary=100499": "r0 r1 r2", "minSalary=100500": "r1 r2", "maxSalary=100499": "r0 r1", "maxSalary=99000": "r0",
		"minSalary=5000000": "r2", "maxSalary=5000000": "r0 r1 r2", "minSalary=1600000": "r2",
		"matchMyPreferences=true": "r0 r2", "matchMyPreferences=true&location=europe": "r0 r1 r2", "matchMyPreferences=true&minSalary=120000": "r2",
		"matchMyPreferences=true&maxSalary=90000": "r0 r2", "matchMyPreferences=true&minSalary=": "r0 r2", "industry=ai&location=uk": "r0 r2", "industry=fintech": "",
	} {
		if got := sortedRoleIDs(s.listRoles(filter).Roles); got != want {
			t.Errorf("%q: got %q; want %q", filter, got, want)
		}
	}
}
