package submission

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Accept commits, for each part of the batch, a header with the in-flight items of its submissions. The header marks a
// submission as deduplicated if its candidate is in flight or appears earlier in subs; it gets no in-flight item. One
// past its deadline is replaced: every reader computes its time-out, and a disposal leads to its files.
//
// Accept is safe to repeat: what an earlier attempt at the batch wrote is kept and reported. subs are in the order of
// their indexes, and so are the outcomes. One call a part; as many again where some are duplicates, or replace what a
// worker claimed, and one read more where some are repeated and not in flight.
func (s *Store) Accept(ctx context.Context, b Batch, subs []Submission) (_ []Outcome, err error) {
	defer fault.Wrap(&err, "submission.Accept(batchID)")

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
		part := entries[i].Index / partSize
		parts[part] = append(parts[part], &entries[i])
	}
	var commits []func(context.Context) error
	for part, some := range parts {
		commits = append(commits, partCommit{s, b, part, some}.commitPart)
	}
	if err := cloud.InParallel(ctx, commits...); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(entries, func(e entry) bool { return e.written && !e.current }) {
		_, rows, err := s.readRows(ctx, b.ID)
		if err != nil {
			return nil, err
		}
		for i, e := range entries {
			if r, found := rows[e.Index]; found && e.written {
				entries[i].Outcome = Outcome{Status: r.Status, Code: r.ErrorCode}
			}
		}
	}
	outcomes := make([]Outcome, len(entries))
	for i, e := range entries {
		outcomes[i] = e.Outcome
		if !e.Status.Terminal() {
			outcomes[i].WakeUp = e.toWakeUp()
		}
	}
	return outcomes, s.failCollapsed(ctx, subs, outcomes)
}

// firstOccurrences returns for each submission the position of the first one of the
// same person, usually its own. Within one request, the same person is the same LinkedIn
// identity for the same member, with any e-mail address (contract, Deduplication).
func firstOccurrences(subs []Submission) []int {
	type person struct{ ownerID, linkedInURL string }
	first := make([]int, len(subs))
	byPerson := make(map[person]int, len(subs))
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
	// Outcome is what is reported of it, once it is written; the wake-up message is added then.
	Outcome
	// written: an earlier attempt at the batch has accepted it; current: and Status
	// is what has become of it since.
	written, current bool
	// replaced is the submission past its deadline that this one replaces; nil while none is
	// known.
	replaced *Submission
}

// partCommit is what one transaction commits: the entries of a part of the batch, with
// the header that lists them. The header exists exactly if all of it was committed.
type partCommit struct {
	store   *Store
	batch   Batch
	part    int
	entries []*entry
}

// commitRounds bounds the repeats: each round resolves every conflict that was reported,
// so needing many means that something is broken.
const commitRounds = 8

func (c partCommit) commitPart(ctx context.Context) error {
	generation := 0
	for range commitRounds {
		pending := slices.DeleteFunc(slices.Clone(c.entries), func(e *entry) bool { return e.written })
		if generation > 0 && len(pending) == 0 {
			return nil
		}
		if err := c.linkPersons(ctx, pending); err != nil {
			return err
		}
		tx, actions := c.buildTransaction(partKind(c.part, generation), pending)
		err := tx.IncludeAllItemsInCondCheckFail(true).Run(ctx)
		if err == nil {
			return nil
		}
		stands, err := resolveConflict(err, actions)
		if err != nil {
			return err
		}
		if stands == nil {
			continue
		}
		generation++
		rows := stands.expandRows() // what an earlier attempt has accepted
		for _, e := range c.entries {
			r, listed := rows[e.Index]
			e.written = e.written || listed
			if listed && !e.current {
				e.Status = r.Status
			}
		}
	}
	return errors.New("too many failed conditions of a batch's transaction")
}

