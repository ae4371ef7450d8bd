// Package network is an agency's Talent Network: memberships (one candidate of
// one owning member), the identities that lead to them, and their list rows.
//
// There is no person entity and nothing is ever merged: an identity (a canonical
// LinkedIn URL or an e-mail address) leads, per owner, to memberships of its
// agency. For LinkedIn that is one per owner, by condition; an e-mail may lead
// to several, but a new membership is made only while it leads to none.
//
// The package does not know who is an approved member at the moment: owners are
// never copied to rows, so the function that answers asks the account of the
// agency. It knows nothing of how a candidate was verified.
package network

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/contract"
)

// Source says how a membership came to be.
type Source string

// The sources.
const (
	FromExternalAPI    Source = "EXTERNAL_API"
	FromApp            Source = "APP"
	FromRoleSubmission Source = "ROLE_SUBMISSION"
)

// DefaultEligibility is how long an ingestion keeps a membership eligible for
// auto-match.
const DefaultEligibility = 90 * 24 * time.Hour

// Candidate is what ingestion has learned and verified about a person.
type Candidate struct {
	AgencyID, OwnerID string
	// Name is as submitted; Email and LinkedInURL are canonical.
	Name, Email, LinkedInURL string
	// Title, Company and Location are the current ones; empty when unknown.
	Title, Company, Location string
	ScreeningCallLink        string
	Preferences              contract.WorkPreferences
	// ResumeKey is the membership's own copy of the file.
	ResumeKey string
	// SubmittedAt is when the agency sent it.
	SubmittedAt time.Time
}

// Membership is one row of the talent network.
type Membership struct {
	// ID is the candidateUserId.
	ID                string
	AgencyID, OwnerID string
	Source            Source
	// Preferences is nil while the recruiter has entered none.
	Preferences *contract.SavedWorkPreferences
	// ResumeKey is empty without a resume.
	ResumeKey string
	AddedAt   time.Time
	UpdatedAt time.Time
	// MarketExpiresAt is when auto-match eligibility ends; zero: never.
	MarketExpiresAt time.Time

	version int64
}
