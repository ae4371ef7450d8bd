package contract

// Links leads to a role in the app. Browse is for everybody; Recruit is null
// until the caller is approved on the role.
type Links struct {
	Browse  string  `json:"browse"`
	Recruit *string `json:"recruit"`
}

// RoleSummary is a row of the role list, the summary of the detail and, with a
// recommendation, a recommended role.
type RoleSummary struct {
	ID              string          `json:"id"`
	Name            string          `json:"name"`
	PostedAt        *Time           `json:"postedAt"`
	URLs            Links           `json:"urls"`
	Company         SummaryCompany  `json:"company"`
	Locations       []string        `json:"locations"`
	RoleTypes       []string        `json:"roleTypes"`
	TechStack       []string        `json:"techStack"`
	WorkplaceType   *string         `json:"workplaceType"`
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
	ConfidentialSearch bool     `json:"confidentialSearch"`
	AnonymizedName     *string  `json:"anonymizedName"`
	OneLiner           *string  `json:"oneLiner"`
	Industries         []string `json:"industries"`
	Size               *float64 `json:"size"`
}

// Compensation is annual, in whole units of the currency; bounds are 0 when unknown.
type Compensation struct {
	SalaryLowerBound float64 `json:"salaryLowerBound"`
	SalaryUpperBound float64 `json:"salaryUpperBound"`
	Currency         *string `json:"currency"`
	Equity           *string `json:"equity"`
}

// ExperienceRange is in years.
type ExperienceRange struct {
	YearsMin float64  `json:"yearsMin"`
	YearsMax *float64 `json:"yearsMax"`
}

// Fee is what is offered to the caller; all null where the agency hides payment.
type Fee struct {
	AmountLowerBound      *float64 `json:"amountLowerBound"`
	PercentOfSalary       *float64 `json:"percentOfSalary"`
	BoostPercent          *float64 `json:"boostPercent"`
	BonusAmount           *float64 `json:"bonusAmount"`
	FirstSubmissionReward *float64 `json:"firstSubmissionReward"`
}

// PipelineTotals counts the role's applications of all recruiters.
type PipelineTotals struct {
	TotalApplications *int64 `json:"totalApplications"`
	TotalInterviewing int64  `json:"totalInterviewing"`
	TotalHired        int64  `json:"totalHired"`
	OpeningsText      string `json:"openingsText"`
}

// MyRole is what the caller is to the role.
type MyRole struct {
	IsApproved     bool             `json:"isApproved"`
	IsPrimary      bool             `json:"isPrimary"`
	AccessLevel    *string          `json:"accessLevel"`
	ApprovalStatus *string          `json:"approvalStatus"`
	Submissions    SubmissionCounts `json:"submissions"`
	Trial          *Trial           `json:"trial"`
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
	IsActive           bool  `json:"isActive"`
	EndingSoon         bool  `json:"endingSoon"`
}

// RecruiterAccess says how open the role is.
type RecruiterAccess struct {
	AtMaxCapacity          bool    `json:"atMaxCapacity"`
	NotAcceptingRecruiters bool    `json:"notAcceptingRecruiters"`
	Density                *string `json:"density"`
}

// HiringManager says how the hiring manager responds.
type HiringManager struct {
	LastActiveAt       *Time       `json:"lastActiveAt"`
	ResponsivenessDays float64     `json:"responsivenessDays"`
	Engagement         *Engagement `json:"engagement"`
}

// Engagement is null values until the role has enough submissions.
type Engagement struct {
	FinalRating    *float64 `json:"finalRating"`
	PercentileRank *float64 `json:"percentileRank"`
}

// ActiveRole is a row of the active roles.
type ActiveRole struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Company struct {
		Name string `json:"name"`
	} `json:"company"`
	Status        string      `json:"status"`
	Locations     []string    `json:"locations"`
	WorkplaceType *string     `json:"workplaceType"`
	BaseSalary    *BaseSalary `json:"baseSalary"`
	UpdatedAt     Time        `json:"updatedAt"`
	Fee           *Fee        `json:"fee"`
}

// BaseSalary is annual, in whole units, not converted; null currency: unknown.
type BaseSalary struct {
	Currency *string `json:"currency"`
	Min      *int64  `json:"min"`
	Max      *int64  `json:"max"`
}
