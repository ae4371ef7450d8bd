package contract

// ListRolesRequest asks for a page of roles. All filters must hold; of the values of one, at
// least one.
type ListRolesRequest struct {
	Query                 *string                `query:"query" check:"min=1,format=text" doc:"Words to find in role and company; typos are tolerated. The first 10 count; a query without a letter or digit matches nothing."`
	Cursor                *int64                 `query:"cursor" check:"nullable,default=0,min=0,max=9007199254740991" doc:"The nextCursor of the previous page, with the same filters and sort; omit it or send 0 for the first page. Rows that share a position are never separated, so a page may hold more than limit."`
	Sort                  *RoleSort              `query:"sort" check:"enum=roleSort,default=browse" doc:"Order of the rows. relevance needs a query: the roles that match it best come first."`
	Limit                 int64                  `query:"limit" check:"limit=20/20" doc:"Rows per page."`
	Locations             []Location             `query:"location" check:"enum=location" doc:"Location keys."`
	RoleTypes             []RoleType             `query:"roleType" check:"enum=roleType" doc:"Role type keys."`
	Workplaces            []WorkplaceType        `query:"workplace" check:"enum=workplaceType" doc:"Where the work is done."`
	TalentDensities       []TalentDensity        `query:"talentDensity" check:"enum=talentDensity" doc:"Tiers of competition."`
	CompanyTiers          []CompanyTier          `query:"companyTier" check:"enum=companyTier" doc:"Tiers of companies."`
	RecruiterAvailability *RecruiterAvailability `query:"recruiterAvailability" check:"enum=recruiterAvailability" doc:"available: open to self-service; not_available: roles closed to self-service that the caller is on."`
	Industries            []Industry             `query:"industry" check:"enum=industry" doc:"Industry keys."`
	FundingRounds         []FundingRound         `query:"fundingRound" check:"enum=fundingRound" doc:"Last funding rounds."`
	TechStack             []string               `query:"techStack" check:"max=100,format=text" doc:"Technologies, case-insensitive."`
	Investors             []string               `query:"investors" check:"max=100,nonblank,format=text" doc:"Parts of investors' names, case-insensitive."`
	MinSalary             *int64                 `query:"minSalary" check:"nullable,min=0" doc:"Lowest salary wanted; the role's band must reach it. Rounded to the nearest 1,000."`
	MaxSalary             *int64                 `query:"maxSalary" check:"nullable,min=0" doc:"Highest salary wanted; the role's band must begin at or below it. Rounded to the nearest 1,000."`
	MinYearsExperience    *float64               `query:"minYearsExperience" check:"nullable,min=0" doc:"Lower bound of years of experience; the role's range must reach it."`
	MaxYearsExperience    *float64               `query:"maxYearsExperience" check:"nullable,min=0" doc:"Upper bound of years of experience; the role's range must begin at or below it."`
	MinFeePercent         *float64               `query:"minFeePercent" check:"nullable,min=0" doc:"Minimum fee, in percent of the salary."`
	MinCompanySize        *int64                 `query:"minCompanySize" check:"nullable,min=0" doc:"Minimum number of employees."`
	MaxCompanySize        *int64                 `query:"maxCompanySize" check:"nullable,min=0" doc:"Maximum number of employees."`
	PostedWithinDays      *int64                 `query:"postedWithinDays" check:"nullable,min=0" doc:"Posted within this number of days."`
	VisaSponsorship       *bool                  `query:"visaSponsorship" doc:"Whether visas are sponsored."`
	TrialOnly             bool                   `query:"trialOnly" doc:"Roles where the caller's primary slot is on trial."`
	PrimaryOnly           bool                   `query:"primaryOnly" doc:"Roles where the caller holds a primary slot."`
	ApprovedOnly          bool                   `query:"approvedOnly" doc:"Roles where the caller is approved, at any access level."`
	MatchMyPreferences    bool                   `query:"matchMyPreferences" doc:"Adds the saved preferences to the filters."`
}

