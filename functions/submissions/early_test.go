package submissions_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// newSubmission returns the body of a submit of a new candidate, with a file.
func newSubmission() string {
	run := uuid.NewString()
	return fmt.Sprintf(`{"name":"Ada Example","email":"%[1]s@example.com","linkedinUrl":"https://www.linkedin.com/in/%[1]s","onMarketConfirmed":true,
		"preferences":{"locations":["uk"],"workplaceTypes":["REMOTE"],"salaryMin":90000,"idealFundingRounds":["SEED"],
		"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"},"resume":{"contentBase64":"QWRhIEV4YW1wbGU=","fileName":"a.txt"}}`, run)
}

// readFirst lets the check of a key wait until the handler beside it has begun to read.
type readFirst struct{ begun atomic.Pointer[chan struct{}] }

func (r *readFirst) hook(_ context.Context, call cloud.Call, send func() error) error {
	begun := r.begun.Load()
	switch {
	case begun == nil:
	case call.Operation == "BatchGetItem":
		if r.begun.CompareAndSwap(begun, nil) {
			close(*begun)
		}
	case call.Operation == "UpdateItem":
		select {
		case <-*begun:
		case <-time.After(time.Minute): // a guard against hanging
		}
	}
	return send()
}

// A submit with a key that the function has seen pass begins to read beside the check of the key. If
// the key is revoked meanwhile, nothing is claimed, stored or sent.
func TestSubmitWithARevokedKeyWritesNothing(t *testing.T) {
	t.Parallel()
	for _, idempotencyKey := range []string{"", "import-1"} {
		f := newTestService(t)
		calls := &cloudtest.Calls{}
		check := &readFirst{}
		f.host.AWS = cloud.WithHook(cloud.WithHook(f.host.AWS, calls.Hook), check.hook)
		f.startService()
		upload := f.mustUpload("QWRhIEV4YW1wbGU=")
		bulk := f.hundredItems(upload.ResumeFileID)
		accounts := cloudtest.TableOf(t, f.host, topology.Accounts)
		f.must(apikey.Update(accounts, apikey.Hash(f.key)).Set(apikey.AttrRevokedAt, 1).Run(t.Context()))
		for path, body := range map[string]string{"submit": newSubmission(), "submit-bulk": bulk} {
			calls.Reset()
			if path == "submit" {
				check.begun.Store(new(make(chan struct{})))
			}
			event := f.newPost("/talent-network/candidates/"+path, body, idempotencyKey)
			event.Headers["authorization"] = "Bearer " + f.key
			answer, err := f.serve(context.Background(), event)
			made := calls.Reset()
			read := slices.Contains(made, "DynamoDB.BatchGetItem")
			wrote := slices.DeleteFunc(made, func(name string) bool { return strings.HasPrefix(name, "DynamoDB.BatchGet") })
			if err != nil || answer.StatusCode != 401 || path == "submit" && !read || !slices.Equal(wrote, []string{"DynamoDB.UpdateItem"}) {
				t.Errorf("%s %q: got %d %s, %v after %v; began to read: %v", path, idempotencyKey, answer.StatusCode, answer.Body, err, wrote, read)
			}
			f.must(apikey.Update(accounts, apikey.Hash(f.key)).Remove(apikey.AttrRevokedAt).Run(t.Context()))
			f.mustUpload("QWRhIEV4YW1wbGU=") // the key passes again
			f.must(apikey.Update(accounts, apikey.Hash(f.key)).Set(apikey.AttrRevokedAt, 1).Run(t.Context()))
		}
	}
}
