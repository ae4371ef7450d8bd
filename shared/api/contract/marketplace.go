package contract

// The enumerations that the marketplace owns (contract, Other enumerations); the
// transitions between their values are in (contract, States and transitions).
var (
	// RoleStatuses holds the states of a role.
	RoleStatuses = EnumByName("roleStatus")
	// RoleVisibilities holds whether the company of a role is public.
	RoleVisibilities = EnumByName("roleVisibility")
	// AccessLevels holds what a recruiter can do on a role. The app may send others.
	AccessLevels = EnumByName("accessLevel")
	// ApprovalStatuses holds whether a recruiter is on a role. The app may send others.
	ApprovalStatuses = EnumByName("approvalStatus")
	// RequirementTypes holds the kinds of requirement of a role.
	RequirementTypes = EnumByName("requirementType")
	// Priorities holds the priorities of a hiring manager's question.
	Priorities = EnumByName("priority")
	// Densities holds the tiers of competition on a role.
	Densities = EnumByName("talentDensity")
	// CompanyTiers holds the ranks of companies.
	CompanyTiers = EnumByName("companyTier")
	// RelationshipStatuses holds how a recruiter works with a candidate.
	RelationshipStatuses = EnumByName("relationshipStatus")
	// ApplicationStatuses holds the states of an application.
	ApplicationStatuses = EnumByName("applicationStatus")
	// ApplicationVias holds the ways in which an application is made.
	ApplicationVias = EnumByName("applicationVia")
	// Stages holds the stages of an application, in their order.
	Stages = EnumByName("stage")
	// ProgressLabels holds the labels that a match has for its application.
	ProgressLabels = EnumByName("progressLabel")
	// MatchStatuses holds the states of a hiring manager's match.
	MatchStatuses = EnumByName("matchStatus")
	// PreferenceSources holds the sources of a CRM candidate's preferences.
	PreferenceSources = EnumByName("preferenceSource")
)
