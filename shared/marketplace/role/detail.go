package role

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

// maxSubmissions is how many submissions a detail lists (contract, Limits).
const maxSubmissions = 30

// Detail is the role in full. submissions are the caller's own, or for an owner the
// agency's, newest first; announcements are all that there are.
func (v View) Detail(submissions []Application, announcements []Announcement, reader Reader) contract.RoleDetail {
	r, c := v.role, v.company
	name := v.companyName()
	return contract.RoleDetail{
		Summary: v.Summary(),
		About: contract.RoleAbout{
			Description: r.Description, Responsibilities: list(r.Responsibilities), Experience: r.ExperienceText,
			PositionExplanation: r.PositionExplanation, HiringGoals: r.HiringGoals, SalaryDetail: r.SalaryDetail,
		},
		Requirements:    each(r.Requirements, Requirement.out),
		CandidateTraits: list(r.CandidateTraits), AvoidTraits: list(r.AvoidTraits),
		HiringManagerQuestions: each(r.Questions, Question.out),
		InterviewProcess:       each(r.InterviewStages, Stage.out),
		Pitch: contract.RolePitch{
			Guidance:        r.Guidance.out(),
			TargetCompanies: r.TargetCompanies.good(), AvoidCompanies: r.AvoidCompanies.bad(),
			CalibrationProfiles: each(r.CalibrationProfiles, func(p Profile) contract.CalibrationProfile { return contract.CalibrationProfile(p) }),
			FAQs:                each(r.FAQs, FAQ.out),
			Announcements:       v.announcements(announcements, reader),
		},
		Company: contract.DetailCompany{
			Name: &name, ConfidentialSearch: r.ConfidentialSearch, AnonymizedName: v.anonymizedName(),
			Description: c.Description, TeamAbout: c.TeamAbout, WebsiteURL: c.WebsiteURL, FoundingYear: or(c.FoundingYear),
			FundingAmount: c.FundingAmount, TotalFundingAmount: c.TotalFundingAmount, LastFundingRound: c.LastFundingRound,
			Benefits: list(c.Benefits), CultureValues: list(c.CultureValues),
		},
		Pipeline: contract.DetailPipeline{
			StageCounts:       each(v.pipeline.StageCounts, func(s StageCount) contract.StageCount { return contract.StageCount(s) }),
			MySubmissions:     each(submissions[:min(len(submissions), maxSubmissions)], v.submission),
			RejectionPatterns: each(v.pipeline.RejectionPatterns, func(p Rejection) contract.RejectionPattern { return contract.RejectionPattern(p) }),
		},
	}
}

func (v View) submission(a Application) contract.MySubmission {
	return contract.MySubmission{
		CandidateName: a.CandidateName, CurrentStatus: a.Status, FurthestStageReached: a.FurthestStage,
		RejectionReason: v.maybe(a.RejectionReason), StatusUpdateMessage: v.maybe(a.StatusUpdateMessage),
	}
}

// maybe redacts a further text about the role.
func (v View) maybe(s *string) *string {
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

// announcements are those that the reader is a recipient of, in their order.
func (v View) announcements(all []Announcement, reader Reader) []contract.RoleAnnouncement {
	mine := []contract.RoleAnnouncement{}
	for _, a := range all {
		if a.Recipients.include(reader) {
			mine = append(mine, contract.RoleAnnouncement{Message: v.text(a.Message), CreatedAt: a.CreatedAt})
		}
	}
	return mine
}

func (r Requirement) out() contract.RoleRequirement { return contract.RoleRequirement(r) }

func (q Question) out() contract.RoleQuestion {
	return contract.RoleQuestion{
		Question: q.Question, Explanation: q.Explanation, Optional: q.Optional, RecruiterOnly: q.RecruiterOnly, Priority: q.Priority,
	}
}

func (s Stage) out() contract.InterviewStage { return contract.InterviewStage(s) }

func (f FAQ) out() contract.QuestionAnswer { return contract.QuestionAnswer(f) }

func (t Targets) good() contract.TargetCompanies {
	return contract.TargetCompanies{Description: t.Description, GoodFitCategories: list(t.Categories)}
}

func (t Targets) bad() contract.AvoidCompanies {
	return contract.AvoidCompanies{BadFitCategories: list(t.Categories)}
}

func (g Guidance) out() contract.Guidance {
	return contract.Guidance{
		SellingPoints:    each(g.SellingPoints, func(p Point) contract.SellingPoint { return contract.SellingPoint(p) }),
		RecruitingAdvice: g.RecruitingAdvice, HiringManagerTip: g.HiringManagerTip, OutreachGuidelines: g.OutreachGuidelines,
		OutreachHighlights: list(g.OutreachHighlights), OutreachResponsibilities: g.OutreachResponsibilities,
		RecruiterSellingPoints: g.RecruiterSellingPoints, CandidateSellingPoints: g.CandidateSellingPoints,
		OutreachTemplates: each(g.OutreachTemplates, func(t Template) contract.OutreachTemplate { return contract.OutreachTemplate(t) }),
	}
}