// RoleList is a page of roles.
type RoleList struct {
	Roles      []RoleSummary `json:"roles" doc:"In the requested order."`
	NextCursor *int64        `json:"nextCursor,omitempty" doc:"Absent on the last page."`
}

// RoleRequest names a role in the path.
type RoleRequest struct {
	RoleID string `path:"roleId" check:"required,min=1" doc:"The id of a list row."`
}

// ActiveRolesRequest asks for a page of the caller's active roles. Of several
// filters that are true, one must hold.
type ActiveRolesRequest struct {
	PrimaryOnly           bool    `query:"primaryOnly" doc:"Roles with a primary slot."`
	ActiveTrialOnly       bool    `query:"activeTrialOnly" doc:"Trial in its window, goal unmet."`
	SingleSubmissionsOnly bool    `query:"singleSubmissionsOnly" doc:"An active submission was made with single-submission access, even if a primary slot is held now."`
	AutoMatchOnly         bool    `query:"autoMatchOnly" doc:"An active submission was made from an auto-match."`
	Limit                 int64   `query:"limit" check:"limit=50/100" doc:"Rows per page."`
	Cursor                *string `query:"cursor" check:"nullable,min=1,max=2048" doc:"The nextCursor of the previous page, with the same filters."`
}

// ActiveRolesResponse is a page, last update first.
type ActiveRolesResponse struct {
	Roles      []ActiveRole `json:"roles" doc:"Most recently updated first."`
	NextCursor *string      `json:"nextCursor" doc:"Null on the last page."`
}

// SavedPreferences are a recruiter's stated role preferences.
type SavedPreferences struct {
	RoleTypes      []RoleType      `json:"roleTypes" check:"enum=roleType" doc:"Empty when nothing is saved."`
	Locations      []Location      `json:"locations" check:"enum=location" doc:"Empty when nothing is saved."`
	Industries     []Industry      `json:"industries" check:"enum=industry" doc:"Empty when nothing is saved."`
	WorkplaceTypes []WorkplaceType `json:"workplaceTypes" check:"enum=workplaceType" doc:"Empty when nothing is saved."`
	FundingRounds  []FundingRound  `json:"fundingRounds" check:"enum=fundingRound" doc:"Empty when nothing is saved."`
	MinSalary      *int64          `json:"minSalary" doc:"Annual; no currency is stored."`
	Description    *string         `json:"description" doc:"The recruiter's own words."`
}

// AgencyRoleFilters are those of both agency lists.
type AgencyRoleFilters struct {
	RecruiterEmail *string         `query:"recruiterEmail" check:"max=254,format=email" doc:"The approved member whose permissions apply; the primary owner when omitted."`
	Statuses       []RoleStatus    `query:"status" check:"enum=roleStatus" doc:"States of the role; ACTIVE when omitted."`
	Locations      []Location      `query:"location" check:"enum=location" doc:"Location keys."`
	RoleTypes      []RoleType      `query:"roleType" check:"enum=roleType" doc:"Role type keys."`
	Workplaces     []WorkplaceType `query:"workplace" check:"enum=workplaceType" doc:"Where the work is done."`
	Cursor         *string         `query:"cursor" check:"nullable,min=1,max=2048" doc:"The nextCursor of the previous page, with the same filters."`
}

// ListAgencyRolesRequest asks for a page of roles on behalf of a member.
type ListAgencyRolesRequest struct {
	AgencyRoleFilters
	Limit int64 `query:"limit" check:"limit=50/100" doc:"Rows per page."`
}

// SearchAgencyRolesRequest searches roles on behalf of a member.
type SearchAgencyRolesRequest struct {
	AgencyRoleFilters
	Query      string          `query:"query" check:"required,min=1,format=text" doc:"Words to find in role and company; typos are tolerated. The first 10 count; a query without a letter or digit matches nothing."`
	MinSalary  *int64          `query:"minSalary" check:"nullable,min=0" doc:"Lowest salary wanted; the role's band must reach it. Rounded to the nearest 1,000."`
	MaxSalary  *int64          `query:"maxSalary" check:"nullable,min=0" doc:"Highest salary wanted; the role's band must begin at or below it. Rounded to the nearest 1,000."`
	Industries []Industry      `query:"industry" check:"enum=industry" doc:"Industry keys."`
	Sort       *AgencyRoleSort `query:"sort" check:"enum=agencyRoleSort,default=relevance" doc:"Order of the rows: best match first, or most recently updated first. With relevance, rows that share a position are never separated, so a page may hold more than limit."`
	Limit      int64           `query:"limit" check:"limit=20/50" doc:"Rows per page."`
}

