package account

// Recruiter is an account of the recruiter surface.
type Recruiter struct {
	ID   string `dynamo:"id"`
	Name string `dynamo:"name"`
	// Email is canonical (package identity).
	Email string `dynamo:"email"`
	// AgencyID is empty for a recruiter of no agency.
	AgencyID string `dynamo:"agencyId,omitempty"`
	// CanRecruit: without it the recruiter's keys are refused.
	CanRecruit bool `dynamo:"canRecruit"`
	// PersonalKeys enables personal keys: without it none is created, and those that exist are refused.
	PersonalKeys bool `dynamo:"personalKeys"`
	// Recommendations says that recommended roles are enabled.
	Recommendations bool `dynamo:"recommendations,omitempty"`
}

// keysOn reports whether the recruiter's keys work.
func (r Recruiter) keysOn() bool { return r.CanRecruit && r.PersonalKeys }
