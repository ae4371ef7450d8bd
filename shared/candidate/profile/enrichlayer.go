package profile

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// EnrichLayer is the provider behind Enrich Layer's person profile API, version 2.
// Every field but BaseURL and APIKey may be zero. It is safe for concurrent use.
type EnrichLayer struct {
	BaseURL string        // "https://enrichlayer.com", without a path
	APIKey  string        // sent as a bearer token, never in the URL
	HTTP    *http.Client  // nil: http.DefaultClient; redirects are never followed
	Timeout time.Duration // of one attempt; 0: 10 s
	// Wait pauses before the second attempt and returns early with ctx's error; nil means a timer.
	Wait func(ctx context.Context, pause time.Duration) error
}

// Profile implements Provider with at most two attempts, as PeopleDataLabs does.
func (p EnrichLayer) Profile(ctx context.Context, slug string) (Profile, error) {
	if slug == "" {
		return Profile{}, ErrNotFound
	}
	return lookup{
		http: p.HTTP, timeout: p.Timeout, wait: p.Wait,
		request: func(ctx context.Context) (*http.Request, error) { return p.buildRequest(ctx, slug) },
		decode:  func(body []byte) (Profile, error) { return decodeEnrichLayer(body, slug) },
	}.runAttempts(ctx)
}

func (p EnrichLayer) buildRequest(ctx context.Context, slug string) (*http.Request, error) {
	query := url.Values{"profile_url": {identity.LinkedInFromSlug(url.PathEscape(slug))}}
	return newGetRequest(ctx, strings.TrimSuffix(p.BaseURL, "/")+"/api/v2/profile?"+query.Encode(), "Authorization", "Bearer "+p.APIKey)
}

// enrichLayerResponse is the part of a 200 that is used, as strict and as lenient as
// [peopleDataLabsResponse].
type enrichLayerResponse struct {
	Slug        *string           `json:"public_identifier"`
	FullName    lenientText       `json:"full_name"`
	City        lenientText       `json:"city"`
	State       lenientText       `json:"state"`
	Country     lenientText       `json:"country_full_name"`
	Experiences []json.RawMessage `json:"experiences"`
}

// enrichLayerJob is one entry of a response's experiences.
type enrichLayerJob struct {
	Title       lenientText `json:"title"`
	Company     lenientText `json:"company"`
	Start       dateParts   `json:"starts_at"`
	End         dateParts   `json:"ends_at"`
	Location    lenientText `json:"location"`
	Description lenientText `json:"description"`
}

// decodeEnrichLayer decodes the body of a 200 to a request for slug. The provider
// names no current job, so title and company are those of the first one without an end.
func decodeEnrichLayer(body []byte, slug string) (Profile, error) {
	var got *enrichLayerResponse
	if err := json.Unmarshal(body, &got); err != nil || got == nil || got.Slug == nil && got.Experiences == nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if got.Slug == nil || responseSlug(*got.Slug, "") != identity.FoldCase(slug) {
		return Profile{}, ErrNotFound
	}
	found := Profile{
		Name: cleanText(string(got.FullName), textLimit), Location: got.joinLocation(),
		Experiences: decodeExperiences[enrichLayerJob](got.Experiences),
	}
	if len(found.Experiences) == 0 {
		return Profile{}, ErrNoExperience
	}
	return found.withCurrentJob(), nil
}

func (p enrichLayerResponse) joinLocation() string {
	var parts []string
	for _, field := range []lenientText{p.City, p.State, p.Country} {
		if part := cleanText(string(field), textLimit); part != "" {
			parts = append(parts, part)
		}
	}
	return cleanText(strings.Join(parts, ", "), textLimit)
}

func (p enrichLayerJob) toExperience() Experience {
	return Experience{
		Title:       cleanText(string(p.Title), textLimit),
		Company:     cleanText(string(p.Company), textLimit),
		Start:       p.Start.Date,
		End:         p.End.Date,
		Current:     !p.End.given && !p.Start.IsZero(),
		Location:    cleanText(string(p.Location), textLimit),
		Description: cleanText(string(p.Description), descriptionLimit),
	}
}

// dateParts is a date sent as an object, with null or 0 for unknown parts. Anything
// else counts as sent, but is not a date.
type dateParts struct {
	Date
	given bool
}

func (d *dateParts) UnmarshalJSON(raw []byte) error {
	var parts struct{ Year, Month, Day *int }
	d.Date = Date{}
	d.given = string(raw) != "null"
	if json.Unmarshal(raw, &parts) != nil || parts.Year == nil {
		return nil
	}
	date := Date{Year: *parts.Year}
	if parts.Month != nil {
		date.Month = *parts.Month
		if parts.Day != nil && *parts.Month != 0 {
			date.Day = *parts.Day
		}
	}
	d.Date, _ = ParseDate(date.String()) // rejects days that are not in the calendar
	return nil
}
