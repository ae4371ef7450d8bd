package contract

// The enumerations of what the marketplace owns (contract, Other enumerations); how
// their values follow each other stands in (contract, States and transitions).

// RoleStatuses holds the states of a role.
var RoleStatuses = newEnum("roleStatus", "ACTIVE", "PAUSED", "CLOSED")

// RoleVisibilities holds whether the company of a role is public.
var RoleVisibilities = newEnum("roleVisibility", "PUBLIC", "STEALTH")

// RequirementTypes holds the kinds of requirement of a role.
var RequirementTypes = newEnum("requirementType", "REQUIRED", "DEALBREAKER", "OPTIONAL", "YEARS_OF_EXPERIENCE")

// Priorities holds the priorities of a hiring manager's question.
var Priorities = newEnum("priority", "HIGH", "MEDIUM", "LOW")

// Densities holds the tiers of competition on a role.
var Densities = newEnum("talentDensity", "low", "medium", "high")

// CompanyTiers holds the ranks of companies.
var CompanyTiers = newEnum("companyTier", "S_PLUS", "S", "A", "B", "C")

// RelationshipStatuses holds how a recruiter works with a candidate.
var RelationshipStatuses = newEnum("relationshipStatus",
	"SOURCED", "CONTACTED", "REPLIED", "SCHEDULED_CALL", "SCREENED", "ACTIVE", "STAY_IN_TOUCH", "BACKBURNER",
)

// ApplicationStatuses holds the states of an application.
var ApplicationStatuses = newEnum("applicationStatus",
	"SUBMITTED", "IN_REVIEW", "INTERVIEWING", "OFFER", "HIRED", "REJECTED", "WITHDRAWN",
)

// ApplicationVias holds the ways in which an application is made.
var ApplicationVias = newEnum("applicationVia", "PRIMARY", "SINGLE", "REQUEST", "AUTO_MATCH")

// Stages holds the stages of an application, in their order.
var Stages = newEnum("stage", "Submitted", "First round", "Mid round", "Final round", "Offer", "Hired")

// ProgressLabels holds the labels that a match has for its application.
var ProgressLabels = newEnum("progressLabel", "Submitted", "First round", "Mid round", "Final round", "Offer", "Hired", "Rejected")

// MatchStatuses holds the states of a hiring manager's match.
var MatchStatuses = newEnum("matchStatus", "pending", "submitted", "dismissed", "expired")

// PreferenceSources holds the sources of a CRM candidate's preferences.
var PreferenceSources = newEnum("preferenceSource", "RECRUITER", "CANDIDATE", "INFERRED")
