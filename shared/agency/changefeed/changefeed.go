// Package changefeed is an agency's log of changes, in one order for every reader: which
// submissions ended and which candidates changed (contract, GET /talent-network/changes).
//
// A writer adds an entry to the transaction of the changes it reports ([Feed.Record]). Entries have no
// number, because a number that all writers take from one counter would let them wait for each
// other. They are spread over a few partitions of the tenant, in which no key is written twice.
// Readers give the numbers: a reader at the end of the log moves entries to it, up to a hundred in
// a transaction that deletes them, puts one segment of the log and advances the tenant's head, which
// holds the last number. Package itemkey lists the keys of all three.
//
// So it does not matter when an entry was made, or by which clock: whenever it is committed, it
// gets a number after all that were given, once, because it is deleted in the same transaction. A
// position is a place among the numbers. Of concurrent readers one moves, and the others read
// what it has moved. A feed that is not read costs its writers one small item, and nothing else.
//
// The package knows no memberships and no batches; a change holds ids, and nothing of a person.
package changefeed

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
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
	// Now returns the time by which entries are recorded.
	Now func() time.Time
}

// Open opens the feed by the names in the function's environment.
func Open(o *cloud.Opener) *Feed { return New(o.Table(topology.Changes), o.Write, o.Now) }

// New returns a feed on the table topology.Changes; write begins a transaction of its database.
func New(table dynamo.Table, write func() *dynamo.WriteTx, now func() time.Time) *Feed {
	return &Feed{table, write, now}
}

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

// shards is the number of partitions with a tenant's new entries. An entry costs its partition two
// write units when it is made and two when it is moved.
const shards = 4

// entryItem is an entry that has no number yet.
type entryItem struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	// Changes are JSON.
	Changes []byte `dynamo:"changes"`
	TTL     int64  `dynamo:"ttl"`
}

// segmentItem is a part of the log: the changes of several entries.
type segmentItem struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	// Changes are JSON arrays, one for each entry.
	Changes [][]byte `dynamo:"changes"`
	// Recorded is when the newest entry was made, in milliseconds.
	Recorded int64 `dynamo:"recorded"`
	TTL      int64 `dynamo:"ttl"`
}

// headItem has no time to live: numbers are not given twice.
type headItem struct {
	Last int64 `dynamo:"last"`
	// Recorded is that of the last segment.
	Recorded int64 `dynamo:"recorded"`
}

func shardKey(t tenant.ID, shard int) string {
	return itemkey.ChangeEntry.PK(string(t), strconv.Itoa(shard))
}

func logKey(t tenant.ID) string { return itemkey.ChangeSegment.PK(string(t)) }

var headKind = itemkey.ChangeHead.SK()

func segmentKind(first int64) string { return itemkey.ChangeSegment.SK(fmt.Sprintf("%016d", first)) }

// Record adds an entry to the transaction of the changes it reports.
func (f *Feed) Record(tx *dynamo.WriteTx, t tenant.ID, e Entry) {
	changes, _ := json.Marshal(e.Changes) // strings and numbers always marshal
	h := fnv.New32a()
	_, _ = h.Write([]byte(e.Subject))
	tx.Put(f.table.Put(entryItem{
		PK:      shardKey(t, int(h.Sum32()%shards)),
		SK:      itemkey.ChangeEntry.SK(fmt.Sprintf("%014d", e.RecordedAt.UnixMilli()), e.Subject, fmt.Sprintf("%09d", e.Version)),
		Changes: changes, TTL: e.RecordedAt.Add(storage).Unix(),
	}))
}

func (s segmentItem) decode() (changes []Change, first int64, err error) {
	values, _ := itemkey.ChangeSegment.ParseSK(s.SK)
	first, err = strconv.ParseInt(values[0], 10, 64)
	if err != nil {
		return nil, 0, err
	}
	for _, raw := range s.Changes {
		var some []Change
		if err := json.Unmarshal(raw, &some); err != nil {
			return nil, 0, fmt.Errorf("decode a segment: %w", err)
		}
		changes = append(changes, some...)
	}
	for i := range changes {
		changes[i].Number = first + int64(i)
	}
	return changes, first, nil
}
