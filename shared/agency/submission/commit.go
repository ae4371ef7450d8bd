package submission

import (
	"context"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

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
		tx, actions, err := c.buildTransaction(partKind(c.part, generation), pending)
		if err != nil {
			return err
		}
		err = tx.IncludeAllItemsInCondCheckFail(true).Run(ctx)
		if err == nil {
			return nil
		}
		stands, err := resolveConflict(err, actions)
		if err != nil {
			return err
		}
		if stands != nil {
			c.noteAccepted(*stands)
			generation++
		}
	}
	return errors.New("too many failed conditions of a batch's transaction")
}

// buildTransaction returns the transaction of all that is not written yet. Its first
// action is the header; actions are the entries of the others.
func (c partCommit) buildTransaction(kind string, pending []*entry) (tx *dynamo.WriteTx, actions []*entry, err error) {
	head := header{
		ID: batchKey(c.batch.ID), Kind: kind, Part: c.part, Tenant: c.batch.Tenant,
		CreatedAt: c.batch.CreatedAt.UnixMilli(), ItemCount: c.batch.ItemCount, TTL: c.batch.CreatedAt.Add(Retention).Unix(),
	}
	for _, e := range pending {
		head.addEntry(*e)
	}
	tx = c.store.write().Put(c.store.table.Put(head).If("attribute_not_exists(pk)"))
	var left []string
	var timedOut []failure
	for _, e := range pending {
		if e.Status != contract.Queued {
			continue
		}
		item, err := e.toLiveItem(c.store.settings.Resend)
		if err != nil {
			return nil, nil, err
		}
		tx.Put(e.allowReplacement(c.store.table.Put(item)))
		actions = append(actions, e)
		if e.replaced != nil {
			left = append(left, e.replaced.files()...)
			timedOut = append(timedOut, failure{Submission: *e.replaced, code: contract.IngestTimedOut, at: e.replaced.Deadline})
		}
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
	return tx, actions, nil
}

// noteAccepted notes the entries that an earlier attempt has accepted with the committed header.
func (c partCommit) noteAccepted(stands header) {
	rows := stands.expandRows()
	for _, e := range c.entries {
		r, listed := rows[e.Index]
		e.written = e.written || listed
		if listed && !e.current {
			e.Status = r.Status
		}
	}
}

// resolveConflict returns the header that cancelled a transaction, which settles all of
// it. If there is none, live items of the same candidates did, and their entries become
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
			return nil, err
		}
	}
	for n, e := range actions {
		reason := reasons[n+1]
		if !conditionFailed(reason) {
			continue
		}
		var existing liveItem // zero if what the entry would have replaced has ended meanwhile
		if err := dynamo.UnmarshalItem(reason.Item, &existing); err != nil {
			return nil, err
		}
		if stands == nil {
			err = e.noteExisting(existing)
			if err != nil {
				return nil, err
			}
			continue
		}
		e.current = existing.SubmissionID == e.ID.String() // the entry's own live item, still in flight
		if e.current && existing.Lease != 0 {
			e.Status = contract.Processing
		}
	}
	return stands, err
}

// noteExisting notes a live item that is in the entry's place: while that item is in flight
// the entry is a duplicate of it; past its deadline the entry replaces it.
func (e *entry) noteExisting(existing liveItem) error {
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

// linkPersons writes the items by which an erasure finds the submissions to which no live item
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

// allowReplacement adds the condition of an entry's live item: its place is empty, or else holds
// the item past its deadline with files that a disposal names. That item ends here alone.
func (e *entry) allowReplacement(put *dynamo.Put) *dynamo.Put {
	if e.replaced == nil {
		return put.If("attribute_not_exists(pk)")
	}
	return put.If("deadline <= ? AND sid = ?", e.SubmittedAt.UnixMilli(), e.replaced.ID.String())
}

func conditionFailed(reason types.CancellationReason) bool {
	return aws.ToString(reason.Code) == "ConditionalCheckFailed"
}
