package role

import (
	"math"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

// Summary is the row of lists and of the detail. Company needs its facts only.
func (v View) Summary() contract.RoleSummary {
	r := v.role
	n := v.caller.Counts
	out := contract.RoleSummary{
		ID: v.id, Name: r.Title, PostedAt: r.PostedAt, URLs: contract.Links{Browse: r.BrowseURL, Recruit: r.RecruitURL},
		Company: contract.SummaryCompany{
			Name: v.company.Name, ConfidentialSearch: r.ConfidentialSearch, AnonymizedName: v.anonymizedName(),
			OneLiner: v.company.OneLiner, Industries: v.company.Industries, Size: v.company.Size,
		},
		Locations: r.Locations, RoleTypes: r.RoleTypes, TechStack: r.TechStack,
		WorkplaceType: (*contract.WorkplaceType)(r.WorkplaceType), VisaText: r.VisaText,
		Compensation: contract.Compensation{
			SalaryLowerBound: float64(optional.Value(r.Salary.Min)), SalaryUpperBound: float64(optional.Value(r.Salary.Max)),
			Currency: r.Salary.Currency, Equity: r.Equity,
		},
		Experience: contract.ExperienceRange{YearsMin: optional.Value(r.YearsMin), YearsMax: r.YearsMax},
		Fee:        v.feeOffered(),
		Pipeline: contract.PipelineTotals{
			TotalApplications: v.pipeline.TotalApplications, TotalInterviewing: v.pipeline.TotalInterviewing,
			TotalHired: v.pipeline.TotalHired, OpeningsText: r.OpeningsText,
		},
		MyRole: contract.MyRole{Submissions: contract.SubmissionCounts{
			Submitted: n.Submitted, Interviewing: n.Interviewing, Hired: n.Hired, Total: n.Total,
		}},
		RecruiterAccess: contract.RecruiterAccess{
			AtMaxCapacity:          r.AtMaxCapacity,
			NotAcceptingRecruiters: v.SelfServeClosed(),
			Density:                (*contract.TalentDensity)(r.Density),
		},
	}
	if a := v.caller.Assignment; a != nil {
		out.MyRole.IsApproved = a.Approved()
		out.MyRole.IsPrimary = a.Primary()
		out.MyRole.AccessLevel = a.AccessLevel
		out.MyRole.ApprovalStatus = a.ApprovalStatus
		out.MyRole.Trial = a.trialStatus(v.caller.Now)
	}
	if m := v.metrics; m != nil {
		out.HiringManager = contract.HiringManager{
			LastActiveAt: m.LastActiveAt, ResponsivenessDays: m.Responsiveness(),
			Engagement: &contract.Engagement{FinalRating: m.FinalRating, PercentileRank: m.PercentileRank},
		}
	}
	return out
}

// feeOffered adds to the rate offered what it comes to at the bottom of the salary band, to the cent.
func (v View) feeOffered() contract.Fee {
	f := v.role.Fee
	out := contract.Fee{
		PercentOfSalary: f.PercentOfSalary, BoostPercent: f.BoostPercent,
		BonusAmount: f.BonusAmount, FirstSubmissionReward: f.FirstSubmissionReward,
	}
	if low := v.role.Salary.Min; low != nil && f.PercentOfSalary != nil {
		out.AmountLowerBound = new(math.Round(float64(*low)**f.PercentOfSalary) / 100)
	}
	return out
}

// The weights of the response times: a review that does not come stops everything after it, a reply can wait.
const (
	reviewWeight   = 0.5
	feedbackWeight = 0.3
	replyWeight    = 0.2
)

// Responsiveness is the weighted average of the response times in days, to two decimals; one without data counts as 0.
func (m Metrics) Responsiveness() float64 {
	mean := reviewWeight*optional.Value(m.ReviewDays) + feedbackWeight*optional.Value(m.FeedbackDays) + replyWeight*optional.Value(m.ReplyDays)
	return math.Round(mean*100) / 100
}

// ActiveRow is the row of the active roles. Its fee is null for a caller who is not on the role.
func (v View) ActiveRow() contract.ActiveRole {
	r := v.role
	row := contract.ActiveRole{
		ID: v.id, Title: r.Title, Status: r.Status, Locations: r.Locations,
		WorkplaceType: (*contract.WorkplaceType)(r.WorkplaceType), BaseSalary: r.Salary.baseSalary(), UpdatedAt: r.UpdatedAt,
	}
	row.Company.Name = v.company.Name
	if v.caller.Assignment.Approved() {
		row.Fee = new(v.feeOffered())
	}
	return row
}

// baseSalary is null when no part of the salary is known.
func (s Salary) baseSalary() *contract.BaseSalary {
	if s.Min == nil && s.Max == nil {
		return nil
	}
	return &contract.BaseSalary{Currency: s.Currency, Min: s.Min, Max: s.Max}
}

// mapSlice returns the results of f for the elements, never null.
func mapSlice[A, B any](from []A, f func(A) B) []B {
	to := make([]B, len(from))
	for i, a := range from {
		to[i] = f(a)
	}
	return to
}

// ID returns the role's id.
func (v View) ID() string { return v.id }

// Listing returns what lists show of the role. It names no withheld company; the fee is the one offered to the caller.
func (v View) Listing() Listing { return v.role.Listing }

// Company returns the company's facts: of one that is withheld, the placeholder for its name and its industries.
func (v View) Company() CompanyFacts { return v.company.CompanyFacts }

// Description returns the role's description, "" if it has none or was read without it.
func (v View) Description() string { return optional.Value(v.role.Description) }

// SelfServeClosed reports whether the role keeps the caller from joining without an invitation.
func (v View) SelfServeClosed() bool {
	return v.role.NotAcceptingRecruiters && !v.caller.Assignment.Approved()
}

// StoppedReviewing reports whether the hiring manager no longer reviews submissions.
func (v View) StoppedReviewing() bool { return v.metrics != nil && v.metrics.StoppedReviewing }

// Browsable reports whether the list of roles shows the role to its caller.
func (v View) Browsable() bool {
	isClosed := v.SelfServeClosed() || v.StoppedReviewing()
	return v.role.Status == contract.RoleStatusActive && !isClosed
}

// AgencyRow is the row of the agency's lists.
func (v View) AgencyRow() contract.AgencyRole {
	r := v.role
	return contract.AgencyRole{
		ID: v.id, Title: r.Title, Status: r.Status, Locations: r.Locations,
		WorkplaceType: (*contract.WorkplaceType)(r.WorkplaceType), BaseSalary: r.Salary.baseSalary(),
		RoleTypes: r.RoleTypes, PostedAt: r.PostedAt, UpdatedAt: r.UpdatedAt,
		Company: contract.AgencyRoleCompany{
			ID: optional.NonZero(r.CompanyID), Name: v.company.Name,
			ConfidentialSearch: r.ConfidentialSearch, AnonymizedName: v.anonymizedName(),
		},
	}
}

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
		Requirements:    mapSlice(r.Requirements, func(q Requirement) contract.RoleRequirement { return contract.RoleRequirement(q) }),
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
			return contract.BriefRequirement{RoleRequirement: contract.RoleRequirement(q), Required: q.Type != contract.RequirementTypeOptional}
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
