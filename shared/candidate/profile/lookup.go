package profile

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// Limits of one look-up.
const (
	attempts       = 2
	attemptTimeout = 10 * time.Second
	retryWait      = time.Second
	longestWait    = 5 * time.Second // a longer wish is the queue's business
	answerLimit    = 1 << 20         // bytes, after decompression
	errorLimit     = 64 << 10        // bytes read of an error's body
)

// lookup is one question to a provider over HTTP: what every adapter does alike.
type lookup struct {
	http    *http.Client
	timeout time.Duration
	wait    func(ctx context.Context, pause time.Duration) error
	request func(ctx context.Context) (*http.Request, error)
	decode  func(body []byte) (Profile, error)
}

// run makes at most two attempts.
func (l lookup) run(ctx context.Context) (Profile, error) {
	for attempt := 1; ; attempt++ {
		found, err := l.ask(ctx)
		var down *Unavailable
		if !errors.As(err, &down) || !down.Retryable || attempt == attempts || down.RetryAfter > longestWait {
			return found, err
		}
		if err := pause(ctx, l.wait, max(retryWait, down.RetryAfter)); err != nil {
			return Profile{}, canceled(err)
		}
	}
}

// ask makes one attempt.
func (l lookup) ask(caller context.Context) (Profile, error) {
	limit := l.timeout
	if limit == 0 {
		limit = attemptTimeout
	}
	ctx, cancel := context.WithTimeout(caller, limit)
	defer cancel()
	request, err := l.request(ctx)
	if err != nil || request.URL.Host == "" {
		return Profile{}, &Unavailable{Reason: Settings, Operator: true}
	}
	request.Header.Set("Accept", "application/json")
	response, err := l.client().Do(request)
	if err != nil {
		return Profile{}, broken(caller, err)
	}
	defer response.Body.Close()
	if err := outcome(response.StatusCode); err != nil {
		return Profile{}, explained(err, response)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, answerLimit+1))
	switch {
	case err != nil:
		return Profile{}, broken(caller, err)
	case len(body) > answerLimit:
		return Profile{}, &Unavailable{Reason: TooLarge, Retryable: true}
	}
	return l.decode(body)
}

func (l lookup) client() *http.Client {
	client := http.Client{}
	if l.http != nil {
		client = *l.http
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

var errKey = errors.New("profile: the key is unusable")

// get makes a request with the key in a header of its own.
func get(ctx context.Context, target, header, key string) (*http.Request, error) {
	if strings.ContainsAny(key, "\r\n\x00") {
		return nil, errKey
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set(header, key)
	return request, nil
}

// pause waits with the given function, or with a timer when it is nil.
func pause(ctx context.Context, wait func(context.Context, time.Duration) error, length time.Duration) error {
	if wait != nil {
		return wait(ctx, length)
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
