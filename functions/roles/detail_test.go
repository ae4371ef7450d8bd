package roles_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

var update = flag.Bool("update", false, "write the golden answers anew")

// putWholeRole stores a role and its company with a value in every field.
func (b *testService) putWholeRole() {
	b.t.Helper()
	day := func(d int) contract.Time { return contract.At(time.Date(2026, 2, d, 0, 0, 0, 0, time.UTC)) }
	updated := day(2)
	b.putCompany("co", role.Company{
		CompanyFacts: role.CompanyFacts{
			Name: "Example Works", Aliases: []string{"ExWorks"}, WebsiteURL: new("https://works.example.com"), OneLiner: new("Furniture for offices"), Industries: []string{"ai"}, Size: new(50.0), Tier: new("S"),
			FundingRound: new("SERIES_A"), Investors: []string{"Northgate Ventures"},
		},
		CompanyDetails: role.CompanyDetails{
			UpdatedAt: &updated, Description: new("We make [desks](https://works.example.com)."), TeamAbout: new("Twelve joiners"), FoundingYear: new(1999.0),
			Locations: []string{"Leeds"}, OfficeLocations: []string{"Mill Street"}, LinkedInURL: new("https://www.linkedin.com/company/works"),
			FundingAmount: new("2M"), TotalFundingAmount: new("3M"), LastFundingRound: new("Series A"), FundingInfoURL: new("https://funding.example.com/works"),
			PressURLs: []string{"https://press.example.com/1"}, Benefits: []string{"Lunch"}, CultureValues: []string{"Care"},
			TeamImageURLs: []string{"https://works.example.com/team.jpg"}, ProductImageURLs: []string{"https://works.example.com/desk.jpg"},
		},
	})
	posted := day(1)
	b.putRole("r1", func(r *role.Role) {
		r.Listing = role.Listing{
			Title: "Joiner", CompanyID: "co", Status: "ACTIVE", Visibility: "PUBLIC", ConfidentialSearch: true, AnonymizedName: new("A workshop"), PostedAt: &posted, UpdatedAt: posted,
			BrowseURL: "https://app.example.com/browse/r1", RecruitURL: new("https://app.example.com/recruit/r1"), Locations: []string{"Leeds"}, LocationKeys: []string{"uk"},
			WorkplaceType: new("ON_SITE"), RoleTypes: []string{"backend_engineer"}, TechStack: []string{"Chisel"}, VisaText: new("None"), VisaSponsorship: new(false),
			Salary: role.Salary{Min: new(int64(90_000)), Max: new(int64(120_000)), Currency: new("GBP")}, Equity: new("0.1 %"), YearsMin: new(2.0), YearsMax: new(5.0),
			Fee:          role.Fee{PercentOfSalary: new(20.0), BoostPercent: new(5.0), BonusAmount: new(1000.0), FirstSubmissionReward: new(100.0)},
			OpeningsText: "2", AtMaxCapacity: true, NotAcceptingRecruiters: true, Density: new("low"), BrowseRank: 7,
		}
		r.Prose = role.Prose{
			Description: new("Make desks."), Responsibilities: []string{"Saw"}, ExperienceText: new("Some"), PositionExplanation: new("Growth"), HiringGoals: new("Two"),
			SalaryDetail: new("Fair"), WorkplaceDetails: new("In the mill"), EmploymentType: new("Full time"),
			Requirements:    []role.Requirement{{Description: "Saws", Explanation: new("Straight"), Type: "REQUIRED"}, {Description: "Sings", Type: "OPTIONAL"}},
			CandidateTraits: []string{"Calm"}, AvoidTraits: []string{"Hasty"},
			Questions:       []role.Question{{ID: "q1", Question: "Why?", Explanation: new("Motive"), Optional: true, RecruiterOnly: true, Priority: new("HIGH")}},
			InterviewStages: []contract.InterviewStage{{Name: "Trial day", Description: new("Bring gloves")}},
			Guidance: role.Guidance{
				SellingPoints: []contract.SellingPoint{{Title: "Wood", Description: "Oak"}}, RecruitingAdvice: new("Be brief"), HiringManagerTip: new("Likes oak"), OutreachGuidelines: new("Polite"),
				OutreachHighlights: []string{"Oak"}, OutreachResponsibilities: new("Saw"), RecruiterSellingPoints: new("Pays well"), CandidateSellingPoints: new("Light"),
				OutreachTemplates: []contract.OutreachTemplate{{Name: new("First"), Subject: new("Desks"), Body: "Hello"}},
			},
			TargetCompanies: role.Targets{Description: new("Mills"), Categories: []string{"Sawmills"}}, AvoidCompanies: role.Targets{Description: new("Not shown"), Categories: []string{"Plastics"}},
			CalibrationProfiles: []contract.CalibrationProfile{{Label: "Ideal", Note: new("Invented")}}, HighlightTitle: new("Awards"), HighlightText: new("Two"),
			FAQs: []contract.QuestionAnswer{{Question: "Gloves?", Answer: "Yes"}},
		}
	})
	active := day(3)
	b.must(b.roles.PutMetrics(b.t.Context(), "r1", b.nextStamp(), &role.Metrics{
		LastActiveAt: &active, ReviewDays: new(2.0), FeedbackDays: new(1.0), FinalRating: new(4.5), PercentileRank: new(80.0),
	}))
	b.must(b.roles.PutPipeline(b.t.Context(), "r1", b.nextStamp(), &role.Pipeline{
		TotalApplications: new(int64(9)), TotalInterviewing: 2, TotalHired: 1, StageCounts: []role.StageCount{{Stage: "Submitted", Count: 6}},
		RejectionPatterns: []contract.RejectionPattern{{Category: "Skills", FurthestStage: new("First round"), Reason: new("No saw")}},
	}))
	b.must(b.roles.PutAnnouncement(b.t.Context(), "n1", b.nextStamp(), &role.Announcement{RoleID: "r1", Message: "More oak", CreatedAt: day(4), Recipients: role.Readers{AgencyIDs: []string{agencyID}}}))
	b.must(b.roles.PutAnnouncement(b.t.Context(), "n2", b.nextStamp(), &role.Announcement{RoleID: "r1", Message: "Not for Olga", CreatedAt: day(5), Recipients: role.Readers{RecruiterIDs: []string{zoe}}}))
	recorded := day(1)
	b.must(b.roles.PutTranscript(b.t.Context(), "t1", b.nextStamp(), &role.Transcript{
		RoleID: "r1", Title: new("Intake"), RecordedAt: &recorded, UpdatedAt: day(6), Text: "Oak, see https://video.example.com/1", Summary: new("Oak"), Readers: role.Readers{RecruiterIDs: []string{olga}},
	}))
	b.putAssignment("r1", olga, "APPROVED", "FULL", func(a *role.Assignment) {
		ends := contract.At(b.at.Add(48 * time.Hour))
		a.Trial = &role.Trial{EndsAt: &ends, SubmissionGoal: 3, SubmissionsCounted: 1}
	})
	b.putApplication("r1", olga, "IN_REVIEW", false)
}

