// Package client is the Go client of the API, for its users, the end-to-end tests
// and the commands. It does what every caller would otherwise repeat: it sends the
// key and an Idempotency-Key, retries what is safe to retry, returns typed errors and
// waits for a batch. Lists are read page by page, or row by row with the iterators (AllCandidates, …).
// [Client.SubmitAll] submits any number of candidates and can be killed and started again.
//
//	c := client.New(os.Getenv("BASE_URL"), os.Getenv("AGENCY_KEY"))
//	accepted, err := c.Submit(ctx, submission)
//	batch, err := c.WaitForBatch(ctx, accepted.BatchID)
//
// Requests and responses are the types of package contract; method, path and
// placement of each field come from its routes. The client checks nothing that the
// server checks. Keys belong on servers: the key is sent to the base URL only, and
// neither it nor a request's parameters appear in an error.
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Client calls the API with one key. It is safe for concurrent use.
type Client struct {
	baseURL, key string
	http         *http.Client
	attempts     int
	wait         func(context.Context, time.Duration) error
	onRetry      func(Retry)
	onPause      func(time.Duration)
	pacer        *pacer
	// last is when a request may be sent for the last time; zero for no end.
	last time.Time
}

// Option changes how a Client works.
type Option func(*Client)

// WithHTTPClient replaces the default HTTP client, which times out after 60 seconds
// and follows no redirects.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// WithAttempts sets how many times a request is sent at most. The default is 4; 1
// means no retries.
func WithAttempts(n int) Option { return func(c *Client) { c.attempts = max(1, n) } }

// WithWait replaces how the client waits before it asks again. It must return
// the context's error when that ends first.
func WithWait(wait func(context.Context, time.Duration) error) Option {
	return func(c *Client) { c.wait = wait }
}