// buildTransaction returns the transaction of all that is not written yet. Its first
// action is the header; actions are the entries of the others.
func (c partCommit) buildTransaction(kind string, pending []*entry) (tx *dynamo.WriteTx, actions []*entry) {
	head := header{
		ID: batchKey(c.batch.ID), Kind: kind, Part: c.part, Tenant: c.batch.Tenant,
		CreatedAt: c.batch.CreatedAt.UnixMilli(), ItemCount: c.batch.ItemCount, TTL: c.batch.CreatedAt.Add(Retention).Unix(),
	}
	for _, e := range pending {
		head.addEntry(e.Submission, e.Status)
	}
	tx = c.store.write().Put(c.store.table.Put(head).If("attribute_not_exists(pk)"))
	var left []string
	var timedOut []failure
	for _, e := range pending {
		if e.Status != contract.Queued {
			continue
		}
		put := c.store.table.Put(e.toInFlightItem(c.store.settings.Resend))
		actions = append(actions, e)
		if e.replaced == nil {
			put.If("attribute_not_exists(pk)")
		} else { // the item is past its deadline, with files that a disposal names: it ends here alone
			put.If("deadline <= ? AND sid = ?", e.SubmittedAt.UnixMilli(), e.replaced.ID.String())
			left = append(left, e.replaced.files()...)
			timedOut = append(timedOut, failure{Submission: *e.replaced, code: contract.IngestTimedOut, at: e.replaced.Deadline})
		}
		tx.Put(put)
	}
	if len(left) > 0 {
		tx.Put(c.store.putDisposal(c.batch.ID, kind, c.entries[0].SubmittedAt, left...))
	}
	if kind == headerKind {
		row := batchRow{CreatedAt: head.CreatedAt, ItemCount: head.ItemCount, TTL: head.TTL}
		row.PK, row.SK = itemkey.BatchRow.Key(string(c.batch.Tenant), c.batch.ID.String())
		tx.Put(c.store.table.Put(row))
	}
	c.store.recordFailures(tx, timedOut...)
	return tx, actions
}

// resolveConflict returns the header that cancelled a transaction, which settles all of
// it. If there is none, in-flight items of the same candidates did, and their entries become
// duplicates, or replace them next time. An error other than a failed condition is returned.
func resolveConflict(err error, actions []*entry) (stands *header, _ error) {
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok || len(cancelled.CancellationReasons) <= len(actions) {
		return nil, err
	}
	reasons := cancelled.CancellationReasons
	if conditionFailed(reasons[0]) {
		stands = &header{}
		err = dynamo.UnmarshalItem(reasons[0].Item, stands)
		if err != nil {
			return nil, fmt.Errorf("decode the header of an earlier attempt: %w", err)
		}
	}
	for n, e := range actions {
		reason := reasons[n+1]
		if !conditionFailed(reason) {
			continue
		}
		var existing inFlightItem // zero if what the entry would have replaced has ended meanwhile
		if err := dynamo.UnmarshalItem(reason.Item, &existing); err != nil {
			return nil, fmt.Errorf("decode the existing item: %w", err)
		}
		if stands == nil {
			err = e.noteExisting(existing)
			if err != nil {
				return nil, err
			}
			continue
		}
		e.current = existing.SubmissionID == e.ID.String() // the entry's own in-flight item, still in flight
		if e.current && existing.Lease != 0 {
			e.Status = contract.Processing
		}
	}
	return stands, err
}

// noteExisting notes an in-flight item that is in the entry's place: while that item is in flight
// the entry is a duplicate of it; past its deadline the entry replaces it.
func (e *entry) noteExisting(existing inFlightItem) error {
	e.replaced = nil
	switch {
	case existing.ID == "":
		return nil
	case existing.SubmissionID == "" || existing.Deadline > e.SubmittedAt.UnixMilli():
		e.Status = contract.Deduplicated
		return nil
	}
	sub, err := existing.decodeSubmission()
	e.replaced = &sub
	return err
}

