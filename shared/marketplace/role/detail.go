package role

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

// maxSubmissions is how many submissions a detail lists (contract, Limits).
const maxSubmissions = 30

// Detail is the role in full. submissions are those that the caller sees, newest first; announcements are all.
func (v View) Detail(submissions []Application, announcements []Announcement, reader Reader) contract.RoleDetail {
	r := v.role
	c := v.company
	mySubmission := func(a Application) contract.MySubmission {
		return contract.MySubmission{
			CandidateName: a.CandidateName, CurrentStatus: a.Status, FurthestStageReached: a.FurthestStage,
			RejectionReason: v.RedactText(a.RejectionReason), StatusUpdateMessage: v.RedactText(a.StatusUpdateMessage),
		}
	}
	return contract.RoleDetail{
		Summary: v.Summary(),
		About: contract.RoleAbout{
			Description: r.Description, Responsibilities: r.Responsibilities, Experience: r.ExperienceText,
			PositionExplanation: r.PositionExplanation, HiringGoals: r.HiringGoals, SalaryDetail: r.SalaryDetail,
		},
		Requirements:    mapSlice(r.Requirements, Requirement.toContract),
		CandidateTraits: r.CandidateTraits, AvoidTraits: r.AvoidTraits,
		HiringManagerQuestions: mapSlice(r.Questions, func(q Question) contract.RoleQuestion {
			return contract.RoleQuestion{
				Question: q.Question, Explanation: q.Explanation, Optional: q.Optional, RecruiterOnly: q.RecruiterOnly,
				Priority: (*contract.Priority)(q.Priority),
			}
		}),
		InterviewProcess: r.InterviewStages,
		Pitch: contract.RolePitch{
			Guidance:        contract.Guidance(r.Guidance),
			TargetCompanies: r.TargetCompanies.goodFits(), AvoidCompanies: r.AvoidCompanies.badFits(),
			CalibrationProfiles: r.CalibrationProfiles,
			FAQs:                r.FAQs,
			Announcements:       v.announcementsFor(announcements, reader),
		},
		Company: contract.DetailCompany{
			Name: new(c.Name), ConfidentialSearch: r.ConfidentialSearch, AnonymizedName: v.anonymizedName(),
			Description: c.Description, TeamAbout: c.TeamAbout, WebsiteURL: c.WebsiteURL, FoundingYear: optional.Value(c.FoundingYear),
			FundingAmount: c.FundingAmount, TotalFundingAmount: c.TotalFundingAmount, LastFundingRound: c.LastFundingRound,
			Benefits: c.Benefits, CultureValues: c.CultureValues,
		},
		Pipeline: contract.DetailPipeline{
			StageCounts:       mapSlice(v.pipeline.StageCounts, func(c StageCount) contract.StageCount { return contract.StageCount(c) }),
			MySubmissions:     mapSlice(submissions[:min(len(submissions), maxSubmissions)], mySubmission),
			RejectionPatterns: v.pipeline.RejectionPatterns,
		},
	}
}

// Reader is who reads announcements and transcripts.
type Reader struct {
	RecruiterID string
	// AgencyID is empty for a recruiter of no agency.
	AgencyID string
}

// announcementsFor are those that the reader is a recipient of, in their order.
func (v View) announcementsFor(all []Announcement, reader Reader) []contract.RoleAnnouncement {
	mine := []contract.RoleAnnouncement{}
	for _, a := range all {
		if a.Recipients.includeReader(reader) {
			mine = append(mine, contract.RoleAnnouncement{Message: v.text(a.Message), CreatedAt: a.CreatedAt})
		}
	}
	return mine
}

func (r Requirement) toContract() contract.RoleRequirement { return contract.RoleRequirement(r) }

func (t Targets) goodFits() contract.TargetCompanies {
	return contract.TargetCompanies{Description: t.Description, GoodFitCategories: t.Categories}
}

func (t Targets) badFits() contract.AvoidCompanies {
	return contract.AvoidCompanies{BadFitCategories: t.Categories}
}

