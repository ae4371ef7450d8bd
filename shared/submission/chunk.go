package submission

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/contract"
)

// chunk is what one transaction commits: up to pairsPerTransaction entries and,
// for the first chunk, the header.
type chunk struct {
	store   *Store
	header  *Batch
	entries []entry
}

// commitRounds bounds the repeats: each round settles every conflict it was
// told of, so needing many means something is broken.
const commitRounds = 8

func (c chunk) commit(ctx context.Context) error {
	for range commitRounds {
		tx, actions, err := c.build()
		if err != nil || len(actions) == 0 {
			return err
		}
		err = tx.IncludeAllItemsInCondCheckFail(true).Run(ctx)
		if err == nil {
			return nil
		}
		if err = settle(err, actions); err != nil {
			return err
		}
	}
	return errors.New("a batch's transaction kept failing on its conditions")
}

// action is one action of the transaction, told what stood in its way.
type action func(standing dynamo.Item) error

// build makes the transaction of all that is not written yet.
func (c chunk) build() (*dynamo.WriteTx, []action, error) {
	tx := c.store.write()
	var actions []action
	for i := range c.entries {
		e := &c.entries[i]
		if e.written {
			continue
		}
		if e.status == contract.Queued {
			item, err := e.live(c.store.settings.Resend)
			if err != nil {
				return nil, nil, err
			}
			tx.Put(c.store.table.Put(item).If("attribute_not_exists(pk) OR deadline <= ?", e.SubmittedAt.UnixMilli()))
			actions = append(actions, e.duplicates)
		}
		tx.Put(c.store.table.Put(e.row(e.status)).If("attribute_not_exists(pk)"))
		actions = append(actions, e.repeats)
	}
	if c.header != nil && (len(actions) > 0 || len(c.entries) == 0) {
		tx.Put(c.store.table.Put(c.header.item()))
		actions = append(actions, func(dynamo.Item) error { return errors.New("a header has no condition") })
	}
	return tx, actions, nil
}

// duplicates: the candidate's live item stands, so this submission is a duplicate
// (or our own earlier attempt, which the row, looked at next, then tells).
func (e *entry) duplicates(dynamo.Item) error {
	e.status = contract.Deduplicated
	return nil
}

// repeats: the row stands, so an earlier attempt at the batch has written it.
func (e *entry) repeats(item dynamo.Item) error {
	var standing row
	if err := dynamo.UnmarshalItem(item, &standing); err != nil {
		return err
	}
	if standing.SubmissionID != e.ID.String() {
		return fmt.Errorf("row %s belongs to another submission", standing.Kind)
	}
	e.status, e.code, e.written = standing.Status, standing.ErrorCode, true
	return nil
}

// settle tells each action of a cancelled transaction what stood in its way.
// An error that is no failed condition is the caller's.
func settle(err error, actions []action) error {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) != len(actions) {
		return err
	}
	failed := 0
	for n, reason := range cancelled.CancellationReasons {
		if aws.ToString(reason.Code) != "ConditionalCheckFailed" {
			continue
		}
		failed++
		if actionErr := actions[n](reason.Item); actionErr != nil {
			return errors.Join(actionErr, err)
		}
	}
	if failed == 0 {
		return err
	}
	return nil
}