// linkPersons writes the items by which an erasure finds the submissions to which no in-flight item
// leads after the transaction: those that are replaced, and duplicates with a client reference. It
// runs before the transaction, because together they would exceed the limit of 100 actions.
func (c partCommit) linkPersons(ctx context.Context, pending []*entry) error {
	var puts []*dynamo.Put
	for _, e := range pending {
		switch {
		case e.replaced != nil && e.replaced.needsLink():
			puts = append(puts, c.store.putPersonLinks(*e.replaced, e.replaced.CopyKey())...)
		case e.Status == contract.Deduplicated && e.ClientReferenceID != "":
			puts = append(puts, c.store.putPersonLinks(e.Submission, e.CopyKey())...)
		}
	}
	return cloud.ForEach(maxParallelWrites, puts, func(_ int, put *dynamo.Put) error { return put.Run(ctx) })
}

func conditionFailed(reason types.CancellationReason) bool {
	return aws.ToString(reason.Code) == "ConditionalCheckFailed"
}

// FailEnqueue ends an item after its queue message was refused. It reports whether there was something to end: a
// worker may have claimed the item all the same, or its time is over.
func (s *Store) FailEnqueue(ctx context.Context, sub Submission, now time.Time) (_ bool, err error) {
	defer fault.Wrap(&err, "submission.FailEnqueue(batchID, index)")

	live := s.deleteInFlight(sub.inFlightID()).If("sid = ? AND attempts = ? AND deadline > ?", sub.ID.String(), 0, now.UnixMilli())
	err = s.failItem(live, failure{Submission: sub, code: contract.EnqueueFailed, message: enqueueMessage, at: now}).Run(ctx)
	return err == nil, cloud.IgnoreCondition(err)
}

var enqueueFailed = Outcome{Status: contract.Failed, Code: contract.EnqueueFailed}

// maxParallelWrites bounds the concurrent writes when the queue takes nothing at all.
const maxParallelWrites = 25

// EndRefused ends the submissions (by position in subs) with wake-up messages that the queue refused, and those that were
// collapsed onto them, and says so in outcomes. One that a worker has claimed all the same keeps its outcome. After
// an error it is unknown whether an item was ended, so nothing may be reported; a repeated Accept reads it.
func (s *Store) EndRefused(ctx context.Context, subs []Submission, outcomes []Outcome, refused []int) (err error) {
	defer fault.Wrap(&err, "submission.EndRefused(batchID, indexes)")

	err = cloud.ForEach(maxParallelWrites, refused, func(_, i int) error {
		failed, err := s.FailEnqueue(ctx, subs[i], subs[i].SubmittedAt)
		if failed {
			outcomes[i] = enqueueFailed
		}
		return err
	})
	return errors.Join(err, s.failCollapsed(ctx, subs, outcomes))
}

// failCollapsed lets the items that were collapsed onto a first one which never reached the queue share its end. It
// is the one change of an item that is deduplicated: no response has reported it yet.
func (s *Store) failCollapsed(ctx context.Context, subs []Submission, outcomes []Outcome) error {
	return cloud.ForEach(maxParallelWrites, firstOccurrences(subs), func(i, first int) error {
		if first == i || !outcomes[first].EnqueueFailed() || outcomes[i].EnqueueFailed() {
			return nil
		}
		sub := subs[i]
		row := func() *dynamo.Update {
			failed := s.setRow(sub, sub.SubmittedAt).Set("status", contract.Failed)
			return failed.Set("code", contract.EnqueueFailed).Set("message", enqueueMessage)
		}
		tx := s.write().Update(row().If("attribute_not_exists(pk)"))
		s.recordFailures(tx, failure{Submission: sub, code: contract.EnqueueFailed, at: sub.SubmittedAt})
		err := tx.Run(ctx)
		if dynamo.IsCondCheckFailed(err) { // an earlier attempt was here
			err = row().If("code = ?", contract.EnqueueFailed).Run(ctx)
		}
		if dynamo.IsCondCheckFailed(err) {
			return fmt.Errorf("a collapsed row is not a duplicate: %w", err)
		}
		if err == nil {
			outcomes[i] = enqueueFailed
		}
		return err
	})
}
