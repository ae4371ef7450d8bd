package submission

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// header is the first item of a batch's partition, or of one of its parts. It
// says for the items of the part how they were accepted, all at once.
type header struct {
	ID        string    `dynamo:"pk"`
	Kind      string    `dynamo:"sk"`
	Tenant    tenant.ID `dynamo:"agency"`
	CreatedAt int64     `dynamo:"created"`
	ItemCount int       `dynamo:"count"`
	// Part is the part's number. Accepted has a letter for each item of it, in
	// order, up to the last that it says something of.
	Part     int    `dynamo:"part,omitempty"`
	Accepted string `dynamo:"accepted,omitempty"`
	// References are the items' client references by their place in Accepted, up to the last
	// item that has one. They are stored nowhere else once an item has ended, and an erasure
	// empties those of the person.
	References []string `dynamo:"refs,omitempty"`
	// At is when they were accepted, Deadline when they time out.
	At       int64 `dynamo:"at,omitempty"`
	Deadline int64 `dynamo:"deadline,omitempty"`
	TTL      int64 `dynamo:"ttl"`
}

// The letters of header.Accepted. Of an item that was not accepted, or not with
// this header, it says nothing.
const (
	isQueued       = 'q'
	isDeduplicated = 'd'
	isNothing      = '-'
)

// row is one item of a batch, thin, because a poll reads them all. It is written
// with the item's first change; until then the header lists the item.
type row struct {
	Kind            string                   `dynamo:"sk"`
	Status          contract.ItemStatus      `dynamo:"status"`
	UpdatedAt       int64                    `dynamo:"updated"`
	CandidateUserID string                   `dynamo:"cu"`
	ErrorCode       contract.SubmissionError `dynamo:"code"`
	ErrorMessage    string                   `dynamo:"message"`
	// Parked is when a parked item is due again, in milliseconds; a claim removes it.
	Parked int64 `dynamo:"parked"`
	// Deadline is set if the item was parked; otherwise it is the header's, as is Reference.
	Deadline  int64  `dynamo:"deadline"`
	Reference string `dynamo:"-"`
}

// batchRow is a row of a tenant's list of batches. It is written with the batch's header and never
// again: what became of the items is counted when it is asked for, and the client reference of a
// batch of one is the header's.
type batchRow struct {
	PK        string `dynamo:"pk"`
	SK        string `dynamo:"sk"`
	CreatedAt int64  `dynamo:"created"`
	ItemCount int    `dynamo:"count"`
	TTL       int64  `dynamo:"ttl"`
}

// inFlightItem is a submission that is queued or processing.
type inFlightItem struct {
	ID           string `dynamo:"pk"`
	Kind         string `dynamo:"sk"`
	SubmissionID string `dynamo:"sid"`
	// Payload is the Submission as JSON.
	Payload  []byte `dynamo:"payload"`
	Deadline int64  `dynamo:"deadline"`
	// Attempts counts the claims of the item, and Parks those of them that ended in
	// parking it; Lease is until when the current worker may work (0: there is none) and
	// Nonce names it (empty: none).
	Attempts int    `dynamo:"attempts"`
	Parks    int    `dynamo:"parks,omitempty"`
	Lease    int64  `dynamo:"lease"`
	Nonce    string `dynamo:"nonce,omitempty"`
	// Shard and Due are the sweeper's index; Interval is the wait before the
	// next wake-up message, in milliseconds, and doubles up to a limit.
	Shard    string `dynamo:"shard"`
	Due      int64  `dynamo:"due"`
	Interval int64  `dynamo:"interval"`
}

var (
	headerKind   = itemkey.Batch.SK()
	rowPrefix    = itemkey.BatchItem.Prefix()
	inFlightKind = itemkey.InFlightItem.SK()
)

func batchKey(id uuid.UUID) string { return itemkey.Batch.PK(id.String()) }

// partKind is the kind of a header. A generation above 0 is for items that an
// earlier attempt at the batch did not find fit and a later one does.
func partKind(part, generation int) string {
	if part == 0 && generation == 0 {
		return headerKind
	}
	return itemkey.BatchPart.SK(strconv.Itoa(part), strconv.Itoa(generation))
}

