package contract

import "time"

// The types of enumerations of the public API (contract, Shared enumerations; contract, Other enumerations), of which
// enumerations.txt has all values; the transitions between states are in the contract (contract, States and transitions).
type (
	// AccessLevel is what a recruiter can do on a role. The app may send others.
	AccessLevel string
	// ActionBucket is what a match asks of the recruiter.
	ActionBucket string
	// AgencyRoleSort is an order of the role search of agencies.
	AgencyRoleSort string
	// ApplicationStatus is the state of an application.
	ApplicationStatus string
	// ApplicationVia is a way in which an application is made.
	ApplicationVia string
	// ApprovalStatus is whether a recruiter is on a role. The app may send others.
	ApprovalStatus string
	// CandidateSource is a way into the talent network.
	CandidateSource string
	// ChangeStatus is the status in a change: a final [ItemStatus] or a [MarketStatus].
	ChangeStatus string
	// CompanySize is a head-count band, spaces and symbols included.
	CompanySize string
	// CompanyTier is the rank of a company.
	CompanyTier string
	// FundingRound is a funding round of a company.
	FundingRound string
	// Industry is an industry of a company.
	Industry string
	// Location is a place of candidates and roles.
	Location string
	// MatchFilter is a value that the match list filters by.
	MatchFilter string
	// MatchStatus is the state of a hiring manager's match.
	MatchStatus string
	// MemberRole is what a member may be in the agency.
	MemberRole string
	// MemberStatus is whether a member may act and be acted for.
	MemberStatus string
	// PreferenceSource is the source of a CRM candidate's preferences.
	PreferenceSource string
	// Principal is the name that GET /identity has for a type of key.
	Principal string
	// Priority is the priority of a hiring manager's question.
	Priority string
	// ProgressLabel is the label that a match has for its application.
	ProgressLabel string
	// RecommendationBand is the degree to which a role suits a candidate.
	RecommendationBand string
	// RecruiterAvailability is whether a recruiter can join a role without being invited.
	RecruiterAvailability string
	// RelationshipStatus is how a recruiter works with a candidate.
	RelationshipStatus string
	// RequirementType is the kind of a requirement of a role.
	RequirementType string
	// RoleSort is an order of the role search of recruiters.
	RoleSort string
	// RoleStatus is the state of a role.
	RoleStatus string
	// RoleType is a kind of role.
	RoleType string
	// RoleVisibility is whether the company of a role is public.
	RoleVisibility string
	// Stage is a stage of an application; the values are in their order.
	Stage string
	// TalentDensity is the tier of competition on a role.
	TalentDensity string
	// VisaAuthorization is a work authorization.
	VisaAuthorization string
	// WorkplaceType is where work is done.
	WorkplaceType string
)

