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
