package role

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

var now = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC) // a Monday

func at(days int) contract.Time { return contract.At(now.AddDate(0, 0, days)) }

// secret is a company by everything that tells who it is.
type secret struct{ name, alias, investor, prose, host string }

// company makes the company of the secret.
func (s secret) company() Company {
	url := "https://" + s.host
	return Company{
		CompanyFacts: CompanyFacts{
			Name: s.name, Aliases: []string{s.alias}, WebsiteURL: new("https://" + s.host), OneLiner: &s.prose, Industries: []string{"ai"}, Size: new(float64(len(s.name))),
			Tier: new("A"), FundingRound: new("SEED"), Investors: []string{s.investor},
		},
		CompanyDetails: CompanyDetails{
			UpdatedAt: new(at(len(s.prose))), Description: &s.prose, TeamAbout: &s.prose, FoundingYear: new(2000 + float64(len(s.prose))),
			Locations: []string{s.prose}, OfficeLocations: []string{s.name}, LinkedInURL: &url,
			FundingAmount: &s.prose, TotalFundingAmount: &s.prose, LastFundingRound: &s.prose, FundingInfoURL: &url,
			PressURLs: []string{url}, Benefits: []string{s.prose}, CultureValues: []string{s.prose},
			TeamImageURLs: []string{url}, ProductImageURLs: []string{url},
		},
	}
}

// tell puts the secret into a text: {N} its name, {A} its alias, {L} a link to it.
func (s secret) tell(text string) string {
	return strings.NewReplacer("{N}", s.name, "{n}", strings.ToUpper(s.name), "{A}", s.alias, "{L}", "https://"+s.host+"/jobs").Replace(text)
}

// role makes a role all of whose texts tell the secret.
func (s secret) role(text string) Role {
	r := Role{
		Listing: Listing{
			Title: text, CompanyID: s.host, Status: "ACTIVE", Visibility: contract.RoleVisibilityStealth, UpdatedAt: at(0), PostedAt: new(at(-3)),
			BrowseURL: "https://app.example.com/roles/1", RecruitURL: new("https://app.example.com/desk/1"),
			Locations: []string{text, "London"}, LocationKeys: []string{"uk"}, WorkplaceType: new("REMOTE"), RoleTypes: []string{"ai_engineer"},
			TechStack: []string{text}, VisaText: &text, Salary: Salary{Min: new(int64(100_000)), Max: new(int64(150_000)), Currency: new("EUR")},
			Equity: &text, Fee: Fee{PercentOfSalary: new(20.0), BonusAmount: new(5000.0)}, OpeningsText: text,
		},
		Prose: Prose{
			Description: &text, Responsibilities: []string{text}, ExperienceText: &text, PositionExplanation: &text, HiringGoals: &text,
			SalaryDetail: &text, WorkplaceDetails: &text, EmploymentType: &text,
			Requirements:    []Requirement{{Description: text, Explanation: &text, Type: "OPTIONAL"}, {Description: text, Type: "DEALBREAKER"}},
			CandidateTraits: []string{text}, AvoidTraits: []string{text},
			Questions:       []Question{{ID: "q1", Question: text, Explanation: &text, Optional: true, Priority: new("HIGH")}},
			InterviewStages: []contract.InterviewStage{{Name: text, Description: &text}},
			Guidance: Guidance{
				SellingPoints: []contract.SellingPoint{{Title: text, Description: text}}, RecruitingAdvice: &text, HiringManagerTip: &text,
				OutreachGuidelines: &text, OutreachHighlights: []string{text}, OutreachResponsibilities: &text,
				RecruiterSellingPoints: &text, CandidateSellingPoints: &text, OutreachTemplates: []contract.OutreachTemplate{{Name: &text, Subject: &text, Body: text}},
			},
			TargetCompanies: Targets{Description: &text, Categories: []string{text}}, AvoidCompanies: Targets{Description: &text, Categories: []string{text}},
			CalibrationProfiles: []contract.CalibrationProfile{{Label: text, Note: &text}}, HighlightTitle: &text, HighlightText: &text, FAQs: []contract.QuestionAnswer{{Question: text, Answer: text}},
		},
	}
	return rewriteTexts(r, s.tell)
}

func (s secret) unredacted(text string) Unredacted {
	c := s.company()
	p := Pipeline{StageCounts: []StageCount{{s.tell(text), 3}}, RejectionPatterns: []contract.RejectionPattern{{Category: s.tell(text), Reason: new(s.tell(text))}}}
	return rawRole("role-1", s.role(text), &c, &Metrics{ReviewDays: new(2.0)}, &p)
}

// shown is everything that a caller is ever shown of a role.
func (s secret) shown(text string, c Caller) string {
	v := Redact(s.unredacted(text), c)
	reader := Reader{RecruiterID: "rec1"}
	announcements := []Announcement{{Message: s.tell(text), CreatedAt: at(1), Recipients: Readers{All: true}}}
	transcripts := v.Transcripts([]StoredTranscript{{ID: "t1", Transcript: Transcript{Title: new(s.tell(text)), Text: s.tell(text), Summary: new(s.tell(text))}}})
	out, err := json.MarshalIndent([]any{
		v.Summary(), v.ActiveRow(), v.Brief(announcements, reader, &transcripts),
		v.Detail([]Application{{CandidateName: "Ada Sample", RejectionReason: new(s.tell(text))}}, announcements, reader),
	}, "", " ")
	if err != nil {
		panic(err)
	}
	return string(out)
}

