package submission

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// chunk is what one transaction commits: the entries of a part of the batch, with
// the header that tells of them. The header stands exactly if all of it was
// committed.
type chunk struct {
	store   *Store
	batch   Batch
	part    int
	entries []entry
}

// commitRounds bounds the repeats: each round settles every conflict it was
// told of, so needing many means something is broken.
const commitRounds = 8

func (c chunk) commit(ctx context.Context) error {
	generation := 0
	for range commitRounds {
		pending := c.pending()
		if generation > 0 && len(pending) == 0 {
			return nil
		}
		tx, actions, err := c.build(partKind(c.part, generation), pending)
		if err != nil {
			return err
		}
		err = tx.IncludeAllItemsInCondCheckFail(true).Run(ctx)
		if err == nil {
			return nil
		}
		stands, err := settle(err, actions)
		if err != nil {
			return err
		}
		if stands != nil {
			c.learn(*stands)
			generation++
		}
	}
	return errors.New("a batch's transaction kept failing on its conditions")
}

func (c chunk) pending() (pending []*entry) {
	for i := range c.entries {
		if !c.entries[i].written {
			pending = append(pending, &c.entries[i])
		}
	}
	return pending
}

// build makes the transaction of all that is not written yet. Its first action is
// the header; actions are the entries of the others.
func (c chunk) build(kind string, pending []*entry) (tx *dynamo.WriteTx, actions []*entry, err error) {
	head := c.batch.item()
	head.Kind, head.Part = kind, c.part
	for _, e := range pending {
		head.add(*e)
	}
	tx = c.store.write().Put(c.store.table.Put(head).If("attribute_not_exists(pk)"))
	for _, e := range pending {
		if e.status != contract.Queued {
			continue
		}
		item, err := e.live(c.store.settings.Resend)
		if err != nil {
			return nil, nil, err
		}
		tx.Put(c.store.table.Put(item).If("attribute_not_exists(pk) OR deadline <= ?", e.SubmittedAt.UnixMilli()))
		actions = append(actions, e)
	}
	return tx, actions, nil
}

// learn notes the entries that an earlier attempt has accepted with the header that stands.
func (c chunk) learn(stands header) {
	rows := stands.rows()
	for i := range c.entries {
		if e := &c.entries[i]; rows[e.Index].Status != "" {
			if e.written = true; !e.current {
				e.status = rows[e.Index].Status
			}
		}
	}
}

// settle finds what stood in a cancelled transaction's way: the header, which says
// all, or else live items of the same candidates, whose entries become duplicates.
// An error that is no failed condition is the caller's.
func settle(err error, actions []*entry) (stands *header, _ error) {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) != 1+len(actions) {
		return nil, err
	}
	reasons := cancelled.CancellationReasons
	if failed(reasons[0]) {
		stands = &header{}
		err = dynamo.UnmarshalItem(reasons[0].Item, stands)
	}
	for n, e := range actions {
		switch reason := reasons[n+1]; {
		case !failed(reason):
		case stands != nil:
			err = errors.Join(err, e.inFlight(reason.Item))
		default:
			e.status, err = contract.Deduplicated, nil
		}
	}
	return stands, err
}

// inFlight notes of an entry that its live item, if this is it, still stands.
func (e *entry) inFlight(item dynamo.Item) error {
	var standing live
	err := dynamo.UnmarshalItem(item, &standing)
	if e.current = standing.SubmissionID == e.ID.String(); e.current && standing.Lease != 0 {
		e.status = contract.Processing
	}
	return err
}

func failed(reason types.CancellationReason) bool {
	return aws.ToString(reason.Code) == "ConditionalCheckFailed"
}
