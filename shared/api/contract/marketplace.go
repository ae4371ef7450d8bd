package contract

// The enumerations that the marketplace owns (contract, Other enumerations); the
// transitions between their values are in (contract, States and transitions).
var (
	// RoleStatuses holds the states of a role.
	RoleStatuses = newEnum[RoleStatus]("roleStatus", "ACTIVE", "PAUSED", "CLOSED")
	// RoleVisibilities holds whether the company of a role is public.
	RoleVisibilities = newEnum[RoleVisibility]("roleVisibility", "PUBLIC", "STEALTH")
	// AccessLevels holds what a recruiter can do on a role. The app may send others.
	AccessLevels = newEnum[AccessLevel]("accessLevel", "FULL", "CROSS_SUBMIT", "SUBMISSION_REQUEST_ONLY")
	// ApprovalStatuses holds whether a recruiter is on a role. The app may send others.
	ApprovalStatuses = newEnum[ApprovalStatus]("approvalStatus", "APPROVED", "PENDING", "REJECTED", "WITHDRAWN")
	// RequirementTypes holds the kinds of requirement of a role.
	RequirementTypes = newEnum[RequirementType]("requirementType", "REQUIRED", "DEALBREAKER", "OPTIONAL", "YEARS_OF_EXPERIENCE")
	// Priorities holds the priorities of a hiring manager's question.
	Priorities = newEnum[Priority]("priority", "HIGH", "MEDIUM", "LOW")
	// Densities holds the tiers of competition on a role.
	Densities = newEnum[TalentDensity]("talentDensity", "low", "medium", "high")
	// CompanyTiers holds the ranks of companies.
	CompanyTiers = newEnum[CompanyTier]("companyTier", "S_PLUS", "S", "A", "B", "C")
	// RelationshipStatuses holds how a recruiter works with a candidate.
	RelationshipStatuses = newEnum[RelationshipStatus]("relationshipStatus",
		"SOURCED", "CONTACTED", "REPLIED", "SCHEDULED_CALL", "SCREENED", "ACTIVE", "STAY_IN_TOUCH", "BACKBURNER",
	)
	// ApplicationStatuses holds the states of an application.
	ApplicationStatuses = newEnum[ApplicationStatus]("applicationStatus",
		"SUBMITTED", "IN_REVIEW", "INTERVIEWING", "OFFER", "HIRED", "REJECTED", "WITHDRAWN",
	)
	// ApplicationVias holds the ways in which an application is made.
	ApplicationVias = newEnum[ApplicationVia]("applicationVia", "PRIMARY", "SINGLE", "REQUEST", "AUTO_MATCH")
	// Stages holds the stages of an application, in their order.
	Stages = newEnum[Stage]("stage", "Submitted", "First round", "Mid round", "Final round", "Offer", "Hired")
	// ProgressLabels holds the labels that a match has for its application.
	ProgressLabels = newEnum[ProgressLabel]("progressLabel",
		"Submitted", "First round", "Mid round", "Final round", "Offer", "Hired", "Rejected",
	)
	// MatchStatuses holds the states of a hiring manager's match.
	MatchStatuses = newEnum[MatchStatus]("matchStatus", "pending", "submitted", "dismissed", "expired")
	// PreferenceSources holds the sources of a CRM candidate's preferences.
	PreferenceSources = newEnum[PreferenceSource]("preferenceSource", "RECRUITER", "CANDIDATE", "INFERRED")
)
