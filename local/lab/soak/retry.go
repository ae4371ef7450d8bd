package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// repeatedSubmission is a submission that a client sends, with the same Idempotency-Key, until it
// gets a response.
type repeatedSubmission struct {
	key   string
	slugs []string // of its people
	send  func(context.Context, sender) (batchID string, err error)

	batchID string
	body    []byte // of the last response
}

// sender is a client that keeps the body of its last response.
type sender struct {
	*client.Client
	last *keptBody
}

// keptBody is a transport that keeps the last body.
type keptBody struct{ body []byte }

// RoundTrip implements http.RoundTripper.
func (k *keptBody) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	k.body, err = io.ReadAll(response.Body)
	response.Body = io.NopCloser(bytes.NewReader(k.body))
	return response, err
}

func (k *killRun) newSender(key string) sender {
	kept := &keptBody{}
	limited := client.WithHTTPClient(&http.Client{Transport: kept, Timeout: time.Minute})
	return sender{client.New(*k.baseURL.Load(), key, client.WithAttempts(1), limited), kept}
}

// startOperation sends the submission in the background, at a random moment of this life.
func (k *killRun) startOperation(ctx context.Context, a *repeatedSubmission) {
	k.mu.Lock()
	k.submissions = append(k.submissions, a)
	k.mu.Unlock()
	k.clients.Go(func() {
		pause(ctx, rand.N(longestLife))
		k.sendUntilAnswered(ctx, a.key, func(s sender) error {
			id, err := a.send(ctx, s)
			if err == nil {
				a.batchID = id
				a.body = s.last.body
			}
			return err
		})
	})
}

// sendUntilAnswered sends a request until its response is final, and records a refusal as a
// failure.
func (k *killRun) sendUntilAnswered(ctx context.Context, key string, send func(sender) error) {
	for ctx.Err() == nil {
		err := send(k.newSender(key))
		refused := (*client.Error)(nil)
		switch {
		case err == nil:
			return
		case errors.As(err, &refused) && isFinal(refused):
			k.noteFailure(err)
			return
		}
		k.mu.Lock()
		k.retries++
		k.mu.Unlock()
		pause(ctx, 200*time.Millisecond+rand.N(300*time.Millisecond))
	}
}

// isFinal reports whether the same request would be refused again.
func isFinal(refused *client.Error) bool {
	return refused.Status < 500 && refused.Status != http.StatusTooManyRequests && refused.Code != contract.IdempotencyInProgress
}

func (k *killRun) noteFailure(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.failed = append(k.failed, err)
}

// replay sends an answered submission again, and returns an error unless the response is the same.
func (k *killRun) replay(ctx context.Context, a *repeatedSubmission) error {
	s := k.newSender(a.key)
	if _, err := a.send(ctx, s); err != nil {
		return fmt.Errorf("replay of %s: %w", a.slugs[0], err)
	}
	if !bytes.Equal(s.last.body, a.body) {
		return fmt.Errorf("replay of %s: got %s, want %s", a.slugs[0], s.last.body, a.body)
	}
	return nil
}
