package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// noteRetry counts a request that is sent again. Where nothing is killed, only the rate of a key is a reason.
func (k *killRun) noteRetry(r client.Retry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	refused, _ := errors.AsType[*client.Error](r.Err)
	switch {
	case !k.settled:
		k.retries++
	case refused == nil || refused.Status != http.StatusTooManyRequests:
		k.failed = append(k.failed, r.Err)
	}
}

func (k *killRun) noteFailure(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failed = append(k.failed, err)
}

// killResult counts how the items that clients had acknowledged ended.
type killResult struct {
	items, succeeded, failed, lost, twice int

	failedSlugs []string // whose items failed, as each of their attempts was killed
}

// checkEnd waits until every request is answered and every item has ended, and compares the
// responses with the stored data.
func (k *killRun) checkEnd() {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(k.t.Context(), 5*time.Minute)
	defer cancel()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		k.clients.Wait()
	}()
	select {
	case <-answered:
	case <-ctx.Done():
		k.t.Fatal("a request was not answered")
	}
	retries := k.retries
	var r killResult
	for _, a := range k.submissions {
		if err := k.countBatch(ctx, a, &r); err != nil {
			k.noteFailure(err)
		}
	}
	k.mu.Lock()
	k.settled = true
	k.mu.Unlock()
	k.countMembers(&r)
	for _, a := range k.submissions {
		if err := a.replay(ctx); err != nil {
			k.noteFailure(err)
		}
	}
	printf(k.out, "%d submissions of %d items: %d succeeded, %d failed, %d lost, %d stored twice\n",
		len(k.submissions), r.items, r.succeeded, r.failed, r.lost, r.twice)
	printf(k.out, "%d retries, %d replays\n", retries, len(k.submissions))
	k.checkStored(r)
}

// countBatch waits until a batch has ended and counts its items.
func (k *killRun) countBatch(ctx context.Context, a *repeatedSubmission, r *killResult) error {
	batch, err := a.client.WaitForBatch(ctx, a.batchID)
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
		case k.mayFail && item.ErrorCode == contract.InternalError: // each of its attempts was killed
			r.failed++
			r.failedSlugs = append(r.failedSlugs, a.slugs[item.Index])
		default:
			return fmt.Errorf("batch %s, item %d: %s %s", a.batchID, item.Index, item.Status, item.ErrorCode)
		}
	}
	return nil
}

// countMembers counts the items without a membership, and those with several.
func (k *killRun) countMembers(r *killResult) {
	members := map[any]int{}
	for _, m := range k.storedItems(topology.Network, "M#") {
		members[m["e"]]++
	}
	for _, a := range k.submissions {
		for _, slug := range a.slugs {
			switch n := members[emailOf(slug)]; {
			case n == 0 && !slices.Contains(r.failedSlugs, slug):
				r.lost++
			case n > 1:
				r.twice++
			}
		}
	}
}

// replay sends an answered submission again, and returns an error unless the response is the same.
func (a *repeatedSubmission) replay(ctx context.Context) error {
	if _, err := a.post(ctx, a.client); err != nil {
		return fmt.Errorf("replay of %s: %w", a.slugs[0], err)
	}
	if !bytes.Equal(a.last.body, a.body) {
		return fmt.Errorf("replay of %s: got %s, want %s", a.slugs[0], a.last.body, a.body)
	}
	return nil
}

// checkStored fails for what went wrong, for lost and repeated items, and for batches that nobody submitted.
func (k *killRun) checkStored(r killResult) {
	k.t.Helper()
	if err := errors.Join(k.failed...); err != nil {
		k.t.Error(err)
	}
	if r.lost != 0 || r.twice != 0 {
		k.t.Errorf("%d items lost, %d stored twice", r.lost, r.twice)
	}
	batches := 0
	for _, item := range k.storedItems(topology.Submissions, "B#") {
		if item[topology.SK] == "H" {
			batches++
		}
	}
	if batches != len(k.submissions) {
		k.t.Errorf("%d batches were made of %d submissions", batches, len(k.submissions))
	}
	if left := k.storedItems(topology.Submissions, "L#"); len(left) > 0 {
		k.t.Errorf("in-flight items are left: %v", left)
	}
}

// endLeases ends the leases of submits that died with the process.
func (k *killRun) endLeases() {
	k.t.Helper()
	table := cloudtest.TableOf(k.t, openHost(k.t, k.dir), topology.Submissions)
	for _, claim := range k.storedItems(topology.Submissions, "I#") {
		if claim["answer"] != nil {
			continue
		}
		err := table.Update(topology.PK, claim[topology.PK]).Range(topology.SK, claim[topology.SK]).
			Set("lease", 0).If("attribute_not_exists($)", "answer").Run(k.t.Context())
		if err != nil && !dynamo.IsCondCheckFailed(err) {
			k.t.Fatal(err)
		}
	}
}

// storedItems returns the items whose partition key begins with prefix.
func (k *killRun) storedItems(of topology.Table, prefix string) (items []map[string]any) {
	k.t.Helper()
	table := cloudtest.TableOf(k.t, openHost(k.t, k.dir), of)
	err := table.Scan().Consistent(true).Filter("begins_with($, ?)", topology.PK, prefix).All(k.t.Context(), &items)
	if err != nil {
		k.t.Fatal(err)
	}
	return items
}
