package role

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Brief is the role as an agency reads it on behalf of a member. announcements are
// all that there are; transcripts add Transcripts' answer, nil where they were not
// asked for.
func (v View) Brief(announcements []Announcement, reader Reader, transcripts *[]contract.IntakeTranscript) contract.RoleBrief {
	r := v.role
	return contract.RoleBrief{
		ID: v.id, Title: r.Title, Company: v.briefCompany(), Status: r.Status, Locations: list(r.Locations),
		WorkplaceType: r.WorkplaceType, BaseSalary: r.Salary.base(), UpdatedAt: v.updatedAt(announcements, reader),
		Description: r.Description, Responsibilities: list(r.Responsibilities), TechStack: list(r.TechStack),
		Experience:      contract.BriefExperience{YearsMin: r.YearsMin, YearsMax: r.YearsMax, Description: r.ExperienceText},
		VisaInformation: r.VisaText, Equity: r.Equity, SalaryDetails: r.SalaryDetail,
		PositionExplanation: r.PositionExplanation, HiringGoals: r.HiringGoals, WorkplaceDetails: r.WorkplaceDetails,
		EmploymentType: r.EmploymentType, PostedAt: r.PostedAt,
		Requirements: each(r.Requirements, func(q Requirement) contract.BriefRequirement {
			return contract.BriefRequirement{RoleRequirement: q.out(), Required: q.Type != "OPTIONAL"}
		}),
		InterviewStages:     each(r.InterviewStages, Stage.out),
		SubmissionQuestions: each(r.Questions, Question.brief),
		RecruitingGuidance:  r.Guidance.out(),
		CandidateTargeting: contract.CandidateTargeting{
			IdealTraits: list(r.CandidateTraits), AvoidTraits: list(r.AvoidTraits),
			TargetCompanies: r.TargetCompanies.good(), AvoidCompanies: r.AvoidCompanies.bad(),
		},
		AdditionalContext: contract.AdditionalContext{
			HighlightTitle: r.HighlightTitle, HighlightDescription: r.HighlightText,
			FAQs: each(r.FAQs, FAQ.out), Announcements: v.announcements(announcements, reader),
		},
		IntakeTranscripts: transcripts,
	}
}

func (v View) briefCompany() contract.BriefCompany {
	c, name := v.company, v.companyName()
	out := contract.BriefCompany{
		Name: &name, ConfidentialSearch: v.role.ConfidentialSearch, AnonymizedName: v.anonymizedName(),
		OneLiner: c.OneLiner, Description: c.Description, Industries: list(c.Industries), Size: c.Size,
		FoundingYear: c.FoundingYear, TeamAbout: c.TeamAbout, Locations: list(c.Locations), OfficeLocations: list(c.OfficeLocations),
		WebsiteURL: c.WebsiteURL, LinkedInURL: c.LinkedInURL, FundingAmount: c.FundingAmount,
		TotalFundingAmount: c.TotalFundingAmount, LastFundingRound: c.LastFundingRound, FundingInfoURL: c.FundingInfoURL,
		PressURLs: list(c.PressURLs), Benefits: list(c.Benefits), CultureValues: list(c.CultureValues),
		TeamImageURLs: list(c.TeamImageURLs), ProductImageURLs: list(c.ProductImageURLs),
	}
	if id := v.role.CompanyID; id != "" {
		out.ID = &id
	}
	return out
}

// updatedAt is the newest change of what the brief shows.
func (v View) updatedAt(announcements []Announcement, reader Reader) contract.Time {
	newest := v.role.UpdatedAt
	if at := v.company.UpdatedAt; at != nil && at.After(newest.Time) {
		newest = *at
	}
	for _, a := range v.announcements(announcements, reader) {
		if a.CreatedAt.After(newest.Time) {
			newest = a.CreatedAt
		}
	}
	return newest
}

func (q Question) brief() contract.BriefQuestion {
	return contract.BriefQuestion{
		ID: q.ID, Question: q.Question, Explanation: q.Explanation, Required: !q.Optional,
		RecruiterOnly: q.RecruiterOnly, Priority: q.Priority,
	}
}

// Transcripts are those of the intake transcripts that the reader may read.
func (v View) Transcripts(all []StoredTranscript, reader Reader) []contract.IntakeTranscript {
	mine := []contract.IntakeTranscript{}
	for _, t := range all {
		if t.Readers.include(reader) {
			mine = append(mine, contract.IntakeTranscript{
				ID: t.ID, Title: v.maybe(t.Title), RecordedAt: t.RecordedAt, UpdatedAt: t.UpdatedAt,
				Text: v.text(t.Text), Summary: v.maybe(t.Summary),
			})
		}
	}
	return mine
}

// StoredTranscript is an intake transcript with its id and text.
type StoredTranscript struct {
	ID string
	Transcript
}

// include tells whether the reader is one of them.
func (r Readers) include(reader Reader) bool {
	return r.All || slices.Contains(r.RecruiterIDs, reader.RecruiterID) ||
		reader.AgencyID != "" && slices.Contains(r.AgencyIDs, reader.AgencyID)
}
