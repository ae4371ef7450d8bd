package submission

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/contract"
)

// header is the first item of a batch's partition.
type header struct {
	ID        string `dynamo:"pk"`
	Kind      string `dynamo:"sk"`
	AgencyID  string `dynamo:"agency"`
	CreatedAt int64  `dynamo:"created"`
	ItemCount int    `dynamo:"count"`
	TTL       int64  `dynamo:"ttl"`
}

// row is one item of a batch: thin, because a poll reads them all.
type row struct {
	Batch           string                   `dynamo:"pk"`
	Kind            string                   `dynamo:"sk"`
	SubmissionID    string                   `dynamo:"sid"`
	Status          contract.ItemStatus      `dynamo:"status"`
	UpdatedAt       int64                    `dynamo:"updated"`
	Deadline        int64                    `dynamo:"deadline"`
	CandidateUserID string                   `dynamo:"cu,omitempty"`
	ErrorCode       contract.SubmissionError `dynamo:"code,omitempty"`
	ErrorMessage    string                   `dynamo:"message,omitempty"`
	TTL             int64                    `dynamo:"ttl"`
}

// live is a submission on its way.
type live struct {
	ID           string `dynamo:"pk"`
	Kind         string `dynamo:"sk"`
	SubmissionID string `dynamo:"sid"`
	// Payload is the Submission as JSON.
	Payload  []byte `dynamo:"payload"`
	Deadline int64  `dynamo:"deadline"`
	// Attempts counts the workers that took it on; Lease is until when the
	// current one may work (0: nobody does) and Nonce names it (empty: nobody).
	Attempts int    `dynamo:"attempts"`
	Lease    int64  `dynamo:"lease"`
	Nonce    string `dynamo:"nonce,omitempty"`
	// Shard and Due are the sweeper's index; Interval is the wait before the
	// next hint, in milliseconds, and doubles.
	Shard    string `dynamo:"shard"`
	Due      int64  `dynamo:"due"`
	Interval int64  `dynamo:"interval"`
}

const (
	headerKind = "H"
	liveKind   = "L"
)

func batchKey(id uuid.UUID) string { return "B#" + id.String() }

func rowKind(index int) string { return fmt.Sprintf("R#%03d", index) }

// shards spread the due index over partitions.
const shards = 16

func shardOf(liveID string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(liveID))
	return shardName(int(h.Sum32() % shards))
}

func shardName(n int) string { return fmt.Sprintf("S#%02d", n) }

func (b Batch) item() header {
	return header{
		ID: batchKey(b.ID), Kind: headerKind, AgencyID: b.AgencyID,
		CreatedAt: b.CreatedAt.UnixMilli(), ItemCount: b.ItemCount, TTL: b.CreatedAt.Add(Retention).Unix(),
	}
}

func (s Submission) row(status contract.ItemStatus) row {
	return row{
		Batch: batchKey(s.BatchID), Kind: rowKind(s.Index), SubmissionID: s.ID.String(), Status: status,
		UpdatedAt: s.SubmittedAt.UnixMilli(), Deadline: s.Deadline.UnixMilli(), TTL: s.SubmittedAt.Add(Retention).Unix(),
	}
}

func (s Submission) live(resend time.Duration) (live, error) {
	payload, err := json.Marshal(s)
	id, deadline := s.liveID(), s.Deadline.UnixMilli()
	return live{
		ID: id, Kind: liveKind, SubmissionID: s.ID.String(), Payload: payload, Deadline: deadline,
		Shard: shardOf(id), Due: min(s.SubmittedAt.Add(resend).UnixMilli(), deadline), Interval: resend.Milliseconds(),
	}, err
}

func (l live) submission() (Submission, error) {
	var s Submission
	err := json.Unmarshal(l.Payload, &s)
	return s, err
}

// inFlight are the statuses that still change.
var inFlight = []contract.ItemStatus{contract.Queued, contract.Processing}
