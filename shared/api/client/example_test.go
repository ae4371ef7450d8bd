package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Submit a candidate, then wait until its batch says what became of it.
func ExampleClient_WaitForBatch() {
	server := httptest.NewServer(scriptedAPI("queued", "processing", "succeeded"))
	defer server.Close()
	ctx := context.Background()

	c := client.New(server.URL, "rmk_test_key", client.WithWait(func(_ context.Context, d time.Duration) error {
		fmt.Println("wait", d) // a program leaves this option out
		return nil
	}))
	accepted, err := c.Submit(ctx, contract.SubmitRequest{
		Name: "Ada Example", LinkedInURL: "https://www.linkedin.com/in/ada-example", Email: "ada@example.com",
		Resume: contract.ResumeFile{ContentBase64: "QWRhIEV4YW1wbGUsIHNlbmlvciBzb2Z0d2FyZSBlbmdpbmVlcgo="},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, err := c.WaitForBatch(ctx, accepted.BatchID)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range batch.Items {
		fmt.Println(item.Index, item.Status, item.CandidateUserID)
	}
	// Output:
	// wait 2s
	// wait 2s
	// 0 succeeded cu_1
}

// A refusal is an *Error, whose Type and Code a program can branch on.
func ExampleError() {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()

	_, err := client.New(server.URL, "rmk_test_key").Role(context.Background(), "role-001")
	if refused, ok := errors.AsType[*client.Error](err); ok {
		fmt.Println(refused.Operation, refused.Status)
	}
	fmt.Println(err)
	// Output:
	// getRole 404
	// getRole: 404: Not Found.
}

// scriptedAPI accepts a submission and shows its batch in these states, one a request.
func scriptedAPI(states ...string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /talent-network/candidates/submit", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"accepted":true,"batchId":"b1","submissionId":"s1"}`)
	})
	mux.HandleFunc("GET /talent-network/batches/b1", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "2")
		fmt.Fprintf(w, `{"batchId":"b1","itemCount":1,"items":[{"index":0,"status":%q,"candidateUserId":"cu_1"}]}`, states[0])
		states = states[1:]
	})
	return mux
}