// AgencyRolesResponse is a page of roles.
type AgencyRolesResponse struct {
	Roles      []AgencyRole `json:"roles" doc:"Most recently updated first; a search's in the requested order."`
	NextCursor *string      `json:"nextCursor" doc:"Null on the last page."`
}

// AgencyRole is a row of the agency's lists.
type AgencyRole struct {
	ID            string            `json:"id"`
	Title         string            `json:"title"`
	Company       AgencyRoleCompany `json:"company"`
	Status        RoleStatus        `json:"status" check:"enum=roleStatus" doc:"State of the role."`
	Locations     []string          `json:"locations" doc:"Display names of locations."`
	WorkplaceType *WorkplaceType    `json:"workplaceType" check:"enum=workplaceType" doc:"Where the work is done."`
	BaseSalary    *BaseSalary       `json:"baseSalary" doc:"Annual, in whole units, not converted; null when unknown."`
	RoleTypes     []string          `json:"roleTypes"`
	PostedAt      *Time             `json:"postedAt"`
	UpdatedAt     Time              `json:"updatedAt"`
}

// AgencyRoleCompany is the company as the agency's lists show it.
type AgencyRoleCompany struct {
	ID                 *string `json:"id" doc:"Null when the company is withheld."`
	Name               string  `json:"name"`
	ConfidentialSearch bool    `json:"confidentialSearch" doc:"True: candidate-facing copy must use anonymizedName instead of the company's name."`
	AnonymizedName     *string `json:"anonymizedName"`
}

// AgencyRoleRequest asks for a brief on behalf of a member.
type AgencyRoleRequest struct {
	RoleID                   string `path:"roleId" check:"required,min=1,max=128" doc:"The id of a list row."`
	RecruiterEmail           string `query:"recruiterEmail" check:"required,max=254,format=email" doc:"The approved member whose permissions apply."`
	IncludeIntakeTranscripts bool   `query:"includeIntakeTranscripts" doc:"Adds the intake transcripts that the member may read."`
}

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

// RecommendedRolesResponse holds roles for a candidate.
type RecommendedRolesResponse struct {
	CandidateID string            `json:"candidateId"`
	Roles       []RecommendedRole `json:"roles" doc:"Strongest first, at most 15. Empty when there are none or recommendations are not enabled."`
}

// RecommendedRole is a row of the role list and how well it suits the candidate.
type RecommendedRole struct {
	RoleSummary
	Recommendation Recommendation `json:"recommendation"`
}

// Recommendation is how well a role suits a candidate.
type Recommendation struct {
	Band    RecommendationBand     `json:"band" check:"enum=recommendationBand" doc:"ENDORSED is the stronger one."`
	Reasons []RecommendationReason `json:"reasons" check:"enum=recommendationReason" doc:"Reasons for the recommendation, strongest first; more may be added."`
}

// RecommendationReason is something that the role and the candidate have in common.
type RecommendationReason string

// The reasons. None is about industries: roles of those that the candidate excludes are left out before.
const (
	ReasonRoleType     RecommendationReason = "role_type"
	ReasonSkills       RecommendationReason = "skills"
	ReasonLocation     RecommendationReason = "location"
	ReasonWorkplace    RecommendationReason = "workplace"
	ReasonSalary       RecommendationReason = "salary"
	ReasonExperience   RecommendationReason = "experience"
	ReasonFundingRound RecommendationReason = "funding_round"
	ReasonCompanySize  RecommendationReason = "company_size"
)
