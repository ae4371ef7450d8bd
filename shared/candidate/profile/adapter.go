package profile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// PeopleDataLabs is the provider behind People Data Labs' person enrichment API,
// version 5, at https://api.peopledatalabs.com. It is safe for concurrent use.
type PeopleDataLabs API

// Profile implements Provider with at most two attempts. If a rate limit resets
// later than in 5 s, it does not wait but returns at once, with RetryAfter.
func (p PeopleDataLabs) Profile(ctx context.Context, slug string) (Profile, error) {
	query := url.Values{
		"profile":        {"linkedin.com/in/" + url.PathEscape(slug)},
		"min_likelihood": {"6"},
		"titlecase":      {"true"}, // the default is lower case, and title and company are shown to people
	}
	return API(p).lookUp(ctx, slug, question{"/v5/person/enrich?" + query.Encode(), "X-Api-Key", p.APIKey, decodePeopleDataLabs})
}

// decodePeopleDataLabs reads the part of a 200 that is used. The types are strict
// where a wrong one would blame the candidate, and lenient where it only costs a
// detail: for fields outside the customer's plan the provider sends true.
func decodePeopleDataLabs(body []byte, slug string) (Profile, error) {
	var got struct {
		Status int `json:"status"`
		Data   *struct {
			Username   string            `json:"linkedin_username"`
			URL        string            `json:"linkedin_url"`
			Title      lenientText       `json:"job_title"`
			Company    lenientText       `json:"job_company_name"`
			Location   lenientText       `json:"location_name"`
			Experience []json.RawMessage `json:"experience"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &got); err != nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if got.Status != 0 { // the body's own status is the provider's word, the HTTP status may be a proxy's
		if err := errorForStatus(got.Status); err != nil {
			return Profile{}, err
		}
	}
	if got.Data == nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if responseSlug(got.Data.Username, got.Data.URL) != identity.FoldCase(slug) {
		return Profile{}, ErrNotFound // a high likelihood does not prove that it is the same person
	}
	found := Profile{Title: got.Data.Title.clean(), Company: got.Data.Company.clean(), Location: got.Data.Location.clean()}
	return found.withJobs(got.Data.Experience)
}

// EnrichLayer is the provider behind Enrich Layer's person profile API, version 2, at
// https://enrichlayer.com. It is safe for concurrent use.
type EnrichLayer API

// Profile implements Provider with at most two attempts, as PeopleDataLabs does.
func (p EnrichLayer) Profile(ctx context.Context, slug string) (Profile, error) {
	query := url.Values{"profile_url": {identity.LinkedInFromSlug(url.PathEscape(slug))}}
	return API(p).lookUp(ctx, slug, question{"/api/v2/profile?" + query.Encode(), "Authorization", "Bearer " + p.APIKey, decodeEnrichLayer})
}

// decodeEnrichLayer takes title and company from the first job without an end: the provider names no current one.
func decodeEnrichLayer(body []byte, slug string) (Profile, error) {
	var got *struct {
		Slug        *string           `json:"public_identifier"`
		City        lenientText       `json:"city"`
		State       lenientText       `json:"state"`
		Country     lenientText       `json:"country_full_name"`
		Experiences []json.RawMessage `json:"experiences"`
	}
	if err := json.Unmarshal(body, &got); err != nil || got == nil || got.Slug == nil && got.Experiences == nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if got.Slug == nil || responseSlug(*got.Slug, "") != identity.FoldCase(slug) {
		return Profile{}, ErrNotFound
	}
	places := []string{got.City.clean(), got.State.clean(), got.Country.clean()}
	places = slices.DeleteFunc(places, func(place string) bool { return place == "" })
	found := Profile{Location: lenientText(strings.Join(places, ", ")).clean()}
	return found.withJobs(got.Experiences)
}

const textLimit = 300 // bytes of a text that is kept of a response

func responseSlug(username, address string) string {
	if username == "" {
		_, username, _ = strings.Cut(address, "/in/")
		username, _, _ = strings.Cut(username, "?")
		username = strings.TrimSuffix(username, "/")
	}
	if decoded, err := url.PathUnescape(username); err == nil {
		username = decoded
	}
	return identity.FoldCase(username)
}

// withJobs reads the entries that can be decoded and have a title or a company. It fills title and company of the profile
// from the first current job if the provider names neither; if it names one, the other stays empty, for they belong together.
// A job is current only on evidence: it has no end, and either the provider marks it or its start is known.
// Without any job it returns ErrNoExperience.
func (p Profile) withJobs(entries []json.RawMessage) (Profile, error) {
	jobs := 0
	for _, entry := range entries {
		var got struct {
			Title    lenientText     `json:"title"`
			Company  lenientText     `json:"company"`
			Start    lenientDate     `json:"start_date"` // of People Data Labs
			End      lenientDate     `json:"end_date"`
			Primary  json.RawMessage `json:"is_primary"`
			StartsAt lenientDate     `json:"starts_at"` // of Enrich Layer
			EndsAt   lenientDate     `json:"ends_at"`
		}
		if json.Unmarshal(entry, &got) != nil {
			continue
		}
		title := got.Title.clean()
		company := got.Company.clean()
		if title == "" && company == "" {
			continue
		}
		jobs++
		isKnown := string(got.Primary) == "true" || got.Start.known || got.StartsAt.known
		hasEnded := got.End.given || got.EndsAt.given
		isCurrent := isKnown && !hasEnded
		if isCurrent && p.Title == "" && p.Company == "" {
			p.Title = title
			p.Company = company
		}
	}
	if jobs == 0 {
		return Profile{}, ErrNoExperience
	}
	return p, nil
}

// lenientText is a string, the name of an object, or the first string of an array; anything else is "".
type lenientText string

func (t *lenientText) UnmarshalJSON(raw []byte) error {
	var object struct {
		Name json.RawMessage `json:"name"`
	}
	var array []json.RawMessage
	switch {
	case raw[0] == '{' && json.Unmarshal(raw, &object) == nil:
		raw = object.Name
	case raw[0] == '[' && json.Unmarshal(raw, &array) == nil && len(array) > 0:
		raw = array[0]
	}
	*t = ""
	if !bytes.HasPrefix(raw, []byte(`"`)) {
		return nil
	}
	return json.Unmarshal(raw, (*string)(t))
}

// clean returns one line of printable text of at most textLimit bytes.
func (t lenientText) clean() string {
	isGap := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	s := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(string(t), ""), isGap), " ")
	s = strings.ToValidUTF8(s[:min(len(s), textLimit)], "") // without the half of a character
	return strings.TrimSpace(s)
}

// lenientDate is a date of a job: a text, or an object with null or 0 for unknown parts. It is given if the
// provider sent any value, and known if that is a year, a month or a day of the calendar.
type lenientDate struct{ known, given bool }

func (d *lenientDate) UnmarshalJSON(raw []byte) error {
	var text lenientText
	var parts struct{ Year, Month, Day int }
	if json.Unmarshal(raw, &parts) == nil {
		if parts.Month == 0 {
			parts.Day = 0
		}
		text = lenientText(fmt.Sprintf("%04d-%02d-%02d", parts.Year, cmp.Or(parts.Month, 1), cmp.Or(parts.Day, 1)))
	} else if err := text.UnmarshalJSON(raw); err != nil {
		return err
	}
	written := strings.TrimSpace(string(text))
	day, err := time.Parse(dateLayouts[len(written)], written)
	d.known = err == nil && day.Year() > 0
	d.given = string(raw) != "null" && string(raw) != `""`
	return nil
}

var dateLayouts = map[int]string{len("2006"): "2006", len("2006-01"): "2006-01", len("2006-01-02"): "2006-01-02"}
