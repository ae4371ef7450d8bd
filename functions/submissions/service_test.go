package submissions_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
)

// testService is the deployed function behind Lambda's events, with one agency's key.
type testService struct {
	tb    testing.TB
	host  cloud.Host
	serve lambdahttp.Func
	key   string
	ahead atomic.Int64
}

func newTestService(tb testing.TB) *testService {
	tb.Helper()
	f := &testService{tb: tb}
	begin := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	f.host = cloudtest.System(tb, map[string]string{"KEY_ENVIRONMENTS": "test"}, func() time.Time {
		return begin.Add(time.Duration(f.ahead.Load()))
	})
	f.host.Log = slog.New(slog.DiscardHandler)
	table := f.host.Opener().Table(topology.Accounts)
	agency := demo.Agency{
		Agency: account.Agency{
			ID: "agy_1", Name: "Example Search", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, PrimaryOwner: "rec_1",
		},
		Members: []account.Member{{ID: "rec_1", Name: "Olga Owner", Email: "olga@example.com", Owner: true, Approved: true}},
	}
	f.must(agency.Apply(tb.Context(), account.NewStore(table, dynamo.New(f.host.AWS).WriteTx), 1))
	f.key = apitest.CreateKey(tb, f.host, contract.AgencyKey, "agy_1", "rec_1")
	f.startService()
	return f
}

// startService makes the function in its host as that is now.
func (f *testService) startService() {
	f.tb.Helper()
	handler, err := submissions.New(f.tb.Context(), f.host)
	f.must(err)
	f.serve = lambdahttp.Handler(handler)
}

func (f *testService) must(err error) {
	f.tb.Helper()
	if err != nil {
		f.tb.Fatal(err)
	}
}

// postJSON sends a body with an Idempotency-Key of its own and answers what must be a 200.
func (f *testService) postJSON(path, body string) string {
	f.tb.Helper()
	return f.invoke(f.newPost(path, body, uuid.NewString()))
}

// newPost returns the event of a body; "" is no Idempotency-Key. Each request is two seconds after
// the one before, so a key never uses up its window.
func (f *testService) newPost(path, body, idempotencyKey string) events.APIGatewayV2HTTPRequest {
	f.ahead.Add(int64(2 * time.Second))
	event := events.APIGatewayV2HTTPRequest{RawPath: contract.BasePath + path, Body: body, Headers: map[string]string{"content-type": "application/json"}}
	if idempotencyKey != "" {
		event.Headers["idempotency-key"] = idempotencyKey
	}
	event.RequestContext.HTTP.Method = "POST"
	event.RequestContext.DomainName = "api.example.com"
	return event
}

// invoke serves an event with the agency's key and answers what must be a 200.
func (f *testService) invoke(event events.APIGatewayV2HTTPRequest) string {
	f.tb.Helper()
	event.Headers["authorization"] = "Bearer " + f.key
	answer, err := f.serve(context.Background(), event)
	f.must(err)
	if answer.StatusCode != 200 {
		f.tb.Fatalf("got %d %s", answer.StatusCode, answer.Body)
	}
	return answer.Body
}
