// Package submission stores what agencies submit: batches, their rows, and the
// in-flight items, which are queued or processing; and the resumes uploaded ahead of
// them. Acceptance is the commit of in-flight items with the header of their part of
// the batch; a message of the queue only wakes a worker up to look at them. An item's row comes with
// its first change, so that accepting a hundred takes a hundred writes and a few.
//
// The in-flight item's key is the dedupe identity, so it exists exactly while a submission
// of that candidate is queued or processing: while it does, a further one is a
// duplicate. It holds the payload, the attempts and the lease of the worker that runs
// it. It is deleted in the transaction that writes the outcome, so an outcome is final
// and there is only one. Duplicated, reordered and late deliveries fail on a condition.
//
// An upload is two items: one by the hash of its content, so that the same bytes are
// one upload, and one by its id, which submissions look up.
//
// The package does not know the contents of resumes, providers or memberships: the effects
// of an outcome beyond the row are written by the function that runs the item, in the
// same transaction ([Store.Succeed]).
package submission

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Retention is how long a batch can be read.
const Retention = 90 * 24 * time.Hour

// Submission is one candidate of a batch as it was accepted.
type Submission struct {
	// ID, BatchID and Index name it; ID is derived from the other two.
	ID      uuid.UUID `json:"id"`
	BatchID uuid.UUID `json:"batchId"`
	Index   int       `json:"index"`
	// AgencyID and OwnerID are the candidate's agency and owner.
	AgencyID string `json:"agencyId"`
	OwnerID  string `json:"ownerId"`
	// Environment is that of the key that sent it: with AgencyID, the tenant.
	Environment string `json:"environment"`
	// Name is as sent; Email and LinkedInURL are canonical.
	Name              string                   `json:"name"`
	Email             string                   `json:"email"`
	LinkedInURL       string                   `json:"linkedinUrl"`
	Preferences       contract.WorkPreferences `json:"preferences"`
	ScreeningCallLink string                   `json:"screeningCallLink,omitempty"`
	// ResumeKey is where the uploaded file lies, FileName how it was called.
	ResumeKey string `json:"resumeKey"`
	FileName  string `json:"fileName,omitempty"`
	// ClientReferenceID is the agency's own reference; empty when it sent none.
	ClientReferenceID string `json:"clientReferenceId,omitempty"`
	// UploadID names the upload that the file came with; nil for a single submit.
	UploadID uuid.UUID `json:"uploadId,omitzero"`
	// SubmittedAt is when it was accepted, on a retry later than the batch was
	// created; Deadline is when the item times out, which parking moves.
	SubmittedAt time.Time `json:"submittedAt"`
	Deadline    time.Time `json:"deadline"`
	// Trace is the trace id of the request that submitted it: a wake-up message that the sweeper sends
	// again, and every attempt, have it too.
	Trace string `json:"trace,omitempty"`
}

// NewID returns the id of a batch's item, derived so that a repeated attempt at the
// same batch names its items the same. It is a uuid v7 of the batch's time.
func NewID(batch uuid.UUID, index int) uuid.UUID {
	sum := sha256.Sum256(append(batch[:], byte(index>>8), byte(index)))
	id := batch
	copy(id[6:], sum[:10])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id
}

// CandidateUserID returns the handle of the membership that this submission creates
// when the candidate is not there yet: "cu_" and 26 characters of Crockford base32.
func (s Submission) CandidateUserID() string { return "cu_" + cloud.ShortID(s.ID) }

// Tenant returns the tenant that sent the submission.
func (s Submission) Tenant() tenant.ID { return tenant.Of(s.AgencyID, s.Environment) }

// UploadKey is where the resume of a single submit is stored.
func (s Submission) UploadKey() string {
	return "uploads/" + string(s.Tenant()) + "/" + s.ID.String()
}

// CopyKey is where the membership's own copy of the resume is stored. It follows from
// the submission alone, so the end of an item can remove what a dead worker left; its
// last segment is that of the file that was copied. The key leads to the batch's item too, so
// that an erasure finds the client reference of whatever became a membership.
func (s Submission) CopyKey() string {
	return fmt.Sprintf("%s%s.%d/%s", copyPrefix, s.BatchID, s.Index, path.Base(s.ResumeKey))
}

// inFlightID returns the key of the in-flight item: a hash of the dedupe identity, so that no
// e-mail address is in a key, a message or a log.
func (s Submission) inFlightID() string {
	identity := strings.Join([]string{string(s.Tenant()), s.OwnerID, s.Email, s.LinkedInURL}, "\x00")
	return itemkey.InFlightItem.PK(fmt.Sprintf("%x", sha256.Sum256([]byte(identity))))
}

