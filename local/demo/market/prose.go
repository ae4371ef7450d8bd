package market

import (
	"fmt"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// proseOf returns what the detail and the brief show of a role.
func proseOf(r roles.Role) role.Prose {
	p := commonProse
	p.Description = &r.Description
	p.Responsibilities = r.Responsibilities
	p.ExperienceText = new(experienceText(r.YearsMin))
	p.Guidance.RecruitingAdvice = new("Look for people who have carried a product from the first user on. " +
		"More on [the careers page](" + r.Company.WebsiteURL + "/careers).")
	p.Guidance.OutreachHighlights = []string{r.Company.OneLiner}
	p.Guidance.CandidateSellingPoints = new(r.Company.TeamAbout)
	p.Guidance.OutreachTemplates = []role.OutreachTemplate{
		{Name: new("First message"), Subject: new(r.Title), Body: "Hello, " + r.Company.Name + " is looking for somebody like you."},
	}
	p.FAQs = append(slices.Clone(p.FAQs), role.FAQ{Question: "Are visas sponsored?", Answer: r.VisaText})
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
