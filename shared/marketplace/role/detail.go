package role

import (
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

// maxSubmissions is how many submissions a detail lists (contract, Limits).
const maxSubmissions = 30

// Detail is the role in full. submissions are the caller's own, or for an owner the
// agency's, newest first; announcements are all that there are.
func (v View) Detail(submissions []Application, announcements []Announcement, reader Reader) contract.RoleDetail {
	r := v.role
	c := v.company
	return contract.RoleDetail{
		Summary: v.Summary(),
		About: contract.RoleAbout{
			Description: r.Description, Responsibilities: r.Responsibilities, Experience: r.ExperienceText,
			PositionExplanation: r.PositionExplanation, HiringGoals: r.HiringGoals, SalaryDetail: r.SalaryDetail,
		},
		Requirements:    mapSlice(r.Requirements, Requirement.toContract),
		CandidateTraits: r.CandidateTraits, AvoidTraits: r.AvoidTraits,
		HiringManagerQuestions: mapSlice(r.Questions, Question.toContract),
		InterviewProcess:       r.InterviewStages,
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
			StageCounts:       mapSlice(v.pipeline.StageCounts, StageCount.toContract),
			MySubmissions:     mapSlice(submissions[:min(len(submissions), maxSubmissions)], v.mySubmission),
			RejectionPatterns: v.pipeline.RejectionPatterns,
		},
	}
}

func (v View) mySubmission(a Application) contract.MySubmission {
	return contract.MySubmission{
		CandidateName: a.CandidateName, CurrentStatus: a.Status, FurthestStageReached: a.FurthestStage,
		RejectionReason: v.redactOptional(a.RejectionReason), StatusUpdateMessage: v.redactOptional(a.StatusUpdateMessage),
	}
}

func (v View) redactOptional(s *string) *string {
	if s == nil {
		return nil
	}
	return new(v.text(*s))
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

func (q Question) toContract() contract.RoleQuestion {
	return contract.RoleQuestion{
		Question: q.Question, Explanation: q.Explanation, Optional: q.Optional, RecruiterOnly: q.RecruiterOnly,
		Priority: (*contract.Priority)(q.Priority),
	}
}

func (s StageCount) toContract() contract.StageCount { return contract.StageCount(s) }

func (t Targets) goodFits() contract.TargetCompanies {
	return contract.TargetCompanies{Description: t.Description, GoodFitCategories: t.Categories}
}

func (t Targets) badFits() contract.AvoidCompanies {
	return contract.AvoidCompanies{BadFitCategories: t.Categories}
}
