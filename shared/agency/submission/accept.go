package submission

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Outcome is what became of one submission when it was accepted.
type Outcome struct {
	// Status is Queued or Deduplicated, or the state that an earlier attempt at
	// the same batch has already come to.
	Status contract.ItemStatus
	// Code is that of a recorded failure.
	Code contract.SubmissionError
	// Hint is the queue message; zero when there is nothing to run.
	Hint cloud.Message
}

// EnqueueFailed reports whether an earlier attempt could not queue the submission.
func (o Outcome) EnqueueFailed() bool { return o.Code == contract.EnqueueFailed }

// partSize is how many of a batch's items, by index, are accepted in one
// transaction, which takes 100 actions: half of a full batch each, side by side.
const partSize = 50

// Accept commits, for each part of the batch, a header with the live items of its
// submissions. The header marks a submission as deduplicated if its candidate is in flight
// or appears earlier in subs; it gets no live item. A live item past its deadline
// is replaced: every reader computes its time-out, and a disposal leads to its files.
//
// Accept is safe to repeat: what an earlier attempt at the batch wrote is kept
// and reported. subs are in the order of their indexes, and so are the outcomes.
// One call a part; as many again where some are duplicates, or replace what a worker
// claimed, and one read more where some are repeated and not in flight.
func (s *Store) Accept(ctx context.Context, b Batch, subs []Submission) (_ []Outcome, err error) {
	defer fault.Wrap(&err, "submission.Accept")

	entries := make([]entry, len(subs))
	for i, first := range firstOccurrences(subs) {
		if subs[i].ID != NewID(b.ID, subs[i].Index) {
			return nil, errors.New("a submission belongs to another batch")
		}
		entries[i] = entry{Submission: subs[i], Outcome: Outcome{Status: contract.Queued}}
		if first != i {
			entries[i].Status = contract.Deduplicated
		}
	}
	parts := map[int][]*entry{0: nil} // the first part's header is the batch's, so it is there even when none of its items are
	for i := range entries {
		part := entries[i].Place().part()
		parts[part] = append(parts[part], &entries[i])
	}
	group, groupCtx := errgroup.WithContext(ctx)
	for part, some := range parts {
		group.Go(func() error { return partCommit{s, b, part, some}.commitPart(groupCtx) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := s.followWritten(ctx, b.ID, entries); err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, len(entries))
	for i, e := range entries {
		outcomes[i] = e.Outcome
		if !e.Status.Terminal() {
			outcomes[i].Hint = e.toHint()
		}
	}
	return outcomes, s.failCollapsed(ctx, subs, outcomes)
}

// followWritten reads the present status of the entries that an earlier attempt has
// written, unless all are known already.
func (s *Store) followWritten(ctx context.Context, batch uuid.UUID, entries []entry) error {
	if !slices.ContainsFunc(entries, func(e entry) bool { return e.written && !e.current }) {
		return nil
	}
	_, rows, err := s.readRows(ctx, batch)
	for i := range entries {
		if r, found := rows[entries[i].Index]; found && entries[i].written {
			entries[i].Outcome = Outcome{Status: r.Status, Code: r.ErrorCode}
		}
	}
	return err
}

// firstOccurrences returns for each submission the position of the first one of the
// same person, usually its own. Within one request, the same person is the same LinkedIn
// identity for the same member, with any e-mail address (contract, Deduplication).
func firstOccurrences(subs []Submission) []int {
	type person struct{ ownerID, linkedInURL string }
	first, byPerson := make([]int, len(subs)), make(map[person]int, len(subs))
	for i, sub := range subs {
		p := person{sub.OwnerID, sub.LinkedInURL}
		if _, seen := byPerson[p]; !seen {
			byPerson[p] = i
		}
		first[i] = byPerson[p]
	}
	return first
}

// entry is a submission and what is known of its place in the batch.
type entry struct {
	Submission
	// Outcome is what is reported of it, once it is written; the hint is added then.
	Outcome
	// written: an earlier attempt at the batch has accepted it; current: and Status
	// is what has become of it since.
	written, current bool
	// replaced is the submission past its deadline that this one replaces; nil while none is
	// known.
	replaced *Submission
}

// hint is the body of a queue message: run this live item if it is still this submission's. It holds
// no personal data, and losing or repeating it does no harm.
type hint struct {
	Live       string `json:"live"`
	Submission string `json:"submission"`
}

func (h hint) String() string {
	b, _ := json.Marshal(h) // two strings always marshal
	return string(b)
}

// maxGroup is the greatest length of a group in SQS. An agency's id is never longer.
const maxGroup = 128

// toHint returns the queue message that names the live item. Its group is the tenant, so
// that one tenant's backlog does not delay the submissions of the others.
func (s Submission) toHint() cloud.Message {
	group := string(s.Tenant())
	return cloud.Message{Body: hint{s.liveID(), s.ID.String()}.String(), Group: group[:min(len(group), maxGroup)], Trace: s.Trace}
}

func parseHint(message string) (hint, error) {
	var h hint
	err := json.Unmarshal([]byte(message), &h)
	if err == nil && (h.Live == "" || h.Submission == "") {
		err = errors.New("the message names no in-flight item")
	}
	return h, err
}
