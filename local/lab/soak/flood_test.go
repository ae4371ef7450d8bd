package soak

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

const (
	floodSize = 5000             // candidates that one agency submits at its full rate
	floodTime = 15 * time.Minute // within which all of them end
	quietTime = time.Minute      // of the other agency's submissions before the flood
	// longestBeside is how long another agency's submission may take to its end in the flood.
	longestBeside = 5 * time.Second
)

// flood is a large number of submissions of one agency, while another one submits one candidate
// after the other.
type flood struct {
	out     io.Writer
	clients []*client.Client // one for each key of the agency
	others  []*client.Client
	ended   map[string]int
}

// soakFlood shows that every item of a flood ends well, and that it does not delay another agency.
func soakFlood(t *testing.T, out io.Writer) {
	p := startProcess(t, newSoakDir(t))
	env := p.waitUntilReady()
	// Each client has a key, and so a rate, of its own.
	newClients := func(agency, owner string) (clients []*client.Client) {
		for _, key := range createKeys(t, openHost(t, p.dir), "test", agency, owner) {
			clients = append(clients, client.New(env["BASE_URL"], key, client.WithAttempts(20)))
		}
		return clients
	}
	f := &flood{out: out, ended: map[string]int{}}
	f.clients = newClients(demo.AgencyID, demo.OwnerID)
	f.others = newClients(demo.OtherAgencyID, demo.OtherOwnerID)
	if err := f.run(t.Context()); err != nil {
		t.Error(err)
	}
	p.interrupt()
}

func (f *flood) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, floodTime)
	defer cancel()
	for i, of := range samples { // the first PDF compiles its reader
		if err := submitOnce(ctx, f.others[i], fmt.Sprint("warm-", i), of); err != nil {
			return err
		}
	}
	quiet := max(time.Second, time.Duration(*soakScale*float64(quietTime)))
	alone, err := f.submitBeside(ctx, "alone", func() error { pause(ctx, quiet); return nil })
	if err != nil {
		return err
	}
	size := scaled(floodSize)
	begun := time.Now()
	beside, err := f.submitBeside(ctx, "beside", func() error { return f.submitAll(ctx, size) })
	if err != nil {
		return err
	}
	printf(f.out, "flood of %d: drained after %s; ended: %v\n", size, time.Since(begun).Round(time.Second), f.ended)
	printf(f.out, "another agency's submission to its end: p50 %s, longest %s before; p50 %s, longest %s in the flood (%d submissions)\n",
		middle(alone), slices.Max(alone), middle(beside), slices.Max(beside), len(beside))
	if f.ended[string(contract.Succeeded)] != size {
		return fmt.Errorf("the flood ended as %v; want %d succeeded", f.ended, size)
	}
	if longest := slices.Max(beside); longest > longestBeside {
		return fmt.Errorf("another agency's submission took %s, want at most %s", longest, longestBeside)
	}
	return nil
}

func middle(taken []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(taken))[len(taken)/2]
}

// submitBeside submits candidates of the other agency until work has ended, and returns how long
// each took to its end.
func (f *flood) submitBeside(ctx context.Context, prefix string, work func() error) (taken []time.Duration, err error) {
	over := make(chan error, 1)
	go func() { over <- work() }()
	for n := 0; ; n++ {
		begun := time.Now()
		if err := submitOnce(ctx, f.others[n%len(f.others)], fmt.Sprintf("%s-%d", prefix, n), samples[0]); err != nil {
			return nil, err
		}
		taken = append(taken, time.Since(begun).Round(time.Millisecond))
		select {
		case err := <-over:
			return taken, err
		case <-time.After(time.Second): // within the rates of the keys
		}
	}
}

// submitAll submits n candidates in bulks of 100, about one bulk a second, and returns when all
// items have ended.
func (f *flood) submitAll(ctx context.Context, n int) error {
	upload, err := f.clients[0].Upload(ctx, newSubmission("flood", samples[0], samples[0].readFile()).Resume)
	if err != nil {
		return err
	}
	var batches []string
	for from := 0; from < n; from += 100 {
		in := newBulk(fmt.Sprint("flood-", from), min(100, n-from), samples[0], upload.ResumeFileID)
		out, err := f.clients[0].SubmitBulk(ctx, in)
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
		batch, err := f.clients[i%len(f.clients)].WaitForBatch(ctx, id)
		if err != nil {
			return err
		}
		for _, item := range batch.Items {
			f.ended[formatOutcome(item)]++
		}
	}
	return nil
}

// submitOnce submits a candidate and waits until the item has ended. It asks more often than the server advises.
func submitOnce(ctx context.Context, api *client.Client, slug string, of sample) error {
	out, err := api.Submit(ctx, newSubmission(slug, of, of.readFile()))
	for err == nil {
		var batch contract.Batch
		batch, err = api.Batch(ctx, out.BatchID)
		switch {
		case err != nil || !batch.Terminal():
			pause(ctx, 200*time.Millisecond)
		case batch.Items[0].Status != contract.Succeeded:
			return fmt.Errorf("%s: %s", slug, formatOutcome(batch.Items[0]))
		default:
			return nil
		}
	}
	return err
}

func formatOutcome(item contract.BatchItem) string {
	return strings.TrimSpace(string(item.Status) + " " + string(item.ErrorCode))
}
