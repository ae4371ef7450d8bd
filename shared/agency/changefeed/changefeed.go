// Package changefeed is an agency's log of changes, in one order for every reader: which
// submissions ended and which candidates changed (contract, GET /talent-network/changes).
//
// A writer adds an entry to the transaction of the changes it reports ([Feed.Record]). Entries have no
// number, because a number that all writers take from one counter would let them wait for each
// other. They are spread over a few partitions of the tenant, in which no key is written twice.
// Readers give the numbers: a reader at the end of the log moves entries to it, up to a hundred in
// a transaction that deletes them, puts one segment of the log and advances the tenant's head.
//
//	I#<tenant>#<shard> / <recorded>#<subject>#<version>  an entry that has no number yet
//	A#<tenant> / S#<number>                              a segment of the log, by its first number
//	A#<tenant> / H                                       the head: the last number
//
// So it does not matter when an entry was made, or by which clock: whenever it is committed, it
// gets a number after all that were given, once, because it is deleted in the same transaction. A
// position is a place among the numbers. Of concurrent readers one moves, and the others read
// what it has moved. A feed that is not read costs its writers one small item, and nothing else.
//
// The package knows no memberships and no batches; a change holds ids, and nothing of a person.
package changefeed

import (
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const (
	// Retention is how long a change can be read.
	Retention = 30 * 24 * time.Hour
	// tolerance is how much older a position may be, so that a reader who is on the way through
	// the oldest changes does not lose them.
	tolerance = time.Hour
	// storage is how long items are kept. It exceeds what a position can be old by more than
	// clocks differ and commits last.
	storage = Retention + 24*time.Hour
)

// Change is what happened to a submission or to a candidate.
type Change struct {
	// Number is its place in the tenant's order, from 1; 0 before it is read.
	Number int64               `json:"-"`
	Type   contract.ChangeType `json:"t"`
	// At is when it happened, in milliseconds.
	At int64 `json:"a"`
	// The ids that the change is about; each is empty where it has none.
	BatchID         string `json:"b,omitempty"`
	SubmissionID    string `json:"s,omitempty"`
	CandidateUserID string `json:"c,omitempty"`
	// ReferredItem is the number in the batch, from 1, of a submission that has a client
	// reference, and 0 for one that has none. The reference is with the batch alone, from where an
	// erasure removes it.
	ReferredItem int `json:"i,omitempty"`
	// Status is that of the submission, or the candidate's on the market.
	Status contract.ChangeStatus `json:"u,omitempty"`
	// ErrorCode is that of a failed submission.
	ErrorCode contract.SubmissionError `json:"e,omitempty"`
}

// Feed stores the changes of all tenants. It is safe for concurrent use.
type Feed struct {
	table dynamo.Table
	write func() *dynamo.WriteTx
	now   func() time.Time
}

// Open opens the feed by the names in the function's environment.
func Open(o *cloud.Opener) *Feed { return New(o.Table(topology.Changes), o.Write, o.Now) }

// New returns a feed on the table topology.Changes; write begins a transaction of its database.
func New(table dynamo.Table, write func() *dynamo.WriteTx, now func() time.Time) *Feed {
	return &Feed{table, write, now}
}

// Now returns the time by which entries are recorded.
func (f *Feed) Now() time.Time { return f.now() }

// Entry is what one transaction changes.
type Entry struct {
	// Subject names what changes, and Version which change of it this is: together they are unique.
	Subject string
	Version int64
	// RecordedAt is when the entry was made. Entries of one subject keep their order if it does
	// not decrease from one to the next.
	RecordedAt time.Time
	Changes    []Change
}
