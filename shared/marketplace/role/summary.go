package role

import (
	"math"

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

// Status returns the role's status.
func (v View) Status() contract.RoleStatus { return v.role.Status }

// AgencyRow is the row of the agency's lists.
func (v View) AgencyRow() contract.AgencyRole {
	r := v.role
	return contract.AgencyRole{
		ID: v.id, Title: r.Title, Status: r.Status, Locations: r.Locations,
		WorkplaceType: (*contract.WorkplaceType)(r.WorkplaceType), BaseSalary: r.Salary.baseSalary(), RoleTypes: r.RoleTypes, PostedAt: r.PostedAt, UpdatedAt: r.UpdatedAt,
		Company: contract.AgencyRoleCompany{
			ID: optional.NonZero(r.CompanyID), Name: v.company.Name,
			ConfidentialSearch: r.ConfidentialSearch, AnonymizedName: v.anonymizedName(),
		},
	}
}
