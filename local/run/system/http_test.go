package system_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

const submitPath = "/talent-network/candidates/submit"

// reply is a response with its whole body.
type reply struct {
	status int
	header http.Header
	body   string
}

// errorCode is the envelope's error.code.
func (r reply) errorCode() contract.Code {
	var e contract.ErrorEnvelope
	_ = json.Unmarshal([]byte(r.body), &e)
	return e.Error.Code
}

// sendRequest sends one request, without retries. headers are alternating names and
// values.
func (sys *testSystem) sendRequest(method, path, key string, body []byte, headers ...string) reply {
	r, err := http.NewRequestWithContext(sys.t.Context(), method, sys.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		sys.t.Error(err)
		return reply{}
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		sys.t.Error(err)
		return reply{}
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		sys.t.Error(err)
	}
	return reply{response.StatusCode, response.Header, string(content)}
}

// encodeBody is a request's body, without what is not set.
func encodeBody(t *testing.T, in any) []byte {
	t.Helper()
	raw, err := json.Marshal(in)
	must(t, err)
	var fields map[string]any
	must(t, json.Unmarshal(raw, &fields))
	delete(fields, "IdempotencyKey") // a header
	dropNulls(fields)
	body, err := json.Marshal(fields)
	must(t, err)
	return body
}

func dropNulls(v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if dropNulls(value); value == nil {
				delete(v, name)
			}
		}
	case []any:
		for _, value := range v {
			dropNulls(value)
		}
	}
}

// runConcurrently runs do n times concurrently and returns the results in order.
func runConcurrently[T any](n int, do func(i int) T) []T {
	all := make([]T, n)
	begin := make(chan struct{})
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			<-begin
			all[i] = do(i)
		})
	}
	close(begin)
	group.Wait()
	return all
}
