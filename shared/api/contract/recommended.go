package contract

// RecommendedRolesResponse are roles for a candidate, strongest first, at most 15.
// It is empty where nothing is recommended and where recommendations are not
// enabled for the account, and does not say which.
type RecommendedRolesResponse struct {
	CandidateID string            `json:"candidateId"`
	Roles       []RecommendedRole `json:"roles" doc:"Strongest first, at most 15. Empty where nothing is recommended and where recommendations are not enabled."`
}

// RecommendedRole is a row of the role list with how well it suits.
type RecommendedRole struct {
	RoleSummary
	Recommendation Recommendation `json:"recommendation"`
}

// RecommendationBands say how well a role suits a candidate.
var RecommendationBands = newEnum("recommendationBand", "ENDORSED", "SUGGESTED")

// Recommendation is how well a role suits a candidate.
type Recommendation struct {
	Band string `json:"band" check:"enum=recommendationBand" doc:"ENDORSED is the stronger one."`
}
