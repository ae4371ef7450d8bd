package submission

import (
	"context"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Settings are the time limits of a submission.
type Settings struct {
	// Timeout ends a submission that never completes (default 4 h). It begins again when the
	// submission is parked.
	Timeout time.Duration
	// Resend is the wait before the sweeper sends a first hint again (default
	// 10 min); it doubles with every one, to at most four times.
	Resend time.Duration
}

// Defaults of the settings.
const (
	DefaultTimeout = 4 * time.Hour
	DefaultResend  = 10 * time.Minute
)

// MaxAttempts is how many workers claim an item before it fails as
// internal_error, never lost and never stuck.
const MaxAttempts = 5

// Store stores submissions in the submissions table.
type Store struct {
	table    dynamo.Table
	write    func() *dynamo.WriteTx
	settings Settings
	// Discard, unless nil, removes the files of an item that ends without success: the one that was sent, and the
	// copy that a worker may have left. A missing file is not an error.
	Discard func(ctx context.Context, key string) error
	// Feed, unless nil, records the submissions that fail, in the transactions that end them. One that
	// succeeds is recorded with its membership ([Submission.SuccessChange]).
	Feed *changefeed.Feed
}

// Open opens the store by the names in the function's environment.
func Open(o *cloud.Opener) *Store {
	settings := Settings{o.Duration("INGEST_TIMEOUT", DefaultTimeout), o.Duration("INGEST_RESEND", DefaultResend)}
	s := NewStore(o.Table(topology.Submissions), o.Write, settings)
	s.Feed = changefeed.Open(o)
	return s
}

// NewStore returns a store on the submissions table; write begins a transaction of its
// database.
func NewStore(table dynamo.Table, write func() *dynamo.WriteTx, settings Settings) *Store {
	return &Store{table: table, write: write, settings: settings}
}

// Deadline returns when what is accepted at t times out.
func (s *Store) Deadline(t time.Time) time.Time { return t.Add(s.settings.Timeout) }

// maxTimeouts bounds the time of an item that is parked, in time-outs after its submission.
const maxTimeouts = 6

// LastDeadline returns when a submission times out at the latest, however often it is parked.
func (s *Store) LastDeadline(sub Submission) time.Time {
	return sub.SubmittedAt.Add(maxTimeouts * s.settings.Timeout)
}

// updateRow changes the row of an item that is in flight: one that has none is queued.
func (s *Store) updateRow(sub Submission, now time.Time) *dynamo.Update {
	return s.setRow(sub, now).If("attribute_not_exists(pk) OR 'status' IN (?, ?)", inFlight[0], inFlight[1])
}

func (s *Store) setRow(sub Submission, now time.Time) *dynamo.Update {
	return s.table.Update(topology.PK, batchKey(sub.BatchID)).Range(topology.SK, rowKind(sub.Index)).
		Set("updated", now.UnixMilli()).Set(topology.TTL, sub.SubmittedAt.Add(Retention).Unix())
}

func (s *Store) updateLive(id string) *dynamo.Update {
	return s.table.Update(topology.PK, id).Range(topology.SK, liveKind)
}

// freeLive ends the lease of the item, if it has one.
func (s *Store) freeLive(id string) *dynamo.Update {
	return s.updateLive(id).Set("lease", 0).Remove("nonce")
}

func (s *Store) deleteLive(id string) *dynamo.Delete {
	return s.table.Delete(topology.PK, id).Range(topology.SK, liveKind)
}

// SuccessChange returns the feed's change for a submission that succeeded.
func (s Submission) SuccessChange(candidateUserID string, at time.Time) changefeed.Change {
	c := s.newChange(contract.SubmissionSucceeded, at)
	c.CandidateUserID, c.Status = candidateUserID, contract.ChangeStatus(contract.Succeeded)
	return c
}

func (s Submission) newChange(of contract.ChangeType, at time.Time) changefeed.Change {
	c := changefeed.Change{Type: of, At: at.UnixMilli(), BatchID: s.BatchID.String(), SubmissionID: s.ID.String()}
	if s.ClientReferenceID != "" {
		c.ReferredItem = s.Index + 1
	}
	return c
}

// failure is how a submission ends without success.
type failure struct {
	Submission
	code     contract.SubmissionError
	message  string
	evidence string
	at       time.Time
}

// failItem returns the transaction that ends a live item, if the condition of its deletion holds. It writes the row, the
// entry of the feed, and the items by which is found what is left: a disposal of its files and, for an upload and a
// client reference, which stay, the links from its person.
func (s *Store) failItem(live *dynamo.Delete, f failure) *dynamo.WriteTx {
	row := s.updateRow(f.Submission, f.at).Set("status", contract.Failed).Set("code", f.code).Set("message", f.message)
	tx := s.write().Delete(live).Update(withEvidence(row, f.evidence))
	if f.needsLink() {
		s.addPersonLinks(tx, f.Submission, f.CopyKey())
	}
	tx.Put(s.putDisposal(f.BatchID, strconv.Itoa(f.Index), f.at, f.files()...))
	s.recordFailures(tx, f)
	return tx
}

// recordFailures adds to the transaction that ends some submissions the entry of the feed.
func (s *Store) recordFailures(tx *dynamo.WriteTx, failed ...failure) {
	if s.Feed == nil || len(failed) == 0 {
		return
	}
	entry := changefeed.Entry{Subject: failed[0].ID.String(), RecordedAt: s.Feed.Now()}
	for _, f := range failed {
		c := f.newChange(contract.SubmissionFailed, f.at)
		c.Status, c.ErrorCode = contract.ChangeStatus(contract.Failed), f.code
		entry.Changes = append(entry.Changes, c)
	}
	s.Feed.Record(tx, failed[0].Tenant(), entry)
}
