package network

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// membershipItem is the stored detail item.
type membershipItem struct {
	PK       string    `dynamo:"pk"`
	SK       string    `dynamo:"sk"`
	Tenant   tenant.ID `dynamo:"agency"`
	Added    int64     `dynamo:"added"`
	Locked   bool      `dynamo:"locked,omitempty"`
	LockAt   int64     `dynamo:"lockAt,omitempty"`
	LockRank int64     `dynamo:"lockRank,omitempty"`
	// OffAt and OnAt are when the candidate was taken off or put on: the newer one.
	OffAt      int64  `dynamo:"offAt,omitempty"`
	OnAt       int64  `dynamo:"onAt,omitempty"`
	MarketRank int64  `dynamo:"marketRank,omitempty"`
	ExcludedAt int64  `dynamo:"excludedAt,omitempty"`
	FastAt     int64  `dynamo:"fastAt,omitempty"`
	FastRank   int64  `dynamo:"fastRank,omitempty"`
	Boosted    bool   `dynamo:"boosted,omitempty"`
	CallLink   string `dynamo:"call,omitempty"`
	ResumeKey  string `dynamo:"resumeKey,omitempty"`
	// Resume is what was read in the file, as JSON.
	Resume []byte `dynamo:"resume,omitempty"`
	// Others are the keys of further identities that lead to the membership.
	Others []string `dynamo:"others,omitempty"`
	// Preferences is the response form as JSON, so that its names are the contract's.
	Preferences     []byte `dynamo:"preferences,omitempty"`
	PreferencesAt   int64  `dynamo:"preferencesAt,omitempty"`
	PreferencesRank int64  `dynamo:"preferencesRank,omitempty"`
	SubmittedAt     int64  `dynamo:"submittedAt,omitempty"`
	RoleSubmittedAt int64  `dynamo:"roleAt,omitempty"`
	SourceAt        int64  `dynamo:"sourceAt,omitempty"`
	// Lapsed is the end of eligibility for which the sweep has moved the rows.
	Lapsed int64 `dynamo:"lapsed,omitempty"`
	// Shard, Expiring and Due are set while the membership is listed on the market and its rows
	// must move when the eligibility ends.
	Shard    string    `dynamo:"shard,omitempty"`
	Expiring tenant.ID `dynamo:"expiring,omitempty"`
	Due      int64     `dynamo:"due,omitempty"`
	// Version counts writes; every one is conditional on the version it read.
	Version int64  `dynamo:"version"`
	Mark    string `dynamo:"mark"`
	// Recorded is when the newest entry of the feed was made.
	Recorded int64  `dynamo:"rec,omitempty"`
	Owner    string `dynamo:"owner"`
	Person
	Source    contract.CandidateSource `dynamo:"source"`
	FastTrack bool                     `dynamo:"fast,omitempty"`
	Updated   int64                    `dynamo:"updated"`
	Expires   int64                    `dynamo:"expires,omitempty"`
}

var (
	membershipKind = itemkey.Membership.SK()
	identityKind   = itemkey.LinkedInIdentity.SK() // and itemkey.EmailIdentity's
)

func membershipKey(id string) string { return itemkey.Membership.PK(id) }

func linkedInKey(t tenant.ID, url string) string { return itemkey.LinkedInIdentity.PK(string(t), url) }

func emailKey(t tenant.ID, email string) string { return itemkey.EmailIdentity.PK(string(t), email) }

// toItem returns m as it is stored.
func (m Membership) toItem() (membershipItem, error) {
	item := membershipItem{
		PK: membershipKey(m.ID), SK: membershipKind, Tenant: m.Tenant, Added: cloud.ToMillis(m.AddedAt),
		Locked: m.Market.Locked, LockAt: cloud.ToMillis(m.Market.LockStated.At), LockRank: m.Market.LockStated.Rank,
		MarketRank: m.Market.Stated.Rank, ExcludedAt: cloud.ToMillis(m.Market.ExcludedAt), Boosted: m.Market.Boosted,
		FastAt: cloud.ToMillis(m.Market.FastTrackStated.At), FastRank: m.Market.FastTrackStated.Rank,
		CallLink: m.ScreeningCallLink, ResumeKey: m.ResumeKey, Others: m.others, SubmittedAt: cloud.ToMillis(m.SubmittedAt),
		PreferencesAt: cloud.ToMillis(m.PreferencesStated.At), PreferencesRank: m.PreferencesStated.Rank,
		RoleSubmittedAt: cloud.ToMillis(m.RoleSubmittedAt), SourceAt: cloud.ToMillis(m.SourceAt), Lapsed: cloud.ToMillis(m.lapsed),
		Version: m.version, Mark: m.mark, Recorded: cloud.ToMillis(m.recorded), Owner: m.OwnerID, Person: m.Person, Source: m.Source,
		FastTrack: m.Market.FastTrack, Updated: cloud.ToMillis(m.UpdatedAt), Expires: cloud.ToMillis(m.Market.ExpiresAt),
	}
	if m.listedStatus() == contract.OnMarket && !m.Market.ExpiresAt.IsZero() {
		item.Shard = shards.Of(m.ID)
		item.Expiring = m.Tenant
		item.Due = item.Expires
	}
	if at := cloud.ToMillis(m.Market.Stated.At); m.Market.TakenOff {
		item.OffAt = at
	} else {
		item.OnAt = at
	}
	var err, resumeErr error
	if m.Preferences != nil {
		item.Preferences, err = json.Marshal(m.Preferences)
	}
	if !m.Resume.ReadAt.IsZero() {
		item.Resume, resumeErr = json.Marshal(m.Resume)
	}
	return item, errors.Join(err, resumeErr)
}

func (i membershipItem) toMembership() (Membership, error) {
	m := Membership{
		ID: strings.TrimPrefix(i.PK, membershipKey("")), Tenant: i.Tenant, OwnerID: i.Owner, Person: i.Person,
		ScreeningCallLink: i.CallLink, Source: i.Source, SourceAt: cloud.FromMillis(i.SourceAt), ResumeKey: i.ResumeKey,
		Market: i.toMarket(), PreferencesStated: toStatement(i.PreferencesAt, i.PreferencesRank),
		SubmittedAt: cloud.FromMillis(i.SubmittedAt), RoleSubmittedAt: cloud.FromMillis(i.RoleSubmittedAt),
		AddedAt: cloud.FromMillis(i.Added), UpdatedAt: cloud.FromMillis(i.Updated), lapsed: cloud.FromMillis(i.Lapsed),
		version: i.Version, mark: i.Mark, others: i.Others, recorded: cloud.FromMillis(i.Recorded),
	}
	var err, resumeErr error
	if i.Preferences != nil {
		m.Preferences = &contract.SavedWorkPreferences{}
		err = json.Unmarshal(i.Preferences, m.Preferences)
	}
	if i.Resume != nil {
		resumeErr = json.Unmarshal(i.Resume, &m.Resume)
	}
	return m, errors.Join(err, resumeErr)
}

func (i membershipItem) toMarket() Market {
	return Market{
		Locked: i.Locked, LockStated: toStatement(i.LockAt, i.LockRank),
		TakenOff: i.OffAt != 0, Stated: toStatement(max(i.OffAt, i.OnAt), i.MarketRank), ExcludedAt: cloud.FromMillis(i.ExcludedAt),
		ExpiresAt: cloud.FromMillis(i.Expires), Boosted: i.Boosted,
		FastTrack: i.FastTrack, FastTrackStated: toStatement(i.FastAt, i.FastRank),
	}
}

func toStatement(at, rank int64) Statement { return Statement{cloud.FromMillis(at), rank} }
