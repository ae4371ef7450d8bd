// Package network is an agency's Talent Network: memberships (one candidate of
// one owning member), the identities that lead to them, and their list rows. All
// of it lives in the table topology.Network, in the items that package itemkey lists. The indexes by
// due time and by expiry find a membership when its eligibility ends, that of people an identity by its hash.
//
// The latest statement wins, in any order of arrival, whether it came by the API, by a command of
// the app or by a submission. Preferences, market state, lock and fast-track opt-in are each stored
// with their own [Statement]. The resume, and everything else that only submissions state, is
// stored with the time of the newest submission. An older statement that arrives later changes
// nothing.
//
// No person entity exists and nothing is ever merged: an identity (a canonical LinkedIn URL or an
// e-mail address) leads, per owner, to memberships of its agency, and still leads to a membership
// that was later submitted again under another e-mail address. A LinkedIn URL leads to at most one
// per owner, which a condition ensures, and decides where a candidate goes; an e-mail address may
// lead to many, of different people.
//
// A membership and its rows are written in one transaction, on the condition that the membership
// has not changed since it was read. A write that fails on this condition is tried again on the
// stored membership, unless that has the write's own id: then only the response to the write was
// lost.
//
// The package does not know who is an approved member at the moment: rows identify their owners
// only by id, so the function that serves the request reads those members' accounts. It knows
// nothing of how a candidate was verified.
package network

