package profile

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Limits of one look-up (findings on resumes, "Profile provider").
const (
	attempts       = 2
	attemptTimeout = 10 * time.Second
	retryWait      = time.Second
	longestWait    = 5 * time.Second // a longer wish is the queue's business
	answerLimit    = 1 << 20         // bytes, after decompression
	errorLimit     = 64 << 10        // bytes read of an error's body
)

// PeopleDataLabs asks the person enrichment API of People Data Labs, version 5.
// The zero value of every field but BaseURL and APIKey is ready for use. It is safe
// for concurrent use.
type PeopleDataLabs struct {
	BaseURL string        // "https://api.peopledatalabs.com", without a path
	APIKey  string        // sent as X-Api-Key, never in the URL
	HTTP    *http.Client  // nil: http.DefaultClient; redirects are never followed
	Timeout time.Duration // of one attempt; 0: 10 s
	// Wait pauses before the second attempt and returns early with ctx's error. nil:
	// a timer.
	Wait func(ctx context.Context, pause time.Duration) error
}

// Profile implements Provider with at most two attempts. It does not wait for a
// rate limit that resets later than in 5 s: it returns at once, with RetryAfter.
func (p PeopleDataLabs) Profile(ctx context.Context, slug string) (Profile, error) {
	if slug == "" {
		return Profile{}, ErrNotFound
	}
	for attempt := 1; ; attempt++ {
		found, err := p.ask(ctx, slug)
		var down *Unavailable
		if !errors.As(err, &down) || !down.Retryable || attempt == attempts || down.RetryAfter > longestWait {
			return found, err
		}
		if err := pause(ctx, p.Wait, max(retryWait, down.RetryAfter)); err != nil {
			return Profile{}, canceled(err)
		}
	}
}

// ask makes one attempt.
func (p PeopleDataLabs) ask(caller context.Context, slug string) (Profile, error) {
	limit := p.Timeout
	if limit == 0 {
		limit = attemptTimeout
	}
	ctx, cancel := context.WithTimeout(caller, limit)
	defer cancel()
	request, err := p.request(ctx, slug)
	if err != nil {
		return Profile{}, &Unavailable{Reason: Settings, Operator: true}
	}
	response, err := p.client().Do(request)
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
	return decodeAnswer(body, slug)
}

// request asks for title case because the provider's default is lower case
// throughout, and title and company are shown to people.
func (p PeopleDataLabs) request(ctx context.Context, slug string) (*http.Request, error) {
	query := url.Values{
		"profile":        {"linkedin.com/in/" + url.PathEscape(slug)},
		"min_likelihood": {"6"},
		"titlecase":      {"true"},
	}
	target := strings.TrimSuffix(p.BaseURL, "/") + "/v5/person/enrich?" + query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	if request.URL.Host == "" || strings.ContainsAny(p.APIKey, "\r\n\x00") {
		return nil, errors.New("profile: base URL or key is unusable")
	}
	request.Header.Set("X-Api-Key", p.APIKey)
	request.Header.Set("Accept", "application/json")
	return request, nil
}

func (p PeopleDataLabs) client() *http.Client {
	client := http.Client{}
	if p.HTTP != nil {
		client = *p.HTTP
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
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
