package profile

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
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

// outcome maps a status to its error; nil means that the body holds the answer.
func outcome(status int) error {
	switch {
	case status == http.StatusOK:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone, status == 453:
		return ErrNotFound
	case status >= 300 && status < 400:
		return &Unavailable{Reason: Redirected, StatusCode: status, Retryable: true}
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests:
		return &Unavailable{Reason: Status, StatusCode: status, Retryable: true}
	case status >= 400 && status < 500: // our request, key or credit: only a person can change that
		return &Unavailable{Reason: Status, StatusCode: status, Operator: true}
	}
	return &Unavailable{Reason: Status, StatusCode: status, Retryable: true}
}

// explained adds what the response says beyond its status.
func explained(err error, response *http.Response) error {
	var down *Unavailable
	if errors.As(err, &down) {
		down.RetryAfter = retryAfter(response.Header)
		body, _ := io.ReadAll(io.LimitReader(response.Body, errorLimit)) // half an explanation is none, not another failure
		down.ErrorType = errorType(body)
	}
	return err
}

// errorTypes are the provider's words that may stand in a log. Any other text
// might quote the request.
var errorTypes = []string{"invalid_request_error", "authentication_error", "payment_required", "not_found", "rate_limit_error", "api_error"}

// errorType reads error.type, which is a string or an array of strings.
func errorType(body []byte) string {
	var answer struct {
		Error struct {
			Type json.RawMessage `json:"type"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return ""
	}
	var one string
	var many []string
	if json.Unmarshal(answer.Error.Type, &one) == nil {
		many = []string{one}
	} else if json.Unmarshal(answer.Error.Type, &many) != nil {
		return ""
	}
	for _, name := range many {
		if slices.Contains(errorTypes, name) {
			return name
		}
	}
	return ""
}

// retryAfter reads how long the provider wants to be left alone: Retry-After in
// seconds, or x-ratelimit-reset as a time stamp or an epoch second. The latter is
// compared with the response's own Date, so that our clock does not matter. At most
// a day.
func retryAfter(header http.Header) time.Duration {
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil {
		return time.Duration(min(max(seconds, 0), 86400)) * time.Second
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return 0
	}
	text := strings.Trim(header.Get("X-Ratelimit-Reset"), `"`)
	reset, err := time.Parse(time.RFC3339, text)
	if err != nil {
		epoch, err := strconv.ParseInt(text, 10, 64)
		if err != nil || epoch < 0 || epoch > 1<<40 { // beyond that is no time stamp, and time.Unix wraps around
			return 0
		}
		reset = time.Unix(epoch, 0)
	}
	return min(max(reset.Sub(now), 0), 24*time.Hour)
}

// broken says why no complete answer came. The transport's own text is dropped: it
// quotes the URL and bytes of the answer.
func broken(caller context.Context, err error) error {
	if caller.Err() != nil {
		return canceled(caller.Err())
	}
	var late net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &late) && late.Timeout() {
		return &Unavailable{Reason: TimedOut, Retryable: true, cause: context.DeadlineExceeded}
	}
	down := &Unavailable{Reason: Connection, Retryable: true}
	var number syscall.Errno
	if errors.As(err, &number) {
		down.cause = number
	}
	return down
}

func canceled(cause error) error {
	return &Unavailable{Reason: Canceled, Retryable: true, cause: cause}
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
