package network

import (
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// changesTo returns the changes for the feed when m becomes after, at the given time.
func (m Membership) changesTo(after Membership, at time.Time) (changes []changefeed.Change) {
	note := func(of contract.ChangeType, at time.Time, status contract.MarketStatus) {
		c := changefeed.Change{Type: of, At: at.UnixMilli(), CandidateUserID: after.ID, Status: contract.ChangeStatus(status)}
		changes = append(changes, c)
	}
	status := after.listedStatus()
	if m.version == 0 {
		note(contract.CandidateAdded, at, status)
		return changes
	}
	if !samePreferences(m.Preferences, after.Preferences) {
		note(contract.PreferencesChanged, at, "")
	}
	if m.listedStatus() != status {
		if status == contract.Expired {
			at = after.lapsed
		}
		note(contract.MarketChanged, at, status)
	}
	if m.Market.FastTrack != after.Market.FastTrack {
		note(contract.FastTrackChanged, at, "")
	}
	return changes
}

// recordChanges adds to the transaction of a membership's new version the entry of the feed, if
// anything changed.
func (s *Store) recordChanges(tx *dynamo.WriteTx, m *Membership, changes []changefeed.Change) {
	if s.feed == nil || len(changes) == 0 {
		return
	}
	m.recorded = laterOf(m.recorded, s.feed.Now())
	s.feed.Record(tx, m.Tenant, changefeed.Entry{Subject: m.ID, Version: m.version, RecordedAt: m.recorded, Changes: changes})
}

// recordRemoval adds to the transaction that deletes m the entry of the feed.
func (s *Store) recordRemoval(tx *dynamo.WriteTx, m Membership) {
	if s.feed == nil {
		return
	}
	removed := changefeed.Change{Type: contract.CandidateRemoved, At: s.feed.Now().UnixMilli(), CandidateUserID: m.ID}
	m.version++
	s.recordChanges(tx, &m, []changefeed.Change{removed})
}
