package event

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

// Agency is a recruiting agency without its members, who are events of their own.
type Agency struct {
	Name                    string `json:"name" check:"required,min=1,max=300"`
	APIAccess               bool   `json:"apiAccess" check:"required" doc:"Without it the agency's keys are refused."`
	TalentNetworkAccess     bool   `json:"talentNetworkAccess" check:"required"`
	TalentNetworkManagement bool   `json:"talentNetworkManagement" check:"required"`
	HidesPayment            bool   `json:"hidesPayment" doc:"Members, owners aside, see no fees."`
	PrimaryOwner            string `json:"primaryOwner" check:"required,format=id" doc:"The member whom candidates belong to when nobody is named."`
}

// Member is a recruiter of an agency; the event's entityId is agencyId/recruiterId.
type Member struct {
	Name        string `json:"name" check:"required,min=1,max=300"`
	Email       string `json:"email" check:"required,format=email"`
	Owner       bool   `json:"owner"`
	Approved    bool   `json:"approved" check:"required"`
	Deactivated bool   `json:"deactivated"`
	FastTrack   bool   `json:"fastTrack"`
}

// Recruiter is an account of the recruiter surface.
type Recruiter struct {
	Name            string  `json:"name" check:"required,min=1,max=300"`
	Email           string  `json:"email" check:"required,format=email"`
	AgencyID        *string `json:"agencyId" check:"nullable,format=id"`
	CanRecruit      bool    `json:"canRecruit" check:"required" doc:"Without it the recruiter's keys are refused."`
	PersonalKeys    bool    `json:"personalKeys" doc:"The recruiter may create personal keys."`
	Recommendations bool    `json:"recommendations" doc:"Recommended roles are enabled."`
}

// Erasure is the payload of person.erased: every identity of one person, hashed.
type Erasure struct {
	IdentityHashes []string `json:"identityHashes" check:"required,min=1,max=50" doc:"SHA-256, in lower-case hexadecimal, of each canonical identity: https://www.linkedin.com/in/<slug>, or the e-mail address in lower case."`
}

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

// AddedByRoleSubmission adds a candidate that a member submitted to a role as a member of the network.
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
