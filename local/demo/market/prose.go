package market

import (
	"fmt"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// proseOf is what the detail and the brief show of a role.
func proseOf(r roles.Role) role.Prose {
	p := role.Prose{
		Description: &r.Description, Responsibilities: r.Responsibilities,
		ExperienceText:      new(experienceText(r.YearsMin)),
		PositionExplanation: new("The team grows, and this position is new."), HiringGoals: new("An offer within six weeks."),
		SalaryDetail: new("The offer depends on experience; equity comes on top."), WorkplaceDetails: new("Days in the office are agreed in the team."),
		EmploymentType: new("Full time"), CandidateTraits: []string{"Writes clearly", "Asks before building"}, AvoidTraits: []string{"Changed jobs every year"},
		Questions: []role.Question{
			{ID: "q-motive", Question: "Why this company?", Explanation: new("Two sentences are enough."), Priority: new("HIGH")},
			{ID: "q-notice", Question: "When could the candidate start?", Optional: true, RecruiterOnly: true, Priority: new("LOW")},
		},
		InterviewStages: []role.InterviewStage{
			{Name: "First call", Description: new("Half an hour with the hiring manager.")}, {Name: "Work sample"}, {Name: "Meeting the team", Description: new("Half a day, remote or on site.")},
		},
		Guidance: role.Guidance{
			SellingPoints:    []role.SellingPoint{{Title: "Ownership", Description: "Small teams that decide for themselves."}},
			RecruitingAdvice: new("Look for people who have carried a product from the first user on. More on [the careers page](" + r.Company.WebsiteURL + "/careers)."),
			HiringManagerTip: new("Mention a project that failed, and why."), OutreachGuidelines: new("No mass mails."),
			OutreachHighlights: []string{r.Company.OneLiner}, CandidateSellingPoints: new(r.Company.TeamAbout),
			OutreachTemplates: []role.OutreachTemplate{{Name: new("First message"), Subject: new(r.Title), Body: "Hello, " + r.Company.Name + " is looking for somebody like you."}},
		},
		TargetCompanies:     role.Targets{Description: new("Companies of a similar size."), Categories: []string{"Start-ups after their first round"}},
		AvoidCompanies:      role.Targets{Categories: []string{"Agencies"}},
		CalibrationProfiles: []role.CalibrationProfile{{Label: "Strong", Note: new("Led a rewrite and kept the users.")}},
		HighlightTitle:      new("Why now"), HighlightText: new("The product found its market this year."),
		FAQs: []role.FAQ{{Question: "Is relocation paid?", Answer: "In part."}, {Question: "Are visas sponsored?", Answer: r.VisaText}},
	}
	for i, asked := range r.Requirements {
		kind := "REQUIRED"
		if i > 1 {
			kind = "OPTIONAL"
		}
		p.Requirements = append(p.Requirements, role.Requirement{Description: strings.TrimSpace(asked), Type: kind})
	}
	return p
}

func experienceText(years int) string {
	switch years {
	case 0:
		return "No experience in a comparable position is asked for."
	case 1:
		return "At least a year in a comparable position."
	}
	return fmt.Sprintf("At least %d years in a comparable position.", years)
}
