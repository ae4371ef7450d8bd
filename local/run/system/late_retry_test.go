package system_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A retry may come hours after the attempt that crashed. The items that it accepts have
// their full time from then on, in the batch of the first attempt.
func TestRetryLongAfterACrash(t *testing.T) {
	t.Parallel()
	var s faultInjector
	sys := startSystem(t, nil, s.Hook)
	key := sys.newAgencyKey()
	once := client.New(sys.BaseURL, key, client.WithAttempts(1))
	c := client.New(sys.BaseURL, key, withShortWaits)
	s.injectAt(writesSubmission, callFaults["fails before"])
	in := newSubmitRequest(t, priya, "")
	in.IdempotencyKey = "late"
	if _, err := once.Submit(t.Context(), in); err == nil {
		t.Fatal("the first attempt succeeded; want it to fail at its commit")
	}
	sys.advanceClock(5 * time.Hour)
	if item := submitAndWait(t, c, in); item.Status != contract.Succeeded {
		t.Errorf("got %+v; want succeeded, not timed out at birth", item)
	}
}

// writesSubmission reports whether a call is a transaction that puts an item into the table of submissions, unlike those of
// workers that run beside the test.
func writesSubmission(call cloud.Call) bool {
	in, ok := call.Input.(*dynamodb.TransactWriteItemsInput)
	return ok && slices.ContainsFunc(in.TransactItems, func(item types.TransactWriteItem) bool {
		return item.Put != nil && strings.Contains(*item.Put.TableName, topology.Submissions.Name)
	})
}
