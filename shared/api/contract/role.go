package contract

// Links are the addresses of a role in the app.
type Links struct {
	Browse  string  `json:"browse" doc:"The public role page."`
	Recruit *string `json:"recruit" doc:"The role workspace; null until the caller is approved on the role."`
}

// RoleSummary is a row of the role list, the summary of the detail and, with a
// recommendation, a recommended role.
type RoleSummary struct {
	ID              string          `json:"id"`
	Name            string          `json:"name"`
	PostedAt        *Time           `json:"postedAt" doc:"When the role was posted."`
	URLs            Links           `json:"urls"`
	Company         SummaryCompany  `json:"company"`
	Locations       []string        `json:"locations" doc:"Display names of locations."`
	RoleTypes       []string        `json:"roleTypes" doc:"Role type keys."`
	TechStack       []string        `json:"techStack"`
	WorkplaceType   *WorkplaceType  `json:"workplaceType" check:"enum=workplaceType" doc:"Where the work is done."`
	VisaText        *string         `json:"visaText"`
	Compensation    Compensation    `json:"compensation"`
	Experience      ExperienceRange `json:"experience"`
	Fee             Fee             `json:"fee"`
	Pipeline        PipelineTotals  `json:"pipeline"`
	MyRole          MyRole          `json:"myRole"`
	RecruiterAccess RecruiterAccess `json:"recruiterAccess"`
	HiringManager   HiringManager   `json:"hiringManager"`
}

// SummaryCompany is the company as a summary row shows it.
type SummaryCompany struct {
	Name               string   `json:"name"`
	ConfidentialSearch bool     `json:"confidentialSearch" doc:"True: candidate-facing copy must use anonymizedName instead of the company's name."`
	AnonymizedName     *string  `json:"anonymizedName"`
	OneLiner           *string  `json:"oneLiner"`
	Industries         []string `json:"industries"`
	Size               *float64 `json:"size" doc:"Number of employees."`
}

// Compensation is annual, in whole units of the currency; bounds are 0 when unknown.
type Compensation struct {
	SalaryLowerBound float64 `json:"salaryLowerBound" doc:"Annual, in whole units; 0 when unknown."`
	SalaryUpperBound float64 `json:"salaryUpperBound" doc:"Annual, in whole units; 0 when unknown."`
	Currency         *string `json:"currency" doc:"Currency of salary and fees; null when not recorded."`
	Equity           *string `json:"equity"`
}

// ExperienceRange is in years.
type ExperienceRange struct {
	YearsMin float64  `json:"yearsMin"`
	YearsMax *float64 `json:"yearsMax"`
}

// Fee is what is offered to the caller; all null if the agency hides payment.
type Fee struct {
	AmountLowerBound      *float64 `json:"amountLowerBound" doc:"What the rate comes to at the bottom of the salary band."`
	PercentOfSalary       *float64 `json:"percentOfSalary" doc:"The rate offered to the caller; all amounts are null where the agency hides payment."`
	BoostPercent          *float64 `json:"boostPercent"`
	BonusAmount           *float64 `json:"bonusAmount"`
	FirstSubmissionReward *float64 `json:"firstSubmissionReward"`
}

// PipelineTotals counts the role's applications of all recruiters.
type PipelineTotals struct {
	TotalApplications *int64 `json:"totalApplications" doc:"Applications of all recruiters."`
	TotalInterviewing int64  `json:"totalInterviewing"`
	TotalHired        int64  `json:"totalHired"`
	OpeningsText      string `json:"openingsText"`
}

// MyRole is the caller's relation to the role.
type MyRole struct {
	IsApproved     bool             `json:"isApproved" doc:"Whether approvalStatus is APPROVED."`
	IsPrimary      bool             `json:"isPrimary" doc:"Whether the caller is approved with full access."`
	AccessLevel    *AccessLevel     `json:"accessLevel" check:"enum=accessLevel" doc:"The caller's access; null when none is recorded."`
	ApprovalStatus *ApprovalStatus  `json:"approvalStatus" check:"enum=approvalStatus" doc:"Null when the caller is not on the role."`
	Submissions    SubmissionCounts `json:"submissions" doc:"The caller's own applications."`
	Trial          *Trial           `json:"trial" doc:"Set on a primary slot on trial."`
}

// SubmissionCounts counts the caller's own applications.
type SubmissionCounts struct {
	Submitted    int `json:"submitted"`
	Interviewing int `json:"interviewing"`
	Hired        int `json:"hired"`
	Total        int `json:"total"`
}

// Trial is a primary slot's probation.
type Trial struct {
	EndsAt             *Time `json:"endsAt"`
	BusinessDaysLeft   *int  `json:"businessDaysLeft"`
	SubmissionGoal     int64 `json:"submissionGoal"`
	SubmissionsCounted int64 `json:"submissionsCounted"`
	IsActive           bool  `json:"isActive" doc:"The window is open and the goal not yet met."`
	EndingSoon         bool  `json:"endingSoon" doc:"The slot is about to be withdrawn."`
}

// RecruiterAccess is how open the role is.
type RecruiterAccess struct {
	AtMaxCapacity          bool           `json:"atMaxCapacity" doc:"Unreviewed submissions reached the backlog threshold."`
	NotAcceptingRecruiters bool           `json:"notAcceptingRecruiters" doc:"The role is closed to self-service and the caller is not on it."`
	Density                *TalentDensity `json:"density" check:"enum=talentDensity" doc:"The tier of competition."`
}

// HiringManager is how the hiring manager responds.
type HiringManager struct {
	LastActiveAt       *Time       `json:"lastActiveAt"`
	ResponsivenessDays float64     `json:"responsivenessDays" doc:"Weighted average of response times; 0 without data."`
	Engagement         *Engagement `json:"engagement"`
}

// Engagement has null values until the role has enough submissions.
type Engagement struct {
	FinalRating    *float64 `json:"finalRating" doc:"3.5 to 5; null until the role has enough submissions."`
	PercentileRank *float64 `json:"percentileRank" doc:"0 to 100; null until the role has enough submissions."`
}

// ActiveRole is a row of the active roles.
type ActiveRole struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Company struct {
		Name string `json:"name"`
	} `json:"company"`
	Status        RoleStatus     `json:"status" check:"enum=roleStatus" doc:"State of the role."`
	Locations     []string       `json:"locations" doc:"Display names of locations."`
	WorkplaceType *WorkplaceType `json:"workplaceType" check:"enum=workplaceType" doc:"Where the work is done."`
	BaseSalary    *BaseSalary    `json:"baseSalary" doc:"Annual, in whole units, not converted; null when unknown."`
	UpdatedAt     Time           `json:"updatedAt"`
	Fee           *Fee           `json:"fee" doc:"Null when the caller has no assignment; amounts are null when the agency hides payment."`
}

// BaseSalary is annual, in whole units, not converted; null if unknown.
type BaseSalary struct {
	Currency *string `json:"currency" doc:"Null when unknown."`
	Min      *int64  `json:"min"`
	Max      *int64  `json:"max"`
}
