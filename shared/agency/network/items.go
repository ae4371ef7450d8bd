package network

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// membershipItem is the stored detail item: the fields of a [Membership], times in milliseconds.
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
	Resume []byte   `dynamo:"resume,omitempty"`
	Others []string `dynamo:"others,omitempty"`
	// Preferences is the response form as JSON, so that its names are the contract's.
	Preferences     []byte `dynamo:"preferences,omitempty"`
	PreferencesAt   int64  `dynamo:"preferencesAt,omitempty"`
	PreferencesRank int64  `dynamo:"preferencesRank,omitempty"`
	SubmittedAt     int64  `dynamo:"submittedAt,omitempty"`
	RoleSubmittedAt int64  `dynamo:"roleAt,omitempty"`
	SourceAt        int64  `dynamo:"sourceAt,omitempty"`
	Lapsed          int64  `dynamo:"lapsed,omitempty"`
	// Shard, Expiring and Due are set while the membership is listed on the market and its rows
	// must move when the eligibility ends.
	Shard    string    `dynamo:"shard,omitempty"`
	Expiring tenant.ID `dynamo:"expiring,omitempty"`
	Due      int64     `dynamo:"due,omitempty"`
	// Version counts writes; every one is conditional on the version it read.
	Version  int64  `dynamo:"version"`
	WriteID  string `dynamo:"write"`
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

// shards is the number of partitions of the due index over which memberships are spread.
const shards cloud.Shards = 16

