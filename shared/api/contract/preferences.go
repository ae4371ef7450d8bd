package contract

// WorkPreferences is the request form (contract, Work preferences). Absent and null
// fields are not set.
type WorkPreferences struct {
	Locations              []Location        `json:"locations,omitzero" check:"required,min=1,enum=location" doc:"Where the candidate wants to work."`
	WorkplaceTypes         []WorkplaceType   `json:"workplaceTypes,omitzero" check:"required,min=1,enum=workplaceType" doc:"How the candidate wants to work."`
	SalaryMin              int64             `json:"salaryMin" check:"required,min=1,max=9007199254740991" doc:"Lowest acceptable annual salary, whole units."`
	SalaryMax              *int64            `json:"salaryMax,omitzero" check:"nullable,min=1,max=9007199254740991" doc:"Hoped-for annual salary, whole units."`
	OTE                    *int64            `json:"ote,omitzero" check:"nullable,min=1,max=9007199254740991" doc:"On-target earnings, whole units."`
	IdealFundingRounds     []FundingRound    `json:"idealFundingRounds,omitzero" check:"required,min=1,enum=fundingRound" doc:"Funding rounds of the companies wanted."`
	VisaAuthorization      VisaAuthorization `json:"visaAuthorization" check:"required,enum=visaAuthorization" doc:"Work authorization."`
	RoleType               []RoleType        `json:"roleType,omitzero" check:"enum=roleType" doc:"Kinds of role wanted."`
	ExcludedIndustries     []Industry        `json:"excludedIndustries,omitzero" check:"enum=industry" doc:"Industries not wanted."`
	CompanySizePreferences []CompanySize     `json:"companySizePreferences,omitzero" check:"enum=companySize" doc:"Company sizes wanted."`
}

// SavedWorkPreferences is the response form: every field is always present;
// older records have nulls and empty arrays.
type SavedWorkPreferences struct {
	Locations              []Location         `json:"locations" check:"enum=location" doc:"Empty for older records."`
	WorkplaceTypes         []WorkplaceType    `json:"workplaceTypes" check:"enum=workplaceType" doc:"Empty for older records."`
	SalaryMin              *int64             `json:"salaryMin" doc:"Annual, whole units."`
	SalaryMax              *int64             `json:"salaryMax" doc:"Annual, whole units."`
	OTE                    *int64             `json:"ote" doc:"On-target earnings, whole units."`
	IdealFundingRounds     []FundingRound     `json:"idealFundingRounds" check:"enum=fundingRound" doc:"Empty for older records."`
	VisaAuthorization      *VisaAuthorization `json:"visaAuthorization" check:"enum=visaAuthorization" doc:"Work authorization."`
	RoleType               []RoleType         `json:"roleType" check:"enum=roleType" doc:"Kinds of role wanted."`
	ExcludedIndustries     []Industry         `json:"excludedIndustries" check:"enum=industry" doc:"Industries not wanted."`
	CompanySizePreferences []CompanySize      `json:"companySizePreferences" check:"enum=companySize" doc:"Company sizes wanted."`
}

// CandidateRequest names one talent-network membership.
type CandidateRequest struct {
	CandidateUserID string `path:"candidateUserId" json:"-" check:"required,min=1" doc:"Id of the membership."`
}

// CandidatePreferences is the response of GET …/{candidateUserId}/preferences.
type CandidatePreferences struct {
	CandidateUserID string                `json:"candidateUserId" doc:"Id of the membership."`
	Preferences     *SavedWorkPreferences `json:"preferences" doc:"Null until a recruiter has entered some."`
}

// PutPreferencesRequest replaces the preferences of one membership: absent fields
// are cleared. The body is the request form, or that of the GET as it stands.
type PutPreferencesRequest struct {
	CandidateRequest
	WorkPreferences
	// SentCandidateUserID and SentPreferences are the fields of the GET's body.
	SentCandidateUserID *string          `json:"candidateUserId,omitzero" doc:"Accepted from a GET response; must equal the id in the path."`
	SentPreferences     *WorkPreferences `json:"preferences,omitzero" check:"instead" doc:"The preferences object of a GET response, in place of the separate fields."`
}