func rowKind(index int) string { return itemkey.BatchItem.SK(fmt.Sprintf("%03d", index)) }

// partSize is how many of a batch's items, by index, are accepted in one transaction, which takes 100 actions: half
// of a full batch each, side by side.
const partSize = 50

// shards are the partitions of the due index.
const shards cloud.Shards = 16

func (h *header) addEntry(s Submission, status contract.ItemStatus) {
	letter := byte(isQueued)
	if status == contract.Deduplicated {
		letter = isDeduplicated
	}
	place := s.Index - h.Part*partSize
	h.Accepted += strings.Repeat(string(isNothing), place-len(h.Accepted)) + string(letter)
	h.At = s.SubmittedAt.UnixMilli()
	h.Deadline = s.Deadline.UnixMilli()
	if s.ClientReferenceID != "" {
		h.References = append(h.References, make([]string, place-len(h.References)+1)...)
		h.References[place] = s.ClientReferenceID
	}
}

func (h header) expandRows() map[int]row {
	rows := map[int]row{}
	for place, letter := range h.Accepted {
		r := row{UpdatedAt: h.At, Deadline: h.Deadline, Status: contract.Queued}
		switch letter {
		case isNothing:
			continue
		case isDeduplicated:
			r.Status = contract.Deduplicated
		}
		index := h.Part*partSize + place
		r.Reference, _ = h.referenceOf(index)
		rows[index] = r
	}
	return rows
}

// referenceOf returns the client reference of an item. listed is false if the item was not accepted
// with this header.
func (h header) referenceOf(index int) (reference string, listed bool) {
	place := index - h.Part*partSize
	if place < 0 || place >= len(h.Accepted) || h.Accepted[place] == isNothing {
		return "", false
	}
	if place < len(h.References) {
		reference = h.References[place]
	}
	return reference, true
}

func (s Submission) toInFlightItem(resend time.Duration) inFlightItem {
	payload, _ := json.Marshal(s) // no error: texts and whole numbers always marshal, and times, which are a clock's, until 9999
	id := s.inFlightID()
	deadline := s.Deadline.UnixMilli()
	return inFlightItem{
		ID: id, Kind: inFlightKind, SubmissionID: s.ID.String(), Payload: payload, Deadline: deadline,
		Shard: shards.Of(id), Due: min(s.SubmittedAt.Add(resend).UnixMilli(), deadline), Interval: resend.Milliseconds(),
	}
}

// decodeSubmission returns the submission with the item's own deadline, which parking moves.
func (l inFlightItem) decodeSubmission() (Submission, error) {
	var s Submission
	err := json.Unmarshal(l.Payload, &s)
	s.Deadline = time.UnixMilli(l.Deadline).UTC()
	return s, err
}

// failedAttempts counts the attempts that are used up, the present one included: parking
// the item uses none. Attempts itself never decreases, because conditions use it as the
// item's version.
func (l inFlightItem) failedAttempts() int { return l.Attempts - l.Parks }

// wake-up message is the body of a queue message: run this in-flight item if it is still this submission's. It holds no personal
// data, and losing or repeating it does no harm.
type wakeUp struct {
	InFlight   string `json:"inFlight"`
	Submission string `json:"submission"`
}

func (h wakeUp) String() string {
	b, _ := json.Marshal(h) // two strings always marshal
	return string(b)
}

// maxGroup is the greatest length of a group in SQS. An agency's id is never longer.
const maxGroup = 128

// toWakeUp returns the queue message that names the in-flight item. Its group is the tenant, so that one tenant's backlog
// does not delay the submissions of the others.
func (s Submission) toWakeUp() cloud.Message {
	group := string(s.Tenant())
	return cloud.Message{Body: wakeUp{s.inFlightID(), s.ID.String()}.String(), Group: group[:min(len(group), maxGroup)], Trace: s.Trace}
}