// MarshalDynamoItem implements dynamo.ItemMarshaler.
func (m Membership) MarshalDynamoItem() (dynamo.Item, error) {
	item := membershipItem{
		PK: membershipKey(m.ID), SK: membershipKind, Tenant: m.Tenant, Added: cloud.ToMillis(m.AddedAt),
		Locked: m.Market.Locked, LockAt: cloud.ToMillis(m.Market.LockStated.At), LockRank: m.Market.LockStated.Rank,
		MarketRank: m.Market.Stated.Rank, ExcludedAt: cloud.ToMillis(m.Market.ExcludedAt), Boosted: m.Market.Boosted,
		FastAt: cloud.ToMillis(m.Market.FastTrackStated.At), FastRank: m.Market.FastTrackStated.Rank,
		CallLink: m.ScreeningCallLink, ResumeKey: m.ResumeKey, Others: m.others, SubmittedAt: cloud.ToMillis(m.SubmittedAt),
		PreferencesAt: cloud.ToMillis(m.PreferencesStated.At), PreferencesRank: m.PreferencesStated.Rank,
		RoleSubmittedAt: cloud.ToMillis(m.RoleSubmittedAt), SourceAt: cloud.ToMillis(m.SourceAt), Lapsed: cloud.ToMillis(m.lapsed),
		Version: m.version, WriteID: m.writeID, Recorded: cloud.ToMillis(m.recorded), Owner: m.OwnerID, Person: m.Person, Source: m.Source,
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
	stored, itemErr := dynamo.MarshalItem(item)
	return stored, errors.Join(err, resumeErr, itemErr)
}

// UnmarshalDynamoItem implements dynamo.ItemUnmarshaler.
func (m *Membership) UnmarshalDynamoItem(item dynamo.Item) error {
	var i membershipItem
	if err := dynamo.UnmarshalItem(item, &i); err != nil {
		return fmt.Errorf("decode a membership: %w", err)
	}
	*m = Membership{
		ID: strings.TrimPrefix(i.PK, membershipKey("")), Tenant: i.Tenant, OwnerID: i.Owner, Person: i.Person,
		ScreeningCallLink: i.CallLink, Source: i.Source, SourceAt: cloud.FromMillis(i.SourceAt), ResumeKey: i.ResumeKey,
		PreferencesStated: toStatement(i.PreferencesAt, i.PreferencesRank),
		SubmittedAt:       cloud.FromMillis(i.SubmittedAt), RoleSubmittedAt: cloud.FromMillis(i.RoleSubmittedAt),
		AddedAt: cloud.FromMillis(i.Added), UpdatedAt: cloud.FromMillis(i.Updated), lapsed: cloud.FromMillis(i.Lapsed),
		version: i.Version, writeID: i.WriteID, others: i.Others, recorded: cloud.FromMillis(i.Recorded),
		Market: Market{
			Locked: i.Locked, LockStated: toStatement(i.LockAt, i.LockRank),
			TakenOff: i.OffAt != 0, Stated: toStatement(max(i.OffAt, i.OnAt), i.MarketRank), ExcludedAt: cloud.FromMillis(i.ExcludedAt),
			ExpiresAt: cloud.FromMillis(i.Expires), Boosted: i.Boosted,
			FastTrack: i.FastTrack, FastTrackStated: toStatement(i.FastAt, i.FastRank),
		},
	}
	var err, resumeErr error
	if i.Preferences != nil {
		m.Preferences = &contract.SavedWorkPreferences{}
		err = json.Unmarshal(i.Preferences, m.Preferences)
	}
	if i.Resume != nil {
		resumeErr = json.Unmarshal(i.Resume, &m.Resume)
	}
	return errors.Join(err, resumeErr)
}

func toStatement(at, rank int64) Statement { return Statement{cloud.FromMillis(at), rank} }

// rowItem is the thin item that a list page reads: about 300 bytes. What its keys contain is not
// stored again, nor a last source that is the first one, nor the prefix that all canonical LinkedIn URLs have.
type rowItem struct {
	PK string `dynamo:"pk"`
	SK string `dynamo:"sk"`
	Row
	Updated int64 `dynamo:"u"`
	Expires int64 `dynamo:"x,omitempty"`
}

// UnmarshalDynamoItem implements dynamo.ItemUnmarshaler.
func (i *rowItem) UnmarshalDynamoItem(item dynamo.Item) error { return cloud.DecodeItem(item, i) }

// Filter selects rows of a list; the zero value selects all. The rows that pass a filter are stored
// in a partition of their own.
type Filter struct {
	OwnerID string
	Status  contract.MarketStatus
}

func (f Filter) partition(t tenant.ID) string {
	switch {
	case f == Filter{}:
		return itemkey.MembershipRow.PK(string(t))
	case f.Status == "":
		return itemkey.OwnerRow.PK(string(t), f.OwnerID)
	case f.OwnerID == "":
		return itemkey.StatusRow.PK(string(t), string(f.Status))
	}
	return itemkey.OwnerStatusRow.PK(string(t), f.OwnerID, string(f.Status))
}

// listedStatus returns the status that the membership is listed under. Until the sweep has stored that
// the eligibility is over, that is still [contract.OnMarket].
func (m Membership) listedStatus() contract.MarketStatus {
	switch {
	case m.Market.Off():
		return contract.OffMarket
	case !m.lapsed.IsZero() && m.lapsed.Equal(m.Market.ExpiresAt):
		return contract.Expired
	}
	return contract.OnMarket
}

// toRowItem returns the row of m in the list of a filter that it passes.
func (m Membership) toRowItem(f Filter) rowItem {
	row := rowItem{
		PK: f.partition(m.Tenant), SK: formatSortKey(m.AddedAt, m.ID), Row: m.Row(),
		Updated: cloud.ToMillis(m.UpdatedAt), Expires: cloud.ToMillis(m.Market.ExpiresAt),
	}
	row.LinkedInURL = strings.TrimPrefix(row.LinkedInURL, identity.LinkedInFromSlug(""))
	if f.OwnerID != "" {
		row.OwnerID = ""
	}
	if row.LastSubmissionSource == row.Source {
		row.LastSubmissionSource = ""
	}
	return row
}

func (i rowItem) toRow(f Filter) Row {
	row := i.Row
	row.AddedAt, row.ID, _ = parseSortKey(i.SK)
	row.OwnerID = cmp.Or(i.OwnerID, f.OwnerID)
	row.LastSubmissionSource = cmp.Or(i.LastSubmissionSource, i.Source)
	row.ExpiresAt = cloud.FromMillis(i.Expires)
	row.UpdatedAt = cloud.FromMillis(i.Updated)
	if i.LinkedInURL != "" {
		row.LinkedInURL = identity.LinkedInFromSlug(i.LinkedInURL)
	}
	return row
}

// toRowItems returns all rows of m; none for the zero Membership.
func (m Membership) toRowItems() map[dynamo.Keys]rowItem {
	rows := map[dynamo.Keys]rowItem{}
	if m.ID == "" {
		return rows
	}
	for _, f := range []Filter{{}, {OwnerID: m.OwnerID}, {Status: m.listedStatus()}, {OwnerID: m.OwnerID, Status: m.listedStatus()}} {
		row := m.toRowItem(f)
		rows[dynamo.Keys{row.PK, row.SK}] = row
	}
	return rows
}

// lastMilli (in the year 2286) is the time from which the times in sort keys count down.
const lastMilli = 9_999_999_999_999

// formatSortKey returns the sort key of a list row. Rows are sorted by the time at which the
// membership was added, newest first, then by id.
func formatSortKey(added time.Time, id string) string {
	return itemkey.MembershipRow.SK(fmt.Sprintf("%013d", lastMilli-added.UnixMilli()), id)
}

func parseSortKey(sk string) (added time.Time, id string, ok bool) {
	digits, id, found := strings.Cut(sk, "#")
	left, err := strconv.ParseUint(digits, 10, 64)
	ok = found && id != "" && err == nil && len(digits) == 13
	return time.UnixMilli(lastMilli - int64(left)).UTC(), id, ok
}
