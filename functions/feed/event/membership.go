package event

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

// The commands change what is owned here, by the functions that the API uses too.
// Their entityId is the membership's candidateUserId, but for
// membership.addedByRoleSubmission, which names none yet.

// PreferencesSet replaces a membership's preferences, as a recruiter did in the app.
type PreferencesSet struct {
	Preferences contract.WorkPreferences `json:"preferences" check:"required"`
}

// OffMarketSet takes a membership off the market or puts it back.
type OffMarketSet struct {
	OffMarket bool `json:"offMarket" check:"required"`
}

// Locked locks a membership off the market, or unlocks it.
type Locked struct {
	Locked bool `json:"locked" check:"required"`
}

// AddedByRoleSubmission adds a candidate that a member submitted to a role as a
// member of the network.
type AddedByRoleSubmission struct {
	AgencyID    string  `json:"agencyId" check:"required,format=id"`
	RecruiterID string  `json:"recruiterId" check:"required,format=id"`
	Name        string  `json:"name" check:"required,min=1,max=300,format=line"`
	Email       string  `json:"email" check:"required,format=email"`
	LinkedInURL string  `json:"linkedinUrl" check:"required,format=linkedin,max=2048"`
	Title       *string `json:"currentTitle" check:"nullable,max=300"`
	Company     *string `json:"currentCompany" check:"nullable,max=300"`
	Location    *string `json:"location" check:"nullable,max=300"`
}
