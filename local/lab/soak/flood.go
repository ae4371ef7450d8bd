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

// flood is a large number of submissions of one agency.
type flood struct {
	clients    []*client.Client
	recorder   *recorder
	begun, end time.Time
	outcomes   map[string]int
}

// run submits n candidates in bulks of 100, about one bulk a second, and returns when all items
// have ended.
func (f *flood) run(ctx context.Context, n int) error {
	f.begun = time.Now()
	f.outcomes = map[string]int{}
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
		pause(ctx, 1100*time.Millisecond) // within the key's rate
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
		pause(ctx, time.Second)
	}
}

// probe is another agency. It submits one candidate after the other and records how long each
// took to end.
type probe struct {
	clients []*client.Client

	mu     sync.Mutex
	taken  []observation
	failed []error
}

// run submits candidates until ctx ends, and waits for the end of the last one.
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
		batch, err = api.Batch(ctx, out.BatchID)
		if err == nil && batch.Items[0].Status.Terminal() {
			if batch.Items[0].Status != contract.Succeeded {
				return fmt.Errorf("%s: %s %s", slug, batch.Items[0].Status, batch.Items[0].ErrorCode)
			}
			return nil
		}
		pause(ctx, 200*time.Millisecond)
	}
	return err
}

// selectTimes returns the sorted durations of the submissions begun between two times.
func (p *probe) selectTimes(from, to time.Time) []time.Duration {
	r := recorder{seen: p.taken}
	return r.selectTimes(from, to, isAny)
}
