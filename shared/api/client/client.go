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
	"iter"
	"net/http"
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