// secrets draws names of one to three words that no other text has.
func secrets(t *rapid.T, label string) secret {
	name := func(part string) string {
		words := rapid.SliceOfN(rapid.StringMatching(`[Zz][qQ][a-zéöß]{2,5}`), 1, 3).Draw(t, label+part)
		return strings.Join(words, rapid.SampledFrom([]string{" ", "-", ", "}).Draw(t, label+part+" gap"))
	}
	return secret{name("name"), name("alias"), name("investor"), name("prose"), fmt.Sprintf("x%s.example.com", label)}
}

// TestStrangersCannotTell compares what a stranger reads of two stealth roles that differ only
// in the company's name, investors, description and links: the same bytes.
func TestStrangersCannotTell(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := secrets(t, "a")
		b := secrets(t, "b")
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"{N}", "{n}", "{A}", "{L}", "We build ", "'s", "; ", "(", ") ", " and ", ". "}), 0, 8).Draw(t, "text")
		text := "Work " + strings.Join(parts, " ")
		for _, c := range []Caller{
			{Now: now}, {Now: now, LinksOmitted: true}, {Now: now, Involvement: Involvement{Assignment: &Assignment{ApprovalStatus: new(contract.ApprovalStatusPending), AccessLevel: new(contract.AccessLevelFull)}}},
		} {
			if diff := cmp.Diff(a.shown(text, c), b.shown(text, c)); diff != "" {
				t.Fatalf("%q of %+v and %+v (-a +b):\n%s", text, a, b, diff)
			}
		}
	})
}

// TestApprovedSeeTheCompany shows the approved caller what strangers are not shown.
func TestApprovedSeeTheCompany(t *testing.T) {
	t.Parallel()
	s := secret{"Zqorn Labs", "Zqorn", "Zqest Capital", "Zqprose", "zqorn.example.com"}
	const text = "Join {N} ({L})"
	approved := Caller{Now: now, Involvement: Involvement{Assignment: &Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelCrossSubmit)}}}
	stranger := s.shown(text, Caller{Now: now})
	if got := s.shown(text, approved); !strings.Contains(got, "Join Zqorn Labs (https://zqorn.example.com/jobs)") || !strings.Contains(got, "Zqprose") {
		t.Errorf("the approved caller is shown %s", got)
	}
	if strings.Contains(strings.ToLower(stranger), "zq") || !strings.Contains(stranger, DefaultAnonymizedName) || !strings.Contains(stranger, "https://app.example.com/roles/1") {
		t.Errorf("a stranger is shown %s", stranger)
	}
	if strings.Contains(stranger, "https://app.example.com/desk/1") {
		t.Error("a stranger is shown the workspace")
	}
	approved.LinksOmitted = true
	if got := s.shown(text, approved); strings.Contains(got, "/jobs") || !strings.Contains(got, `"https://zqorn.example.com"`) {
		t.Errorf("with links omitted: %s", got)
	}
}

// TestUnknownCompanyHidesEverything: a role that arrives before its company is hidden completely,
// because the names to hide are still unknown.
func TestUnknownCompanyHidesEverything(t *testing.T) {
	t.Parallel()
	s := secret{"Zqorn Labs", "Zqorn", "Zqest Capital", "Zqprose", "zqorn.example.com"}
	out, err := json.Marshal(Redact(rawRole("role-1", s.role("Join {N}"), nil, nil, nil), Caller{Now: now}).Summary())
	if err != nil || strings.Contains(string(out), "Zqorn") {
		t.Errorf("%s, %v", out, err)
	}
}

// TestAnonymizedNameIsCleanedToo replaces a name that the anonymized name tells.
func TestAnonymizedNameIsCleanedToo(t *testing.T) {
	t.Parallel()
	s := secret{"Zqorn", "Zqorn AI", "", "", ""}
	r := s.role("Join {N}")
	r.AnonymizedName = new("The rival of Zqorn")
	c := s.company()
	got := Redact(rawRole("role-1", r, &c, nil, nil), Caller{Now: now}).Summary()
	if got.Company.Name != "The rival of "+DefaultAnonymizedName || got.Name != "Join The rival of "+DefaultAnonymizedName {
		t.Errorf("%q, %q", got.Company.Name, got.Name)
	}
}

// TestRolesWithoutAnAnonymizedName have the default in its place: if it is blank, or the company's names are not known yet.
func TestRolesWithoutAnAnonymizedName(t *testing.T) {
	t.Parallel()
	s := secret{"Zqorn", "Zqorn AI", "", "", ""}
	known := s.company()
	for name, tt := range map[string]struct {
		label   string
		company *Company
	}{"blank": {" ", &known}, "empty": {"", &known}, "unknown company": {"The rival of Zqorn", nil}} {
		r := s.role("Join {N}")
		r.AnonymizedName = &tt.label
		got := Redact(rawRole("role-1", r, tt.company, nil, nil), Caller{Now: now}).Summary()
		if got.Company.Name != DefaultAnonymizedName || *got.Company.AnonymizedName != DefaultAnonymizedName {
			t.Errorf("%s: %q, %q", name, got.Company.Name, *got.Company.AnonymizedName)
		}
	}
}

// rawRole puts a role together; what is nil has not come yet.
func rawRole(id string, r Role, c *Company, m *Metrics, p *Pipeline) Unredacted {
	unredacted := Unredacted{content: content{id: id, role: r, metrics: m}}
	if c != nil {
		unredacted.company = *c
	}
	if p != nil {
		unredacted.pipeline = *p
	}
	return unredacted
}