// New returns a client. The base URL ends in /api/external/v1; an empty key is enough
// for public routes only.
func New(baseURL, key string, options ...Option) *Client {
	c := &Client{
		baseURL:  strings.TrimRight(baseURL, "/"),
		key:      key,
		attempts: 4,
		wait:     sleepContext,
		http: &http.Client{
			Timeout:       60 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	for _, option := range options {
		option(c)
	}
	return c
}

// Health reports whether the service is up. It needs no key.
func (c *Client) Health(ctx context.Context) (contract.Health, error) {
	return callFor[contract.Health](ctx, c, "health", nil)
}

// Identity returns the account that the key acts as and what it may do.
func (c *Client) Identity(ctx context.Context) (contract.Identity, error) {
	return callFor[contract.Identity](ctx, c, "identity", nil)
}

// Enumerations returns every enumeration with the words that people are shown.
func (c *Client) Enumerations(ctx context.Context) (contract.Enumerations, error) {
	return callFor[contract.Enumerations](ctx, c, "listEnumerations", nil)
}

// Submit submits one candidate. If the request has no IdempotencyKey it adds one, so
// that its own retries are safe; a caller that may repeat the call after a crash sets
// the key itself.
func (c *Client) Submit(ctx context.Context, in contract.SubmitRequest) (contract.SubmitResponse, error) {
	in.IdempotencyKey = cmp.Or(in.IdempotencyKey, uuid.NewString())
	return callFor[contract.SubmitResponse](ctx, c, "submitCandidate", in)
}

// Upload sends a resume ahead of the bulk submissions that name its ResumeFileID. The
// same bytes yield the same upload, so it is safe to repeat.
func (c *Client) Upload(ctx context.Context, in contract.ResumeFile) (contract.ResumeUpload, error) {
	return callFor[contract.ResumeUpload](ctx, c, "uploadResume", in)
}

// SubmitBulk submits up to 100 candidates with uploaded resumes. A rejected
// item says why and is not an error of the call. IdempotencyKey is as in [Client.Submit].
func (c *Client) SubmitBulk(ctx context.Context, in contract.BulkRequest) (contract.BulkResponse, error) {
	in.IdempotencyKey = cmp.Or(in.IdempotencyKey, uuid.NewString())
	return callFor[contract.BulkResponse](ctx, c, "submitBulk", in)
}

// Batch returns the outcome of a submission so far.
func (c *Client) Batch(ctx context.Context, id string) (contract.Batch, error) {
	return callFor[contract.Batch](ctx, c, "getBatch", contract.BatchRequest{BatchID: id})
}

// Batches reads a page of the agency's batches, newest first. Ask for the next page with the
// response's NextCursor, until that is nil.
func (c *Client) Batches(ctx context.Context, in contract.ListBatchesRequest) (contract.BatchList, error) {
	return callFor[contract.BatchList](ctx, c, "listBatches", in)
}

// WaitForBatch reads a batch until every item is terminal, as often as the
// server advises. If a read fails or the context ends first, it returns what it last read and
// the error.
func (c *Client) WaitForBatch(ctx context.Context, id string) (batch contract.Batch, err error) {
	for batch, err = range c.FollowBatch(ctx, id) {
	}
	return batch, err
}

// FollowBatch reads a batch as often as the server advises, and yields it each time, until every item is terminal. An error
// is the last pair, with what was read last.
func (c *Client) FollowBatch(ctx context.Context, id string) iter.Seq2[contract.Batch, error] {
	return func(yield func(contract.Batch, error) bool) {
		batch := contract.Batch{}
		for {
			now, header, err := callOperation[contract.Batch](ctx, c, "getBatch", contract.BatchRequest{BatchID: id})
			if err == nil {
				batch = now
			}
			if !yield(batch, err) || err != nil || batch.Terminal() {
				return
			}
			if err := c.wait(ctx, max(retryAfter(header), time.Second)); err != nil {
				yield(batch, err)
				return
			}
		}
	}
}

// Preferences reads a candidate's work preferences; its Preferences are nil
// while the recruiter has entered none.
func (c *Client) Preferences(ctx context.Context, candidateUserID string) (contract.CandidatePreferences, error) {
	return callFor[contract.CandidatePreferences](ctx, c, "getPreferences", contract.CandidateRequest{CandidateUserID: candidateUserID})
}

// Send sends an operation of the table of routes and returns the JSON of the response. in is a value
// of the route's input type; nil if it has none. Send retries as the methods of single operations do.
func (c *Client) Send(ctx context.Context, operation string, in any) (json.RawMessage, error) {
	return callFor[json.RawMessage](ctx, c, operation, in)
}

// Reference returns the reference of the API in Markdown. It needs no key.
func (c *Client) Reference(ctx context.Context) (string, error) {
	m, _ := c.newMessage("docsMarkdown", nil) // which has no body to encode
	text, _, err := c.sendOnce(ctx, m)
	return string(text), err
}

// message is a request that can be sent again: its bytes stay the same.
type message struct {
	operation, method, url string
	header                 http.Header
	body                   []byte
}

// newMessage returns the message of an operation. The schema of the input says where
// each field goes.
func (c *Client) newMessage(operation string, in any) (message, error) {
	route := contract.FindRoute(operation)
	m := message{operation: operation, method: route.Method, header: http.Header{"Accept": {"application/json"}}}
	if !route.Public() {
		m.header.Set("Authorization", "Bearer "+c.key)
	}
	path := route.Path
	query := url.Values{}
	if in != nil {
		path = bindParameters(reflect.ValueOf(in), path, query, m.header)
	}
	if m.method != http.MethodGet {
		m.header.Set("Content-Type", "application/json")
		var err error
		m.body, err = json.Marshal(in)
		if err != nil {
			return m, err
		}
	}
	m.url = c.baseURL + path
	if len(query) > 0 {
		m.url += "?" + query.Encode()
	}
	return m, nil
}

// bindParameters adds the fields outside the body to query and header, and returns the
// path with its parameters filled in. Fields that are not set are left out.
func bindParameters(in reflect.Value, path string, query url.Values, header http.Header) string {
	for _, field := range contract.SchemaOf(in.Type()).Fields {
		if field.In == contract.InBody {
			continue
		}
		var values []string
		switch v := in.FieldByIndex(field.Index); {
		case v.IsZero():
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				values = append(values, fmt.Sprint(v.Index(i)))
			}
		default:
			values = []string{fmt.Sprint(reflect.Indirect(v))}
		}
		for _, value := range values {
			switch field.In {
			case contract.InPath:
				path = strings.ReplaceAll(path, "{"+field.Name+"}", url.PathEscape(value))
			case contract.InQuery:
				query.Add(field.Name, value)
			case contract.InHeader:
				header.Set(field.Name, value)
			}
		}
	}
	return path
}

// Error is a response other than a success (contract, Errors). Branch on Type; the
// sets may grow, so go by Status if Type or Code is unknown.
type Error struct {
	// Operation is the route's name in the table of routes.
	Operation string
	Status    int
	// Type is empty if the response had no envelope, as on 413 and from proxies.
	Type    string
	Code    contract.Code
	Message string
	// RequestID is to be quoted to support; empty if the response had none.
	RequestID string
	// Fields maps a field or parameter to its problems; Form holds those of the
	// whole request.
	Fields map[string][]string
	Form   []string
	// RetryAfter is how long the server advises to wait; zero means no advice.
	RetryAfter time.Duration
}

// Error returns the fields at fault but not their contents, which may be personal.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %d", e.Operation, e.Status)
	if e.Type != "" {
		text += " " + e.Type
	}
	if e.Code != contract.NoCode {
		text += " (" + string(e.Code) + ")"
	}
	text += ": " + e.Message
	if len(e.Fields) > 0 {
		text += " Fields: " + strings.Join(slices.Sorted(maps.Keys(e.Fields)), ", ") + "."
	}
	if e.RequestID != "" {
		text += " Request " + e.RequestID + "."
	}
	return text
}

// readError returns the error in the envelope, or without an envelope one with just the
// status.
func readError(operation string, response *http.Response, body []byte) *Error {
	e := &Error{
		Operation:  operation,
		Status:     response.StatusCode,
		Message:    http.StatusText(response.StatusCode) + ".",
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: retryAfter(response.Header),
	}
	var envelope contract.ErrorEnvelope
	if json.Unmarshal(body, &envelope) != nil || envelope.Error.Type == "" {
		return e
	}
	e.Type = envelope.Error.Type
	e.Code = envelope.Error.Code
	e.Message = envelope.Error.Message
	if details := envelope.Error.Details; details != nil {
		e.Fields = details.FieldErrors
		e.Form = details.FormErrors
	}
	return e
}
