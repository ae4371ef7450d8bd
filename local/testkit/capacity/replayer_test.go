package capacity_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// recordedCall is a call of DynamoDB and the text of its response.
type recordedCall struct {
	Operation string          `json:"operation"`
	Input     json.RawMessage `json:"input"`
	Response  string          `json:"response"`
	header    http.Header
}

// replayer is a transport that sends each request to DynamoDB once, and from then on repeats its
// response at once. All updates are the same request: a key's count.
type replayer struct {
	next http.RoundTripper
	mu   sync.Mutex
	// calls has what was recorded, used what was repeated since the last take.
	calls map[requestKey]recordedCall
	used  map[requestKey]recordedCall
}

func newReplayer(next http.RoundTripper) *replayer {
	return &replayer{next: next, calls: map[requestKey]recordedCall{}, used: map[requestKey]recordedCall{}}
}

// requestKey is the same for the same request, whose JSON has no fixed order.
type requestKey struct {
	operation string
	letters   [256]uint16
}

func newRequestKey(operation string, body []byte) requestKey {
	key := requestKey{operation: operation}
	if operation == "UpdateItem" {
		return key
	}
	for _, letter := range body {
		key.letters[letter]++
	}
	return key
}

// RoundTrip implements http.RoundTripper.
func (p *replayer) RoundTrip(r *http.Request) (*http.Response, error) {
	_, operation, isDatabase := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if !isDatabase {
		return p.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	key := newRequestKey(operation, body)
	p.mu.Lock()
	call, ok := p.calls[key]
	if ok {
		p.used[key] = call
	}
	p.mu.Unlock()
	if !ok {
		return p.record(r, key, operation, body)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: call.header, Body: io.NopCloser(strings.NewReader(call.Response)), ContentLength: int64(len(call.Response)), Request: r,
	}, nil
}

func (p *replayer) record(r *http.Request, key requestKey, operation string, body []byte) (*http.Response, error) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	response, err := p.next.RoundTrip(r)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[key] = recordedCall{operation, body, string(text), response.Header}
	return response, err
}

// takeUsed returns the calls that were repeated since the last time.
func (p *replayer) takeUsed() (all []recordedCall) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range p.used {
		all = append(all, call)
	}
	clear(p.used)
	return all
}

// sendInput sends the input of a recorded call.
func sendInput(ctx context.Context, client *dynamodb.Client, input any) (err error) {
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		_, err = client.GetItem(ctx, in)
	case *dynamodb.BatchGetItemInput:
		_, err = client.BatchGetItem(ctx, in)
	case *dynamodb.QueryInput:
		_, err = client.Query(ctx, in)
	case *dynamodb.UpdateItemInput:
		_, err = client.UpdateItem(ctx, in)
	default:
		err = fmt.Errorf("a call with %T", input)
	}
	return err
}