// Brief is the role as an agency reads it on behalf of a member. announcements are all that there are; transcripts are
// what Transcripts returns, nil where they were not asked for.
func (v View) Brief(announcements []Announcement, reader Reader, transcripts *[]contract.IntakeTranscript) contract.RoleBrief {
	r := v.role
	c := v.company
	shown := v.announcementsFor(announcements, reader)
	return contract.RoleBrief{
		ID: v.id, Title: r.Title, Status: r.Status, Locations: r.Locations,
		Company: contract.BriefCompany{
			ID: optional.NonZero(r.CompanyID), Name: new(c.Name),
			ConfidentialSearch: r.ConfidentialSearch, AnonymizedName: v.anonymizedName(),
			OneLiner: c.OneLiner, Description: c.Description, Industries: c.Industries, Size: c.Size,
			FoundingYear: c.FoundingYear, TeamAbout: c.TeamAbout, Locations: c.Locations, OfficeLocations: c.OfficeLocations,
			WebsiteURL: c.WebsiteURL, LinkedInURL: c.LinkedInURL, FundingAmount: c.FundingAmount,
			TotalFundingAmount: c.TotalFundingAmount, LastFundingRound: c.LastFundingRound, FundingInfoURL: c.FundingInfoURL,
			PressURLs: c.PressURLs, Benefits: c.Benefits, CultureValues: c.CultureValues,
			TeamImageURLs: c.TeamImageURLs, ProductImageURLs: c.ProductImageURLs,
		},
		WorkplaceType: (*contract.WorkplaceType)(r.WorkplaceType), BaseSalary: r.Salary.baseSalary(),
		UpdatedAt:   v.lastUpdate(shown, transcripts),
		Description: r.Description, Responsibilities: r.Responsibilities, TechStack: r.TechStack,
		Experience:      contract.BriefExperience{YearsMin: r.YearsMin, YearsMax: r.YearsMax, Description: r.ExperienceText},
		VisaInformation: r.VisaText, Equity: r.Equity, SalaryDetails: r.SalaryDetail,
		PositionExplanation: r.PositionExplanation, HiringGoals: r.HiringGoals, WorkplaceDetails: r.WorkplaceDetails,
		EmploymentType: r.EmploymentType, PostedAt: r.PostedAt,
		Requirements: mapSlice(r.Requirements, func(q Requirement) contract.BriefRequirement {
			return contract.BriefRequirement{RoleRequirement: q.toContract(), Required: q.Type != contract.RequirementTypeOptional}
		}),
		InterviewStages: r.InterviewStages,
		SubmissionQuestions: mapSlice(r.Questions, func(q Question) contract.BriefQuestion {
			return contract.BriefQuestion{
				ID: q.ID, Question: q.Question, Explanation: q.Explanation, Required: !q.Optional,
				RecruiterOnly: q.RecruiterOnly, Priority: (*contract.Priority)(q.Priority),
			}
		}),
		RecruitingGuidance: contract.Guidance(r.Guidance),
		CandidateTargeting: contract.CandidateTargeting{
			IdealTraits: r.CandidateTraits, AvoidTraits: r.AvoidTraits,
			TargetCompanies: r.TargetCompanies.goodFits(), AvoidCompanies: r.AvoidCompanies.badFits(),
		},
		AdditionalContext: contract.AdditionalContext{
			HighlightTitle: r.HighlightTitle, HighlightDescription: r.HighlightText,
			FAQs: r.FAQs, Announcements: shown,
		},
		IntakeTranscripts: transcripts,
	}
}

func (v View) lastUpdate(shown []contract.RoleAnnouncement, transcripts *[]contract.IntakeTranscript) contract.Time {
	times := []contract.Time{v.role.UpdatedAt, optional.Or(v.company.UpdatedAt, v.role.UpdatedAt)}
	for _, a := range shown {
		times = append(times, a.CreatedAt)
	}
	for _, t := range optional.Value(transcripts) {
		times = append(times, t.UpdatedAt)
	}
	return slices.MaxFunc(times, func(a, b contract.Time) int { return a.Compare(b.Time) })
}

// Transcripts returns intake transcripts as the caller may read them.
func (v View) Transcripts(all []StoredTranscript) []contract.IntakeTranscript {
	return mapSlice(all, func(t StoredTranscript) contract.IntakeTranscript {
		return contract.IntakeTranscript{
			ID: t.ID, Title: v.RedactText(t.Title), RecordedAt: t.RecordedAt, UpdatedAt: t.UpdatedAt,
			Text: v.text(t.Text), Summary: v.RedactText(t.Summary),
		}
	})
}

func (r Readers) includeReader(reader Reader) bool {
	return r.All || slices.Contains(r.RecruiterIDs, reader.RecruiterID) ||
		reader.AgencyID != "" && slices.Contains(r.AgencyIDs, reader.AgencyID)
}
