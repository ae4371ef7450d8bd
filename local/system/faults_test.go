package system_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Every AWS call of submit and ingest, one at a time, fails, loses its result or happens
// twice. A client that retries with its Idempotency-Key still gets one membership, and
// nothing stays pending.
func TestFaultInEveryCall(t *testing.T) {
	t.Parallel()
	for way, fault := range callFaults {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			f := newFaultSystem(t)
			calls := f.recordCalls()
			for i, operation := range calls {
				n := occurrenceOfLast(calls[:i+1])
				f.faults.injectAt(matchNth(operation, n), fault)
				f.submitWithFault(fmt.Sprintf("%s %d", operation, n))
			}
			f.checkNothingReturned()
		})
	}
}

// occurrenceOfLast returns how often the last name occurs.
func occurrenceOfLast(names []string) (n int) {
	for _, name := range names {
		if name == names[len(names)-1] {
			n++
		}
	}
	return n
}

// faultSystem is a system with a fault injector, and the outcomes of its batches.
type faultSystem struct {
	*countedSystem
	api *client.Client
	// ends are the batches as they first were when they had ended.
	ends map[string]contract.Batch
}

func newFaultSystem(t *testing.T) *faultSystem {
	t.Helper()
	f := &faultSystem{countedSystem: newCountedSystem(t), ends: map[string]contract.Batch{}}
	f.api = client.New(f.BaseURL, f.newAgencyKey(), client.WithAttempts(100), client.WithWait(
		func(ctx context.Context, d time.Duration) error { f.advanceClock(d); return ctx.Err() }))
	return f
}

// recordCalls are the names of the calls that a submission and its ingestion make.
func (f *faultSystem) recordCalls() (operations []string) {
	f.t.Helper()
	f.calls.Reset()
	f.submitWithFault("without a fault")
	for _, name := range f.calls.Reset() {
		_, operation, _ := strings.Cut(name, ".")
		operations = append(operations, operation)
	}
	want := []string{
		"UpdateItem", "PutItem", "GetItem", "PutObject", "TransactWriteItems", "UpdateItem", "SendMessageBatch",
		"GetItem", "TransactWriteItems", "BatchGetItem", "GetItem", "GetObject", "BatchGetItem", "PutObject", "TransactWriteItems", "DeleteObject",
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(operations))); diff != "" {
		f.t.Errorf("calls of submit and ingest (-want +got):\n%s", diff)
	}
	return want
}

// submitWithFault submits and ingests a new candidate while a fault is injected.
func (f *faultSystem) submitWithFault(name string) {
	f.t.Helper()
	in := newSubmitRequest(f.t, priya, "")
	in.LinkedInURL = fmt.Sprintf("https://www.linkedin.com/in/priya-%d", len(f.ends))
	in.Email = fmt.Sprintf("priya-%d@example.com", len(f.ends))
	sent := f.now()
	accepted, err := f.api.Submit(f.t.Context(), in)
	if err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	if took := f.now().Sub(sent); took >= idempotency.Lease {
		f.t.Errorf("%s: the retries took %v; an attempt that was answered holds its key no longer", name, took)
	}
	f.runWorkers()
	if f.faults.isPending() {
		f.t.Errorf("%s: there was no such call", name)
	}
	batch := f.readBatch(demo.AgencyID, accepted.BatchID)
	if item := batch.Items[0]; item.Status != contract.Succeeded {
		f.t.Errorf("%s: got %+v; want succeeded", name, item)
	}
	if found := f.membershipIDs(in.Email); len(found) != 1 || found[0] != batch.Items[0].CandidateUserID {
		f.t.Errorf("%s: got the memberships %v; want that of the batch", name, found)
	}
	f.checkNothingPending()
	for _, id := range f.storedBatchIDs() {
		if _, known := f.ends[id]; !known {
			f.ends[id] = f.readBatch(demo.AgencyID, id)
		}
	}
	f.advanceClock(time.Minute) // a fresh window
}

// checkNothingReturned checks that no item left a final status.
func (f *faultSystem) checkNothingReturned() {
	f.t.Helper()
	for id, end := range f.ends {
		if diff := cmp.Diff(end, f.readBatch(demo.AgencyID, id)); diff != "" {
			f.t.Errorf("batch %s changed after its end (-then +now):\n%s", id, diff)
		}
	}
}
