package contract

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
