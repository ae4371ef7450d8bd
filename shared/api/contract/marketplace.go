package contract

// The enumerations of what the marketplace owns (contract, Other enumerations); how
// their values follow each other stands in (contract, States and transitions).

// RoleStatuses are the states of a role.
var RoleStatuses = newEnum("roleStatus", "ACTIVE", "PAUSED", "CLOSED")

// RoleVisibilities say whether strangers see the company of a role.
var RoleVisibilities = newEnum("roleVisibility", "PUBLIC", "STEALTH")

// RequirementTypes are the kinds of requirement of a role.
var RequirementTypes = newEnum("requirementType", "REQUIRED", "DEALBREAKER", "OPTIONAL", "YEARS_OF_EXPERIENCE")

// Priorities are those of a hiring manager's question.
var Priorities = newEnum("priority", "HIGH", "MEDIUM", "LOW")

// Densities are the tiers of competition on a role.
var Densities = newEnum("talentDensity", "low", "medium", "high")

// CompanyTiers rank companies.
var CompanyTiers = newEnum("companyTier", "S_PLUS", "S", "A", "B", "C")

// RelationshipStatuses say how a recruiter works with a candidate.
var RelationshipStatuses = newEnum("relationshipStatus",
	"SOURCED", "CONTACTED", "REPLIED", "SCHEDULED_CALL", "SCREENED", "ACTIVE", "STAY_IN_TOUCH", "BACKBURNER",
)

// ApplicationStatuses are the states of an application.
var ApplicationStatuses = newEnum("applicationStatus",
	"SUBMITTED", "IN_REVIEW", "INTERVIEWING", "OFFER", "HIRED", "REJECTED", "WITHDRAWN",
)

// Stages are those that an application passes, in their order.
var Stages = newEnum("stage", "Submitted", "First round", "Mid round", "Final round", "Offer", "Hired")

// ProgressLabels are what a match's application shows.
var ProgressLabels = newEnum("progressLabel", "Submitted", "First round", "Mid round", "Final round", "Offer", "Hired", "Rejected")

// MatchStatuses are the states of a hiring manager's match.
var MatchStatuses = newEnum("matchStatus", "pending", "submitted", "dismissed", "expired")

// PreferenceSources say who a CRM candidate's preferences come from.
var PreferenceSources = newEnum("preferenceSource", "RECRUITER", "CANDIDATE", "INFERRED")
