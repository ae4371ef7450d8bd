package soak

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// killResult counts how the submissions that clients had acknowledged ended.
type killResult struct {
	items, succeeded, failed, lost, twice int
}

// checkEnd waits until every request is answered and every item has ended, and compares the
// responses with the stored data.
func (k *killRun) checkEnd(ctx context.Context, c *Child) error {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	k.clients.Wait()
	var r killResult
	for _, a := range k.submissions {
		if err := k.countBatch(ctx, a, &r); err != nil {
			k.noteFailure(err)
		}
	}
	members, batches, live, err := readStored(ctx, c)
	if err != nil {
		return err
	}
	for _, a := range k.submissions {
		for _, slug := range a.slugs {
			switch n := members[emailOf(slug)]; {
			case n == 0:
				r.lost++
			case n > 1:
				r.twice++
			}
		}
	}
	r.lost -= r.failed // a failed item has no membership, and its status says so
	k.replayAll(ctx)
	return k.printReport(r, batches, live)
}

// countBatch waits until a batch has ended and counts its items.
func (k *killRun) countBatch(ctx context.Context, a *repeatedSubmission, r *killResult) error {
	api := client.New(*k.baseURL.Load(), a.key, client.WithAttempts(20))
	batch, err := api.WaitForBatch(ctx, a.batchID)
	if err != nil {
		return fmt.Errorf("batch %s: %w", a.batchID, err)
	}
	if len(batch.Items) != len(a.slugs) {
		return fmt.Errorf("batch %s has %d items, want %d", a.batchID, len(batch.Items), len(a.slugs))
	}
	for _, item := range batch.Items {
		r.items++
		switch {
		case item.Status == contract.Succeeded:
			r.succeeded++
		case item.ErrorCode == contract.InternalError: // each of its attempts was killed
			r.failed++
		default:
			return fmt.Errorf("batch %s, item %d: %s %s", a.batchID, item.Index, item.Status, item.ErrorCode)
		}
	}
	return nil
}

func (k *killRun) replayAll(ctx context.Context) {
	for _, a := range k.submissions {
		for {
			err := k.replay(ctx, a)
			if refused := (*client.Error)(nil); errors.As(err, &refused) && refused.RetryAfter > 0 {
				pause(ctx, time.Second) // the key's rate
				continue
			}
			if err != nil {
				k.noteFailure(err)
			}
			break
		}
	}
}

func (k *killRun) printReport(r killResult, batches, live int) error {
	printf(k.o.Out, "%d submissions of %d items: %d succeeded, %d failed, %d lost, %d stored twice\n",
		len(k.submissions), r.items, r.succeeded, r.failed, r.lost, r.twice)
	printf(k.o.Out, "%d retries, %d replays\n", k.retries, len(k.submissions))
	failed := k.failed
	if r.lost != 0 || r.twice != 0 {
		failed = append(failed, fmt.Errorf("%d items lost, %d stored twice", r.lost, r.twice))
	}
	if batches != len(k.submissions) || live != 0 {
		failed = append(failed, fmt.Errorf("%d batches of %d submissions, %d live items left", batches, len(k.submissions), live))
	}
	return errors.Join(failed...)
}

// readStored returns the number of memberships by e-mail address, of batches and of live items.
func readStored(ctx context.Context, c *Child) (members map[string]int, batches, live int, err error) {
	host, err := c.host()
	if err != nil {
		return nil, 0, 0, err
	}
	people, err := scanItems(ctx, host, topology.Network, "M#")
	if err != nil {
		return nil, 0, 0, err
	}
	members = map[string]int{}
	for _, m := range people {
		members[fmt.Sprint(m["email"])]++
	}
	rows, err := scanItems(ctx, host, topology.Submissions, "B#")
	for _, row := range rows {
		if row[topology.SK] == "H" {
			batches++
		}
	}
	if err != nil {
		return nil, 0, 0, err
	}
	left, err := scanItems(ctx, host, topology.Submissions, "L#")
	return members, batches, len(left), err
}

// scanItems returns the items with a partition key that begins with prefix.
func scanItems(ctx context.Context, host cloud.Host, t topology.Table, prefix string) (items []map[string]any, err error) {
	o := host.Opener()
	table := o.Table(t)
	if err := o.Err(); err != nil {
		return nil, err
	}
	err = table.Scan().Consistent(true).Filter("begins_with($, ?)", topology.PK, prefix).All(ctx, &items)
	return items, err
}
