package network

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Store stores the talent network in the network table. It is safe for use by
// several goroutines.
type Store struct {
	table       dynamo.Table
	write       func() *dynamo.WriteTx
	eligibility time.Duration
	// Feed, unless nil, records every change, in the transaction that makes it.
	Feed *changefeed.Feed
}

// Open opens the store by the names and the setting ELIGIBILITY in the function's environment.
func Open(o *cloud.Opener) *Store {
	eligibility := o.Duration("ELIGIBILITY", DefaultEligibility)
	s := NewStore(o.Table(topology.Network), o.Write, eligibility)
	s.Feed = changefeed.Open(o)
	return s
}

// NewStore returns a store on the network table; write starts a transaction on the
// database that the table is in. eligibility is how long an ingestion or a
// re-enable keeps a membership on the market.
func NewStore(table dynamo.Table, write func() *dynamo.WriteTx, eligibility time.Duration) *Store {
	return &Store{table: table, write: write, eligibility: eligibility}
}

// maxRounds bounds the attempts at a write when others change the same items concurrently;
// each attempt that is lost is one that another write won.
const maxRounds = 60

// maxParallelWrites bounds how many memberships of a request are written at a time.
const maxParallelWrites = 16

// errContention ends a write that lost every round. A repeat converges.
var errContention = errors.New("too many concurrent updates of the candidate")

// Membership returns one membership, read consistently; found is false when there is none.
func (s *Store) Membership(ctx context.Context, id string) (m Membership, found bool, err error) {
	defer fault.Wrap(&err, "network.Membership(id)")

	found, err = cloud.GetItem(ctx, s.table, membershipKey(id), membershipKind, &m)
	return m, found, err
}

// SetPreferences replaces the preferences of a membership that was read, unless newer
// ones are stored. Of the same preferences only the statement moves, so that neither a
// submission on its way nor a late command undoes them.
func (s *Store) SetPreferences(ctx context.Context, m Membership, p contract.WorkPreferences, w Write) (_ Membership, err error) {
	defer fault.Wrap(&err, "network.SetPreferences(id)")

	wanted := toSavedPreferences(p)
	return s.changeMembership(ctx, m, w, func(m *Membership) {
		m.setPreferences(wanted, w.statement(m.PreferencesStated))
	})
}

func (m *Membership) setPreferences(p *contract.SavedWorkPreferences, s Statement) {
	if s.after(m.PreferencesStated) {
		m.Preferences = p
		m.PreferencesStated = s
	}
}

// SetFastTrack sets the opt-in of a membership that was read.
func (s *Store) SetFastTrack(ctx context.Context, m Membership, fastTrack bool, w Write) (_ Membership, err error) {
	defer fault.Wrap(&err, "network.SetFastTrack(id)")

	return s.changeMarket(ctx, m, w, func(before Market) Market { return before.OptIn(fastTrack, w.statement(before.FastTrackStated)) })
}

// SetLocked locks or unlocks a membership that was read.
func (s *Store) SetLocked(ctx context.Context, m Membership, locked bool, w Write) (_ Membership, err error) {
	defer fault.Wrap(&err, "network.SetLocked(id)")

	return s.changeMarket(ctx, m, w, func(before Market) Market { return before.Lock(locked, w.statement(before.LockStated)) })
}

// SetOffMarket takes a membership, as it was read, off the market or puts it back, as a recruiter
// did in the app.
func (s *Store) SetOffMarket(ctx context.Context, m Membership, off bool, w Write) (_ Membership, err error) {
	defer fault.Wrap(&err, "network.SetOffMarket(id)")

	return s.changeMarket(ctx, m, w, func(before Market) Market {
		return before.SetOff(off, w.statement(before.Stated), s.eligibility)
	})
}

func (s *Store) changeMarket(ctx context.Context, m Membership, w Write, move func(Market) Market) (Membership, error) {
	return s.changeMembership(ctx, m, w, func(m *Membership) { m.Market = move(m.Market) })
}

// changeMembership applies a change to a membership as it was read, and again to the stored
// one if another write was faster. The time of the update moves when something that a
// caller sees does, and never back. A change without effect is not written.
func (s *Store) changeMembership(ctx context.Context, m Membership, w Write, apply func(*Membership)) (Membership, error) {
	for range maxRounds {
		before := m
		apply(&m)
		if reflect.DeepEqual(m, before) {
			return m, nil
		}
		if m.Row() != before.Row() || !reflect.DeepEqual(m.Preferences, before.Preferences) {
			m.UpdatedAt = laterOf(m.UpdatedAt, w.Now)
		}
		err := s.putMembership(s.write(), before, m, w).Run(ctx)
		if !dynamo.IsCondCheckFailed(err) {
			return m, err
		}
		stored, found, err := s.Membership(ctx, m.ID)
		switch {
		case err != nil:
			return Membership{}, err
		case !found:
			return Membership{}, fault.Missing()
		case stored.writeID == w.ID:
			return m, nil // only the answer was lost
		}
		m = stored
	}
	return Membership{}, errContention
}

// putMembership adds a membership with its rows, and what joins w, to a transaction, on the condition that the stored
// membership is still the one in before. The zero Membership means none.
func (s *Store) putMembership(tx *dynamo.WriteTx, before, m Membership, w Write) *dynamo.WriteTx {
	m.version = before.version + 1
	m.writeID = w.ID
	s.recordChanges(tx, &m, append(before.changesTo(m, w.Now), w.Changes...))
	put := s.table.Put(m)
	if before.version == 0 {
		put.If("attribute_not_exists(pk)")
	} else {
		put.If("version = ?", before.version)
	}
	tx.Put(put)
	s.putRows(tx, before, m)
	for _, join := range w.With {
		join(tx)
	}
	return tx
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
	if !reflect.DeepEqual(m.Preferences, after.Preferences) {
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

// recordChanges adds the entry of the feed, if anything changed, to the transaction of a membership's new version.
func (s *Store) recordChanges(tx *dynamo.WriteTx, m *Membership, changes []changefeed.Change) {
	if s.Feed == nil || len(changes) == 0 {
		return
	}
	m.recorded = laterOf(m.recorded, s.Feed.Now())
	s.Feed.Record(tx, m.Tenant, changefeed.Entry{Subject: m.ID, Version: m.version, RecordedAt: m.recorded, Changes: changes})
}
