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

// EnrichLayer asks the person profile API of Enrich Layer, version 2. The zero
// value of every field but BaseURL and APIKey is ready for use. It is safe for
// concurrent use.
type EnrichLayer struct {
	BaseURL string        // "https://enrichlayer.com", without a path
	APIKey  string        // sent as a bearer token, never in the URL
	HTTP    *http.Client  // nil: http.DefaultClient; redirects are never followed
	Timeout time.Duration // of one attempt; 0: 10 s
	// Wait pauses before the second attempt and returns early with ctx's error. nil:
	// a timer.
	Wait func(ctx context.Context, pause time.Duration) error
}

// Profile implements Provider with at most two attempts, as PeopleDataLabs does.
func (p EnrichLayer) Profile(ctx context.Context, slug string) (Profile, error) {
	if slug == "" {
		return Profile{}, ErrNotFound
	}
	return lookup{
		http: p.HTTP, timeout: p.Timeout, wait: p.Wait,
		request: func(ctx context.Context) (*http.Request, error) { return p.request(ctx, slug) },
		decode:  func(body []byte) (Profile, error) { return decodePerson(body, slug) },
	}.run(ctx)
}

func (p EnrichLayer) request(ctx context.Context, slug string) (*http.Request, error) {
	query := url.Values{"profile_url": {identity.ProfileOf(url.PathEscape(slug))}}
	return get(ctx, strings.TrimSuffix(p.BaseURL, "/")+"/api/v2/profile?"+query.Encode(), "Authorization", "Bearer "+p.APIKey)
}

// person is the part of a 200 that matters, as strict and as lenient as answer.
type person struct {
	Slug        *string           `json:"public_identifier"`
	FullName    text              `json:"full_name"`
	City        text              `json:"city"`
	State       text              `json:"state"`
	Country     text              `json:"country_full_name"`
	Experiences []json.RawMessage `json:"experiences"`
}

// position is one entry of a person's experiences.
type position struct {
	Title       text      `json:"title"`
	Company     text      `json:"company"`
	Start       dateParts `json:"starts_at"`
	End         dateParts `json:"ends_at"`
	Location    text      `json:"location"`
	Description text      `json:"description"`
}

// decodePerson reads the body of a 200 for the question about slug. The provider
// names no current job, so title and company are the first running one's.
func decodePerson(body []byte, slug string) (Profile, error) {
	var got *person
	if err := json.Unmarshal(body, &got); err != nil || got == nil || got.Slug == nil && got.Experiences == nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if got.Slug == nil || answeredSlug(*got.Slug, "") != identity.Fold(slug) {
		return Profile{}, ErrNotFound
	}
	found := Profile{
		Name: clean(string(got.FullName), textLimit), Location: got.place(),
		Experiences: experiences[position](got.Experiences),
	}
	if len(found.Experiences) == 0 {
		return Profile{}, ErrNoExperience
	}
	return found.withCurrent(), nil
}

func (p person) place() string {
	var known []string
	for _, part := range []text{p.City, p.State, p.Country} {
		if part := clean(string(part), textLimit); part != "" {
			known = append(known, part)
		}
	}
	return clean(strings.Join(known, ", "), textLimit)
}

func (p position) experience() Experience {
	return Experience{
		Title:       clean(string(p.Title), textLimit),
		Company:     clean(string(p.Company), textLimit),
		Start:       p.Start.Date,
		End:         p.End.Date,
		Current:     !p.End.given && !p.Start.IsZero(),
		Location:    clean(string(p.Location), textLimit),
		Description: clean(string(p.Description), descriptionLimit),
	}
}

// dateParts is a date given as an object, with null or 0 for what is unknown.
// Anything else is no date, but was given.
type dateParts struct {
	Date
	given bool
}

func (d *dateParts) UnmarshalJSON(raw []byte) error {
	var parts struct{ Year, Month, Day *int }
	d.Date, d.given = Date{}, string(raw) != "null"
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
	d.Date, _ = ParseDate(date.String()) // refuses what is no day of the calendar
	return nil
}
