package network

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// rowItem is the thin item that a list page reads: about 300 bytes. What its keys contain is not
// stored again.
type rowItem struct {
	PK string `dynamo:"pk"`
	SK string `dynamo:"sk"`
	// Owner is empty in an owner's lists.
	Owner string `dynamo:"o,omitempty"`
	// Person has the LinkedIn URL without the prefix that all canonical URLs have.
	Person
	Source contract.CandidateSource `dynamo:"s"`
	// LastSource is stored where it is not Source.
	LastSource contract.CandidateSource `dynamo:"ls,omitempty"`
	// Off is true for a locked candidate too.
	Off         bool  `dynamo:"f,omitempty"`
	FastTrack   bool  `dynamo:"ft,omitempty"`
	Preferences bool  `dynamo:"p,omitempty"`
	Resume      bool  `dynamo:"r,omitempty"`
	Updated     int64 `dynamo:"u"`
	Expires     int64 `dynamo:"x,omitempty"`
}

// UnmarshalDynamoItem implements dynamo.ItemUnmarshaler.
func (i *rowItem) UnmarshalDynamoItem(item dynamo.Item) error { return cloud.DecodeItem(item, i) }

// Filter selects rows of a list; the zero value selects all. The rows that pass a filter are stored
// in a partition of their own.
type Filter struct {
	OwnerID string
	Status  contract.MarketStatus
}

// partition returns the key of the partition with the rows that pass the filter.
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
		PK: f.partition(m.Tenant), SK: formatSortKey(m.AddedAt, m.ID), Person: m.Person, Source: m.Source,
		Off: m.Market.Off(), FastTrack: m.Market.FastTrack, Preferences: m.Preferences != nil, Resume: m.ResumeKey != "",
		Updated: cloud.ToMillis(m.UpdatedAt), Expires: cloud.ToMillis(m.Market.ExpiresAt),
	}
	row.LinkedInURL = strings.TrimPrefix(row.LinkedInURL, identity.LinkedInFromSlug(""))
	if f.OwnerID == "" {
		row.Owner = m.OwnerID
	}
	if last := m.lastSubmissionSource(); last != m.Source {
		row.LastSource = last
	}
	return row
}

// toRow returns a row that was read from the list of a filter.
func (i rowItem) toRow(f Filter) Row {
	added, id, _ := parseSortKey(i.SK)
	row := Row{
		ID: id, OwnerID: cmp.Or(i.Owner, f.OwnerID), Person: i.Person,
		Source: i.Source, LastSubmissionSource: cmp.Or(i.LastSource, i.Source),
		Off: i.Off, ExpiresAt: cloud.FromMillis(i.Expires), FastTrack: i.FastTrack,
		HasPreferences: i.Preferences, HasResume: i.Resume, AddedAt: added, UpdatedAt: cloud.FromMillis(i.Updated),
	}
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

// putRows adds to a transaction the writes that turn the rows of before into those of after.
func (s *Store) putRows(tx *dynamo.WriteTx, before, after Membership) {
	stale := before.toRowItems()
	for key, row := range after.toRowItems() {
		if row != stale[key] {
			tx.Put(s.table.Put(row))
		}
		delete(stale, key)
	}
	for key := range stale {
		tx.Delete(s.table.Delete(topology.PK, key[0]).Range(topology.SK, key[1]))
	}
}

// lastMilli (in the year 2286) is the time from which the times in sort keys count down.
const lastMilli = 9_999_999_999_999

// formatSortKey returns the sort key of a list row. Rows are sorted by the time at which the
// membership was added, newest first, then by id.
func formatSortKey(added time.Time, id string) string {
	return itemkey.MembershipRow.SK(fmt.Sprintf("%013d", lastMilli-added.UnixMilli()), id)
}

// parseSortKey is the inverse of formatSortKey.
func parseSortKey(sk string) (added time.Time, id string, ok bool) {
	digits, id, found := strings.Cut(sk, "#")
	left, err := strconv.ParseUint(digits, 10, 64)
	ok = found && id != "" && err == nil && len(digits) == 13
	return time.UnixMilli(lastMilli - int64(left)).UTC(), id, ok
}