func parseWakeUp(message string) (wakeUp, error) {
	var h wakeUp
	err := json.Unmarshal([]byte(message), &h)
	if err == nil && (h.InFlight == "" || h.Submission == "") {
		err = errors.New("the message names no in-flight item")
	}
	return h, err
}

// disposalItem names files that nothing needs any more. It is written in the transaction that takes away what led to
// them, so that a file is never without an item that leads to it, and the sweeper removes the files and then the
// disposal.
type disposalItem struct {
	ID    string   `dynamo:"pk"`
	Kind  string   `dynamo:"sk"`
	Keys  []string `dynamo:"keys"`
	Shard string   `dynamo:"shard"`
	Due   int64    `dynamo:"due"`
}

// disposalDelay is how long a disposal waits: longer than a worker lives that may still be writing one of the files.
const disposalDelay = 10 * time.Minute

// disposalShard is the partition of the due index that holds disposals alone.
const disposalShard = "X"

var disposalKind = itemkey.Disposal.SK()

// putDisposal returns the write of a disposal; name is its own within the batch: of files that an item leaves behind,
// the index.
func (s *Store) putDisposal(batch uuid.UUID, name string, now time.Time, keys ...string) *dynamo.Put {
	pk, sk := itemkey.Disposal.Key(batch.String(), name)
	return s.table.Put(disposalItem{pk, sk, keys, disposalShard, now.Add(disposalDelay).UnixMilli()})
}

// personLink leads from a person to a submission, and so to its upload and its client reference. It is written when
// neither an in-flight item nor a membership leads to the submission any more, so that an erasure still finds it.
type personLink struct {
	PK     string    `dynamo:"pk"`
	SK     string    `dynamo:"sk"`
	Tenant tenant.ID `dynamo:"agency"`
	// Copy is the submission's [Submission.CopyKey].
	Copy string `dynamo:"copy"`
	// UploadID is empty where only the content is known.
	UploadID string `dynamo:"upload,omitempty"`
	// Persons are the hashes of all identities that lead to the submission.
	Persons     []string `dynamo:"persons,set"`
	SubmittedAt int64    `dynamo:"submitted"`
	TTL         int64    `dynamo:"ttl"`
}

// putPersonLinks returns the writes of the items that lead from a submission's identities to the submission with a
// copy key: itself, or an earlier one of the same person. They have no condition, and may be written at any time.
func (s *Store) putPersonLinks(sub Submission, copyKey string) (puts []*dynamo.Put) {
	link := personLink{
		Tenant: sub.Tenant(), Copy: copyKey, Persons: []string{identity.Hash(sub.Email), identity.Hash(sub.LinkedInURL)},
		SubmittedAt: sub.SubmittedAt.UnixMilli(), TTL: sub.SubmittedAt.Add(Retention).Unix(),
	}
	place, _ := ParseCopyKey(copyKey)
	if place != (Place{sub.BatchID, sub.Index}) {
		link.SubmittedAt = min(link.SubmittedAt, time.Unix(place.Batch.Time().UnixTime()).UnixMilli()) // when the batch was created
	} else if sub.UploadID != uuid.Nil {
		link.UploadID = sub.UploadID.String()
	}
	for _, hash := range link.Persons {
		link.PK, link.SK = linkKey(hash, link.Tenant, place)
		puts = append(puts, s.table.Put(link))
	}
	return puts
}

func linkKey(hash string, t tenant.ID, p Place) (pk, sk string) {
	return itemkey.PersonSubmission.Key(hash, string(t), p.Batch.String(), strconv.Itoa(p.Index))
}

// needsLink reports whether something is left of the submission, when it has ended without success, that an erasure
// has to find.
func (s Submission) needsLink() bool { return s.UploadID != uuid.Nil || s.ClientReferenceID != "" }

// files returns the files to which only the submission leads: its copy, and the one that came with a single submit.
func (s Submission) files() []string {
	if s.UploadID == uuid.Nil {
		return []string{s.CopyKey(), s.ResumeKey}
	}
	return []string{s.CopyKey()}
}