// The values of the enumerations of which the service's code names some. Of the others a value is written as it is:
// RoleType("backend_engineer").
const (
	AccessLevelFull                  AccessLevel = "FULL"
	AccessLevelCrossSubmit           AccessLevel = "CROSS_SUBMIT"
	AccessLevelSubmissionRequestOnly AccessLevel = "SUBMISSION_REQUEST_ONLY"

	ActionBucketNew             ActionBucket = "new"
	ActionBucketNeedsSubmission ActionBucket = "needs_submission"
	ActionBucketExpired         ActionBucket = "expired"
	ActionBucketClosed          ActionBucket = "closed"

	AgencyRoleSortRelevance AgencyRoleSort = "relevance"
	AgencyRoleSortUpdated   AgencyRoleSort = "updated"

	ApplicationViaPrimary   ApplicationVia = "PRIMARY"
	ApplicationViaSingle    ApplicationVia = "SINGLE"
	ApplicationViaRequest   ApplicationVia = "REQUEST"
	ApplicationViaAutoMatch ApplicationVia = "AUTO_MATCH"

	ApprovalStatusApproved  ApprovalStatus = "APPROVED"
	ApprovalStatusPending   ApprovalStatus = "PENDING"
	ApprovalStatusRejected  ApprovalStatus = "REJECTED"
	ApprovalStatusWithdrawn ApprovalStatus = "WITHDRAWN"

	CandidateSourceExternalAPI    CandidateSource = "EXTERNAL_API"
	CandidateSourceApp            CandidateSource = "APP"
	CandidateSourceRoleSubmission CandidateSource = "ROLE_SUBMISSION"

	FundingRoundPreSeed     FundingRound = "PRE_SEED"
	FundingRoundSeed        FundingRound = "SEED"
	FundingRoundSeriesA     FundingRound = "SERIES_A"
	FundingRoundSeriesB     FundingRound = "SERIES_B"
	FundingRoundSeriesC     FundingRound = "SERIES_C"
	FundingRoundSeriesDPlus FundingRound = "SERIES_D_PLUS"
	FundingRoundUnknown     FundingRound = "UNKNOWN"

	LocationAsia         Location = "asia"
	LocationAustralia    Location = "australia"
	LocationBoston       Location = "boston"
	LocationCanada       Location = "canada"
	LocationChicago      Location = "chicago"
	LocationDenver       Location = "denver"
	LocationEurope       Location = "europe"
	LocationFlorida      Location = "florida"
	LocationIndia        Location = "india"
	LocationKorea        Location = "korea"
	LocationLatam        Location = "latam"
	LocationLosAngeles   Location = "los_angeles"
	LocationMinnesota    Location = "minnesota"
	LocationNewYork      Location = "new_york"
	LocationSacramento   Location = "sacramento"
	LocationSanFrancisco Location = "san_francisco"
	LocationSeattle      Location = "seattle"
	LocationSouthBayArea Location = "south_bay_area"
	LocationTexas        Location = "texas"
	LocationUK           Location = "uk"
	LocationWashingtonDC Location = "washington_dc"

	MatchFilterPending   MatchFilter = "pending"
	MatchFilterExpired   MatchFilter = "expired"
	MatchFilterDismissed MatchFilter = "dismissed"
	MatchFilterSubmitted MatchFilter = "submitted"
	MatchFilterAll       MatchFilter = "all"

	MatchStatusPending   MatchStatus = "pending"
	MatchStatusSubmitted MatchStatus = "submitted"
	MatchStatusDismissed MatchStatus = "dismissed"
	MatchStatusExpired   MatchStatus = "expired"

	MemberRoleOwner  MemberRole = "OWNER"
	MemberRoleMember MemberRole = "MEMBER"

	MemberStatusApproved    MemberStatus = "approved"
	MemberStatusDeactivated MemberStatus = "deactivated"

	PreferenceSourceRecruiter PreferenceSource = "RECRUITER"
	PreferenceSourceCandidate PreferenceSource = "CANDIDATE"
	PreferenceSourceInferred  PreferenceSource = "INFERRED"

	ProgressLabelSubmitted  ProgressLabel = "Submitted"
	ProgressLabelFirstRound ProgressLabel = "First round"
	ProgressLabelMidRound   ProgressLabel = "Mid round"
	ProgressLabelFinalRound ProgressLabel = "Final round"
	ProgressLabelOffer      ProgressLabel = "Offer"
	ProgressLabelHired      ProgressLabel = "Hired"
	ProgressLabelRejected   ProgressLabel = "Rejected"

	RecommendationBandEndorsed  RecommendationBand = "ENDORSED"
	RecommendationBandSuggested RecommendationBand = "SUGGESTED"

	RecruiterAvailabilityAvailable    RecruiterAvailability = "available"
	RecruiterAvailabilityNotAvailable RecruiterAvailability = "not_available"

	RequirementTypeRequired          RequirementType = "REQUIRED"
	RequirementTypeDealbreaker       RequirementType = "DEALBREAKER"
	RequirementTypeOptional          RequirementType = "OPTIONAL"
	RequirementTypeYearsOfExperience RequirementType = "YEARS_OF_EXPERIENCE"

	RoleSortBrowse    RoleSort = "browse"
	RoleSortRelevance RoleSort = "relevance"

	RoleStatusActive RoleStatus = "ACTIVE"
	RoleStatusPaused RoleStatus = "PAUSED"
	RoleStatusClosed RoleStatus = "CLOSED"

	RoleVisibilityPublic  RoleVisibility = "PUBLIC"
	RoleVisibilityStealth RoleVisibility = "STEALTH"

	VisaAuthorizationNoVisaAuthorizationNeeded VisaAuthorization = "NO_VISA_AUTHORIZATION_NEEDED"
	VisaAuthorizationHasVisaAuthorization      VisaAuthorization = "HAS_VISA_AUTHORIZATION"
	VisaAuthorizationNeedsNewVisaAuthorization VisaAuthorization = "NEEDS_NEW_VISA_AUTHORIZATION"

	WorkplaceTypeRemote WorkplaceType = "REMOTE"
	WorkplaceTypeOnSite WorkplaceType = "ON_SITE"
	WorkplaceTypeHybrid WorkplaceType = "HYBRID"
)

// Time is a timestamp on the wire: RFC 3339, UTC, milliseconds, "Z". It is read from any RFC 3339 timestamp.
type Time struct{ time.Time }

const timeLayout = "2006-01-02T15:04:05.000Z"

// At returns t as a wire timestamp, in whole milliseconds.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Millisecond)} }

// String returns the wire form.
func (t Time) String() string { return t.UTC().Format(timeLayout) }

// MarshalJSON returns the wire form as a JSON string.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }
