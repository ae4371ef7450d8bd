package network

import (
	"encoding/json"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/contract"
)

// membership is the stored detail item.
type membership struct {
	ID          string `dynamo:"pk"`
	Kind        string `dynamo:"sk"`
	Agency      string `dynamo:"agency"`
	Owner       string `dynamo:"owner"`
	Name        string `dynamo:"name"`
	Email       string `dynamo:"email"`
	LinkedInURL string `dynamo:"linkedin"`
	Source      Source `dynamo:"source"`
	// Preferences is the response form as JSON, so that its names are the contract's.
	Preferences       []byte `dynamo:"preferences,omitempty"`
	ScreeningCallLink string `dynamo:"call,omitempty"`
	ResumeKey         string `dynamo:"resume,omitempty"`
	Added             int64  `dynamo:"added"`
	Updated           int64  `dynamo:"updated"`
	MarketExpires     int64  `dynamo:"expires,omitempty"`
	// Version counts writes; every one is conditional on the version it read.
	Version int64 `dynamo:"version"`
}

// listRow is the thin item that a list page reads (at most 400 bytes or so).
type listRow struct {
	Agency string `dynamo:"pk"`
	// Position is when it was added, "#", and the membership's id.
	Position      string `dynamo:"sk"`
	Owner         string `dynamo:"owner"`
	Name          string `dynamo:"name"`
	Email         string `dynamo:"email"`
	LinkedInURL   string `dynamo:"linkedin"`
	Title         string `dynamo:"title,omitempty"`
	Company       string `dynamo:"company,omitempty"`
	Location      string `dynamo:"location,omitempty"`
	Source        Source `dynamo:"source"`
	Updated       int64  `dynamo:"updated"`
	MarketExpires int64  `dynamo:"expires,omitempty"`
}

const (
	membershipKind = "M"
	identityKind   = "I"
)

func membershipKey(id string) string { return "M#" + id }

func listKey(agencyID string) string { return "A#" + agencyID }

// position orders list rows by when they were added, then by id.
func position(added int64, id string) string {
	return time.UnixMilli(added).UTC().Format("20060102T150405.000") + "#" + id
}

func linkedInKey(agencyID, url string) string { return "A#" + agencyID + "#li#" + url }

func emailKey(agencyID, email string) string { return "A#" + agencyID + "#em#" + email }

// ownerAttribute holds, in an identity item, what the identity leads to for one owner.
func ownerAttribute(ownerID string) string { return "o#" + ownerID }

func (m membership) domain() (Membership, error) {
	out := Membership{
		ID: m.ID[len("M#"):], AgencyID: m.Agency, OwnerID: m.Owner, Source: m.Source, ResumeKey: m.ResumeKey,
		AddedAt: time.UnixMilli(m.Added).UTC(), UpdatedAt: time.UnixMilli(m.Updated).UTC(), version: m.Version,
	}
	if m.MarketExpires != 0 {
		out.MarketExpiresAt = time.UnixMilli(m.MarketExpires).UTC()
	}
	if m.Preferences == nil {
		return out, nil
	}
	out.Preferences = &contract.SavedWorkPreferences{}
	err := json.Unmarshal(m.Preferences, out.Preferences)
	return out, err
}

// saved turns the request form into what is read back: every list is there.
func saved(p contract.WorkPreferences) contract.SavedWorkPreferences {
	list := func(s []string) []string {
		if s == nil {
			return []string{}
		}
		return s
	}
	salary, visa := p.SalaryMin, p.VisaAuthorization
	return contract.SavedWorkPreferences{
		Locations: list(p.Locations), WorkplaceTypes: list(p.WorkplaceTypes),
		SalaryMin: &salary, SalaryMax: p.SalaryMax, OTE: p.OTE,
		IdealFundingRounds: list(p.IdealFundingRounds), VisaAuthorization: &visa,
		RoleType: list(p.RoleType), ExcludedIndustries: list(p.ExcludedIndustries),
		CompanySizePreferences: list(p.CompanySizePreferences),
	}
}