// The fields of the detail, of the rows of lists and of the brief, with every value
// there is and with none.
func TestFields(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putWholeRole()
	b.putRole("bare", func(r *role.Role) { r.CompanyID = "unknown" })
	for name, ask := range map[string][2]string{
		"detail": {olga, "/recruiter/roles/r1"}, "detail.bare": {zoe, "/recruiter/roles/bare"}, "active": {olga, "/recruiter/active-roles"},
		"row": {olga, "/recruiter/roles?primaryOnly=true"}, "brief": {agencyID, "/agency/roles/r1?" + onOlga + "&includeIntakeTranscripts=true"},
		"brief.bare": {agencyID, "/agency/roles/bare?" + onBen},
	} {
		var tree any
		got := b.get(ask[0], ask[1])
		b.must(json.Unmarshal([]byte(got.Body), &tree))
		text, err := json.MarshalIndent(tree, "", "  ")
		b.must(err)
		file := "testdata/" + name + ".json"
		if *update {
			b.must(os.WriteFile(file, append(text, '\n'), 0o600))
		}
		want, err := os.ReadFile(file)
		if diff := cmp.Diff(string(want), string(text)+"\n"); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// The brief was updated with the newest of what it returns: a transcript counts for those who read
// it, and where it is returned.
func TestBriefUpdatedAt(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putWholeRole()
	b.putAssignment("r1", ben, "APPROVED", "CROSS_SUBMIT", nil)
	announced := "2026-02-04T00:00:00.000Z"
	transcribed := "2026-02-06T00:00:00.000Z"
	check := func(query, want string) {
		t.Helper()
		if got := apitest.DecodeOK[contract.RoleBrief](t, b.get(agencyID, "/agency/roles/r1?"+query)).UpdatedAt.Format("2006-01-02T15:04:05.000Z"); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
	check(onOlga, announced)
	check(onOlga+"&includeIntakeTranscripts=true", transcribed)
	check(onBen+"&includeIntakeTranscripts=true", announced)
	changed := contract.At(time.Date(2026, 2, 8, 0, 0, 0, 0, time.UTC))
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Example Works"}, CompanyDetails: role.CompanyDetails{UpdatedAt: &changed}})
	check(onOlga+"&includeIntakeTranscripts=true", "2026-02-08T00:00:00.000Z")
}

// What is copied for candidates names no confidential employer, for approved callers too, whether or not the role is in stealth.
func TestCopyForCandidatesNamesNoConfidentialEmployer(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Zqorn Labs"}})
	for _, visibility := range []contract.RoleVisibility{contract.RoleVisibilityPublic, contract.RoleVisibilityStealth} {
		id := string(visibility)
		b.putRole(id, func(r *role.Role) {
			r.Visibility = visibility
			r.ConfidentialSearch = true
			r.AnonymizedName = new("A workshop")
			r.Guidance = role.Guidance{
				RecruitingAdvice: new("Zqorn Labs grows"), OutreachHighlights: []string{"Join Zqorn Labs"}, CandidateSellingPoints: new("Join Zqorn"),
				SellingPoints:     []contract.SellingPoint{{Title: "Zqorn", Description: "Join Zqorn Labs"}},
				OutreachTemplates: []contract.OutreachTemplate{{Subject: new("Zqorn Labs"), Body: "Join Zqorn Labs"}},
			}
		})
		b.putAssignment(id, ben, "APPROVED", "FULL", nil)
		detail := apitest.DecodeOK[contract.RoleDetail](t, b.get(ben, "/recruiter/roles/"+id)).Pitch.Guidance
		brief := apitest.DecodeOK[contract.RoleBrief](t, b.get(agencyID, "/agency/roles/"+id+"?"+onBen)).RecruitingGuidance
		for _, g := range []contract.Guidance{detail, brief} {
			if *g.RecruitingAdvice != "Zqorn Labs grows" {
				t.Errorf("%s: what is for the recruiter alone says %q", id, *g.RecruitingAdvice)
			}
			shown := []string{
				g.OutreachHighlights[0], *g.CandidateSellingPoints, g.SellingPoints[0].Description, g.OutreachTemplates[0].Body,
			}
			for _, text := range shown {
				if text != "Join A workshop" {
					t.Errorf("%s: a candidate reads %q", id, text)
				}
			}
			if g.SellingPoints[0].Title != "A workshop" || *g.OutreachTemplates[0].Subject != "A workshop" {
				t.Errorf("%s: a candidate reads %q and %q", id, g.SellingPoints[0].Title, *g.OutreachTemplates[0].Subject)
			}
		}
	}
}

// Only callers who can work on a role get its detail and its brief; for others the
// response is that for a role that does not exist.
func TestWhoMayRead(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putFilteredRoles()
	b.putRole("open", nil)
	for id, status := range map[string]contract.RoleStatus{"paused": "PAUSED", "closed": "CLOSED"} {
		b.putRole(id, func(r *role.Role) { r.Status = status })
	}
	b.putRole("idle", nil)
	b.must(b.roles.PutMetrics(t.Context(), "idle", b.nextStamp(), &role.Metrics{StoppedReviewing: true}))
	b.putAssignment("d", ben, "PENDING", "FULL", nil)
	b.putRole("rejected", func(r *role.Role) { r.Status = "CLOSED" })
	b.putAssignment("rejected", ben, "REJECTED", "FULL", nil)
	b.putRole("kept", func(r *role.Role) { r.Status = "CLOSED" })
	b.putAssignment("kept", ben, "APPROVED", "CROSS_SUBMIT", nil)
	b.putApplication("paused", ben, "REJECTED", false)
	b.putMatch("closed", ben, contract.MatchStatusPending)
	b.putMatch("idle", ben, contract.MatchStatusDismissed)
	b.putRole("gone", nil)
	b.putAssignment("gone", ben, "APPROVED", "FULL", nil)
	b.must(b.roles.Delete(t.Context(), "gone", b.nextStamp()))
	missing := ""
	for id, reads := range map[string][3]bool{ // by ben, by olga, by zoe
		"open": {true, true, true}, "d": {false, false, false}, "rejected": {false, false, false}, "kept": {true, false, false}, "paused": {true, false, false}, "closed": {true, false, false}, "idle": {true, false, false},
		"gone": {false, false, false}, "never": {false, false, false},
	} {
		for i, who := range []string{ben, olga, zoe} {
			answers := []apitest.Response{b.get(who, "/recruiter/roles/"+id)}
			if who != zoe {
				answers = append(answers, b.get(agencyID, "/agency/roles/"+id+"?"+map[string]string{ben: onBen, olga: onOlga}[who]))
			}
			for _, a := range answers {
				if reads[i] != (a.Status == 200) {
					t.Errorf("%s, %s: got %d, want it read: %v", id, who, a.Status, reads[i])
				}
				var e contract.ErrorEnvelope
				if a.Status == 200 || json.Unmarshal([]byte(a.Body), &e) != nil {
					continue
				}
				e.Error.RequestID = ""
				text, _ := json.Marshal(e)
				if missing == "" {
					missing = string(text)
				}
				if string(text) != missing || a.Status != 404 {
					t.Errorf("%s, %s: got %d %s, want %s", id, who, a.Status, text, missing)
				}
			}
		}
	}
}
