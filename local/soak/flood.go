package soak

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// floodSize is how many candidates one agency submits at its full rate.
const floodSize = 5000

// flood is one agency's many submissions.
type flood struct {
	clients    []*client.Client
	recorder   *recorder
	begun, end time.Time
	outcomes   map[string]int
}

// run submits n candidates in bulks, one a second, and returns when all have ended.
func (f *flood) run(ctx context.Context, n int) error {
	f.begun, f.outcomes = time.Now(), map[string]int{}
	upload, err := f.clients[0].Upload(ctx, newSubmission("flood", samples[0], samples[0].readFile()).Resume)
	if err != nil {
		return err
	}
	var batches []string
	for from := 0; from < n; from += 100 {
		in := newBulk(fmt.Sprint("flood-", from), min(100, n-from), samples[0], upload.ResumeFileID)
		var out contract.BulkResponse
		f.recorder.measure("submit-bulk of 100", false, func() error {
			out, err = f.clients[0].SubmitBulk(ctx, in)
			return err
		})
		if err == nil {
			err = checkBulk(out)
		}
		if err != nil {
			return err
		}
		batches = append(batches, out.BatchID)
		<-time.After(1100 * time.Millisecond)
	}
	for i, id := range batches {
		if err := f.waitForEnd(ctx, f.clients[i%len(f.clients)], id); err != nil {
			return err
		}
	}
	f.end = time.Now()
	return nil
}

// waitForEnd polls a batch until its items have ended, and counts them.
func (f *flood) waitForEnd(ctx context.Context, api *client.Client, id string) error {
	for {
		batch, err := api.Batch(ctx, id)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(batch.Items, func(item contract.BatchItem) bool { return !item.Status.Terminal() }) {
			for _, item := range batch.Items {
				f.outcomes[strings.TrimSpace(string(item.Status)+" "+string(item.ErrorCode))]++
			}
			return nil
		}
		<-time.After(time.Second)
	}
}

// probe is another agency, which submits one candidate after the other and notes how long
// each took to end.
type probe struct {
	clients []*client.Client

	mu     sync.Mutex
	taken  []observation
	failed []error
}

// run submits until ctx ends. A submission that was begun is waited for.
func (p *probe) run(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		begun := time.Now()
		err := submitOnce(context.WithoutCancel(ctx), p.clients[n%len(p.clients)], fmt.Sprint("probe-", n), samples[0])
		p.mu.Lock()
		if err != nil {
			p.failed = append(p.failed, err)
		}
		p.taken = append(p.taken, observation{at: begun, took: time.Since(begun)})
		p.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// submitOnce submits a candidate and waits until the item has ended.
func submitOnce(ctx context.Context, api *client.Client, slug string, of sample) error {
	out, err := api.Submit(ctx, newSubmission(slug, of, of.readFile()))
	for err == nil {
		var batch contract.Batch
		if batch, err = api.Batch(ctx, out.BatchID); err == nil && batch.Items[0].Status.Terminal() {
			if batch.Items[0].Status != contract.Succeeded {
				return fmt.Errorf("%s: %s %s", slug, batch.Items[0].Status, batch.Items[0].ErrorCode)
			}
			return nil
		}
		<-time.After(200 * time.Millisecond)
	}
	return err
}

// selectTimes returns the sorted times of the submissions begun from one time up to another.
func (p *probe) selectTimes(from, to time.Time) []time.Duration {
	r := recorder{seen: p.taken}
	return r.selectTimes(from, to, isAny)
}
