package system_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// resumeReads is a hook that blocks every worker that reads a resume until release is closed, and
// records whose resumes are read.
type resumeReads struct {
	release  chan struct{}
	mu       sync.Mutex
	agencies []string
}

func (r *resumeReads) Hook(ctx context.Context, call cloud.Call, send func() error) error {
	in, ok := call.Input.(*s3.GetObjectInput)
	if !ok {
		return send()
	}
	r.mu.Lock()
	r.agencies = append(r.agencies, strings.Split(*in.Key, "/")[1]) // uploads/agency/…
	r.mu.Unlock()
	select {
	case <-r.release:
		return send()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// countBefore returns how many resumes were read before the first one of the agency.
func (r *resumeReads) countBefore(agency string) (others int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Index(r.agencies, agency)
}

// While 300 submissions of one agency wait, the single submission of another agency is processed
// as soon as a worker is free.
func TestABacklogDoesNotDelayAnotherAgency(t *testing.T) {
	t.Parallel()
	reads := &resumeReads{release: make(chan struct{})}
	sys := startSystem(t, map[string]string{"INGEST_RESEND": "1h", "FUNCTION_TIMEOUT": "5m"}, reads.Hook)
	key := sys.newAgencyKey()
	upload := sys.uploadResume(key, readPriyaResume(t)).ResumeFileID
	const backlog = 300
	for from := range backlog / 100 {
		var in contract.BulkRequest
		for n := range 100 {
			in.Items = append(in.Items, newPriyaItem(from*100+n, upload))
		}
		sys.submitBulk(key, in)
	}
	other := client.New(sys.BaseURL, sys.newOtherAgencyKey(), withShortWaits)
	accepted, err := other.Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	for guard := time.Now().Add(3 * time.Minute); sys.countReceived(topology.IngestQueue) < backlog+1 && time.Now().Before(guard); time.Sleep(20 * time.Millisecond) {
	}
	close(reads.release)
	checkItem(t, waitForItem(t, t.Context(), other, accepted.BatchID), contract.Succeeded, "")
	if others := reads.countBefore(demo.OtherAgencyID); others > backlog/5 {
		t.Errorf("%d submissions of the backlog were processed first, want only the few in flight", others)
	}
}

// countReceived returns how many messages the poller has received and not yet deleted.
func (sys *testSystem) countReceived(q topology.Queue) int {
	sys.t.Helper()
	const name = types.QueueAttributeNameApproximateNumberOfMessagesNotVisible
	out, err := sqs.NewFromConfig(sys.Host.AWS).GetQueueAttributes(sys.t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: aws.String(sys.Environment[q.Env]), AttributeNames: []types.QueueAttributeName{name},
	})
	must(sys.t, err)
	count, err := strconv.Atoi(out.Attributes[string(name)])
	must(sys.t, err)
	return count
}

// Every wake-up message, including one from the sweeper, is sent with its tenant as the message's group.
func TestTheGroupOfAWakeUpIsItsTenant(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var groups []string
	s := newManualSystem(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if in, ok := call.Input.(*sqs.SendMessageBatchInput); ok {
			mu.Lock()
			defer mu.Unlock()
			for _, entry := range in.Entries {
				groups = append(groups, aws.ToString(entry.MessageGroupId))
			}
		}
		return send()
	})
	takeGroups := func() []string {
		mu.Lock()
		defer mu.Unlock()
		slices.Sort(groups)
		taken := groups
		groups = nil
		return taken
	}
	for _, key := range []string{s.newAgencyKey(), s.newOtherAgencyKey(), s.newLiveKey()} {
		s.submitBulk(key, newBulkRequest(newBulkItems(2, s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID)...))
	}
	const other, test, live = demo.OtherAgencyID + "/test", demo.AgencyID + "/test", demo.AgencyID
	want := []string{other, other, live, live, test, test}
	if diff := cmp.Diff(want, takeGroups()); diff != "" {
		t.Errorf("groups of the wake-up messages (-want +got):\n%s", diff)
	}
	s.advanceClock(time.Hour)
	must(t, s.Sweep(t.Context()))
	if diff := cmp.Diff(want, takeGroups()); diff != "" {
		t.Errorf("groups of the sweeper's wake-up messages (-want +got):\n%s", diff)
	}
}