import (
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// DefaultEligibility is how long an ingestion or a re-enable keeps a membership
// eligible for auto-match, where the setting ELIGIBILITY is not set.
const DefaultEligibility = 90 * 24 * time.Hour

// Person is what every view of a candidate shows of the person. It is stored under short names,
// because a page reads a hundred rows.
type Person struct {
	// Name is as submitted; Email and LinkedInURL are canonical.
	Name        string `dynamo:"n"`
	Email       string `dynamo:"e"`
	LinkedInURL string `dynamo:"l"`
	// Title, Company and Location are the current ones; empty when unknown.
	Title    string `dynamo:"t,omitempty"`
	Company  string `dynamo:"c,omitempty"`
	Location string `dynamo:"w,omitempty"`
}

// Candidate is what ingestion has learned and verified about a person.
type Candidate struct {
	Tenant  tenant.ID
	OwnerID string
	Person
	ScreeningCallLink string
	Preferences       contract.WorkPreferences
	// ResumeKey is the membership's own copy of the file, and Resume what was read in it.
	ResumeKey string
	Resume    Resume
	// SubmittedAt is when the agency sent it.
	SubmittedAt time.Time
}

// Row is what a list shows of a membership. It is stored in a rowItem.
type Row struct {
	// ID is the candidateUserId.
	ID      string `dynamo:"-"`
	OwnerID string `dynamo:"o,omitempty"`
	Person
	// Source is where the membership came from, LastSubmissionSource where its newest
	// submission did.
	Source               contract.CandidateSource `dynamo:"s"`
	LastSubmissionSource contract.CandidateSource `dynamo:"ls,omitempty"`
	// Off says that the candidate is explicitly off the market, or locked; ExpiresAt is
	// when eligibility ends, zero: never.
	Off            bool      `dynamo:"f,omitempty"`
	ExpiresAt      time.Time `dynamo:"-"`
	FastTrack      bool      `dynamo:"ft,omitempty"`
	HasPreferences bool      `dynamo:"p,omitempty"`
	HasResume      bool      `dynamo:"r,omitempty"`
	AddedAt        time.Time `dynamo:"-"`
	UpdatedAt      time.Time `dynamo:"-"`
}

// Status returns the candidate's status on the auto-match market.
func (r Row) Status(now time.Time) contract.MarketStatus {
	return Market{TakenOff: r.Off, ExpiresAt: r.ExpiresAt}.Status(now)
}

// Membership is one candidate of one owning member.
type Membership struct {
	// ID is the candidateUserId.
	ID      string
	Tenant  tenant.ID
	OwnerID string
	Person
	ScreeningCallLink string
	// Source is that of the earliest submission, of SourceAt; zero where that is unknown.
	Source   contract.CandidateSource
	SourceAt time.Time
	Market   Market
	// Preferences is nil while the recruiter has entered none. PreferencesStated is the
	// statement that they are of: a PUT, a command, or a submission when it was sent.
	Preferences       *contract.SavedWorkPreferences
	PreferencesStated Statement
	// ResumeKey is empty without a resume.
	ResumeKey string
	Resume    Resume
	// SubmittedAt is when the agency sent the submission from which the resume, the name, the
	// addresses and the verified facts come; zero without one.
	SubmittedAt time.Time
	// RoleSubmittedAt is when the app last submitted the candidate to a role; zero: never.
	RoleSubmittedAt    time.Time
	AddedAt, UpdatedAt time.Time

	// lapsed is the end of eligibility for which the sweep has moved the rows.
	lapsed  time.Time
	version int64
	// others are the keys of further identities that lead to the membership, because it was once
	// submitted under them.
	others []string
	// writeID is the ID of the [Write] that stored this version.
	writeID string
	// recorded is when the newest entry of the feed was made. It never decreases.
	recorded time.Time
}

// Row returns what a list shows of m.
func (m Membership) Row() Row {
	return Row{
		ID: m.ID, OwnerID: m.OwnerID, Person: m.Person, Source: m.Source, LastSubmissionSource: m.lastSubmissionSource(),
		Off: m.Market.Off(), ExpiresAt: m.Market.ExpiresAt, FastTrack: m.Market.FastTrack,
		HasPreferences: m.Preferences != nil, HasResume: m.ResumeKey != "",
		AddedAt: m.AddedAt, UpdatedAt: m.UpdatedAt,
	}
}

// noteSubmission records the time and source of a submission. The earliest one decides where the
// membership came from; of two at the same time, the app's submission to a role does.
func (m *Membership) noteSubmission(source contract.CandidateSource, at time.Time) {
	if source == contract.CandidateSourceRoleSubmission {
		m.RoleSubmittedAt = laterOf(m.RoleSubmittedAt, at)
	}
	if at.Before(m.SourceAt) || at.Equal(m.SourceAt) && source == contract.CandidateSourceRoleSubmission {
		m.Source = source
		m.SourceAt = at
	}
}

func (m Membership) lastSubmissionSource() contract.CandidateSource {
	switch {
	case m.SubmittedAt.IsZero() && m.RoleSubmittedAt.IsZero():
		return m.Source
	case m.RoleSubmittedAt.Before(m.SubmittedAt):
		return contract.CandidateSourceExternalAPI
	}
	return contract.CandidateSourceRoleSubmission
}

// LastSubmittedAt returns when the candidate was last submitted, by the API or to a role in the app;
// zero: never.
func (m Membership) LastSubmittedAt() time.Time { return laterOf(m.SubmittedAt, m.RoleSubmittedAt) }

// Write is one unit of work on memberships: a call of the API, a command of the app or
// the end of an ingestion.
type Write struct {
	// Now is the time of the call, or when the command was given.
	Now time.Time
	// Version is the command's; 0 for any other write.
	Version int64
	// ID identifies the unit of work.
	ID string
	// Changes are what else the unit of work changes, for the feed.
	Changes []changefeed.Change
	// With joins every transaction of the unit of work.
	With []func(*dynamo.WriteTx)
}

// Resume is what ingestion read in the file of a membership. It is stored with the membership: it
// is replaced when the file is, and erased with it.
type Resume struct {
	// ReadAt is when it was read; zero: never.
	ReadAt    time.Time `json:"readAt"`
	Skills    []string  `json:"skills,omitempty"`
	Languages []string  `json:"languages,omitempty"`
	Education []Study   `json:"education,omitempty"`
	// Years are those of experience; 0: unknown.
	Years float64 `json:"years,omitempty"`
	// Confidence is from 0 to 1, by the names of the contract; a field that was not found has none.
	Confidence map[string]float64 `json:"confidence,omitempty"`
}

// Study is one entry of a person's education. Years are 0 where they are unknown.
type Study struct {
	School string `json:"school,omitempty"`
	Degree string `json:"degree,omitempty"`
	From   int    `json:"from,omitempty"`
	To     int    `json:"to,omitempty"`
}