// Batch is the header of a submission call.
type Batch struct {
	ID        uuid.UUID
	Tenant    tenant.ID
	CreatedAt time.Time
	// ItemCount counts all items sent, rejected ones too.
	ItemCount int
}

// Outcome is what became of one submission when it was accepted.
type Outcome struct {
	// Status is Queued or Deduplicated, or the state that an earlier attempt at the same batch has already come to.
	Status contract.ItemStatus
	// Code is that of a recorded failure.
	Code contract.SubmissionError
	// Wake-up message is the queue message; zero when there is nothing to run.
	WakeUp cloud.Message
}

// EnqueueFailed reports whether an earlier attempt could not queue the submission.
func (o Outcome) EnqueueFailed() bool { return o.Code == contract.EnqueueFailed }

// Place is where an item is: the batch, and the index in it.
type Place struct {
	Batch uuid.UUID
	Index int
}

const copyPrefix = "resumes/"

// ParseCopyKey returns the place of the submission with a [Submission.CopyKey]; ok is false for any
// other key.
func ParseCopyKey(key string) (p Place, ok bool) {
	batch, index, _ := strings.Cut(strings.TrimPrefix(path.Dir(key), copyPrefix), ".")
	id, idErr := uuid.Parse(batch)
	n, err := strconv.Atoi(index)
	return Place{id, n}, idErr == nil && err == nil
}

// Settings are the time limits of a submission.
type Settings struct {
	// Timeout ends a submission that never completes (default 4 h). It begins again when the
	// submission is parked.
	Timeout time.Duration
	// Resend is the wait before the sweeper sends a first wake-up message again (default
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
	return s.setRow(sub, now).If("attribute_not_exists(pk) OR 'status' IN (?, ?)", contract.Queued, contract.Processing)
}

func (s *Store) setRow(sub Submission, now time.Time) *dynamo.Update {
	return s.table.Update(topology.PK, batchKey(sub.BatchID)).Range(topology.SK, rowKind(sub.Index)).
		Set("updated", now.UnixMilli()).Set(topology.TTL, sub.SubmittedAt.Add(Retention).Unix())
}

func (s *Store) updateInFlight(id string) *dynamo.Update {
	return s.table.Update(topology.PK, id).Range(topology.SK, inFlightKind)
}

// freeInFlight ends the lease of the item, if it has one.
func (s *Store) freeInFlight(id string) *dynamo.Update {
	return s.updateInFlight(id).Set("lease", 0).Remove("nonce")
}

func (s *Store) deleteInFlight(id string) *dynamo.Delete {
	return s.table.Delete(topology.PK, id).Range(topology.SK, inFlightKind)
}

// SuccessChange returns the feed's change for a submission that succeeded.
func (s Submission) SuccessChange(candidateUserID string, at time.Time) changefeed.Change {
	c := s.newChange(contract.SubmissionSucceeded, at)
	c.CandidateUserID = candidateUserID
	c.Status = contract.ChangeStatus(contract.Succeeded)
	return c
}

func (s Submission) newChange(of contract.ChangeType, at time.Time) changefeed.Change {
	c := changefeed.Change{Type: of, At: at.UnixMilli(), BatchID: s.BatchID.String(), SubmissionID: s.ID.String()}
	if s.ClientReferenceID != "" {
		c.ReferredItem = s.Index + 1
	}
	return c
}

type failure struct {
	Submission
	code     contract.SubmissionError
	message  string
	evidence string
	at       time.Time
}

// failItem returns the transaction that ends an in-flight item, if the condition of its deletion holds. It writes the row, the
// entry of the feed, and the items by which is found what is left: a disposal of its files and, for an upload and a
// client reference, which stay, the links from its person.
func (s *Store) failItem(live *dynamo.Delete, f failure) *dynamo.WriteTx {
	row := s.updateRow(f.Submission, f.at).Set("status", contract.Failed).Set("code", f.code).Set("message", f.message)
	tx := s.write().Delete(live).Update(row.Set("evidence", f.evidence)) // which "" removes
	if f.needsLink() {
		for _, put := range s.putPersonLinks(f.Submission, f.CopyKey()) {
			tx.Put(put)
		}
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
		c.Status = contract.ChangeStatus(contract.Failed)
		c.ErrorCode = f.code
		entry.Changes = append(entry.Changes, c)
	}
	s.Feed.Record(tx, failed[0].Tenant(), entry)
}
