package profile

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// PeopleDataLabs is the provider behind People Data Labs' person enrichment API,
// version 5. Every field but BaseURL and APIKey may be zero. It is safe for
// concurrent use.
type PeopleDataLabs struct {
	BaseURL string        // "https://api.peopledatalabs.com", without a path
	APIKey  string        // sent as X-Api-Key, never in the URL
	HTTP    *http.Client  // nil: http.DefaultClient; redirects are never followed
	Timeout time.Duration // of one attempt; 0: 10 s
	// Wait pauses before the second attempt and returns early with ctx's error; nil means a timer.
	Wait func(ctx context.Context, pause time.Duration) error
}

// Profile implements Provider with at most two attempts. If a rate limit resets
// later than in 5 s, it does not wait but returns at once, with RetryAfter.
func (p PeopleDataLabs) Profile(ctx context.Context, slug string) (Profile, error) {
	if slug == "" {
		return Profile{}, ErrNotFound
	}
	return lookup{
		http: p.HTTP, timeout: p.Timeout, wait: p.Wait,
		request: func(ctx context.Context) (*http.Request, error) { return p.buildRequest(ctx, slug) },
		decode:  func(body []byte) (Profile, error) { return decodePeopleDataLabs(body, slug) },
	}.runAttempts(ctx)
}

// buildRequest asks for title case: the provider's default is lower case, and title
// and company are shown to people.
func (p PeopleDataLabs) buildRequest(ctx context.Context, slug string) (*http.Request, error) {
	query := url.Values{
		"profile":        {"linkedin.com/in/" + url.PathEscape(slug)},
		"min_likelihood": {"6"},
		"titlecase":      {"true"},
	}
	return newGetRequest(ctx, strings.TrimSuffix(p.BaseURL, "/")+"/v5/person/enrich?"+query.Encode(), "X-Api-Key", p.APIKey)
}
