package gateway_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// getBatch takes the input of its row and returns the output of its row. It never
// sees the request, the key or the response.
func getBatch(_ context.Context, call *gateway.Call, in contract.BatchRequest) (contract.Batch, error) {
	if in.BatchID != "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11" {
		return contract.Batch{}, fault.Missing()
	}
	call.SetRetryAfter(2 * time.Second)
	return contract.Batch{BatchID: in.BatchID, CreatedAt: contract.At(call.Now), Items: []contract.BatchItem{}}, nil
}

func ExampleHandle() {
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	served, err := gateway.New(gateway.Config{
		Function: contract.Submissions, Authenticator: anyKey{}, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return now }, NewID: func() uuid.UUID { return uuid.UUID{15: 7} },
	}, map[string]gateway.Handler{
		"getBatch": gateway.Handle(getBatch),
		// New insists on a handler for every row of the function.
		"uploadResume":    gateway.Handle(refuse[contract.ResumeFile, contract.ResumeUpload]),
		"submitCandidate": gateway.Handle(refuse[contract.SubmitRequest, contract.SubmitResponse]),
		"submitBulk":      gateway.Handle(refuse[contract.BulkRequest, contract.BulkResponse]),
		"listBatches":     gateway.Handle(refuse[contract.ListBatchesRequest, contract.BatchList]),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11", "7"} {
		w := httptest.NewRecorder()
		served.ServeHTTP(w, httptest.NewRequest(http.MethodGet, contract.BasePath+"/talent-network/batches/"+id, nil))
		fmt.Println(w.Code, w.Header().Get("Retry-After"), w.Body)
	}
	// Output:
	// 200 2 {"batchId":"01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11","createdAt":"2026-05-06T07:08:09.000Z","itemCount":0,"items":[]}
	// 400  {"error":{"type":"invalid_request_error","message":"The request is invalid; see details.","request_id":"00000000-0000-0000-0000-000000000007","code":"validation_failed","details":{"formErrors":[],"fieldErrors":{"batchId":["batchId: \"7\" is not a UUID."]}}}}
}

// anyKey takes every caller for an agency that may read its talent network.
type anyKey struct{}

func (anyKey) Authenticate(_ context.Context, _ string, _ contract.Tier, now time.Time) (apikey.Authentication, error) {
	caller := apikey.Caller{Type: contract.AgencyKey, Scopes: []contract.Scope{contract.TalentNetworkRead}}
	return apikey.Authentication{Caller: caller, Limit: 120, Remaining: 119, Reset: now.Add(time.Minute)}, nil
}

func (anyKey) Recall(string, contract.Tier, time.Time) (apikey.Caller, bool) {
	return apikey.Caller{}, false
}

func refuse[In, Out any](context.Context, *gateway.Call, In) (out Out, err error) {
	return out, fault.Missing()
}
