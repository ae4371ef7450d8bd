package profile

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// Limits of the data kept of a response, in bytes and entries, so that a profile fits
// into one cached item.
const (
	textLimit        = 300
	descriptionLimit = 1000
	experienceLimit  = 30
)

// peopleDataLabsResponse is the part of a 200 that is used. The types are strict
// where a wrong one would blame the candidate, and lenient where it only costs a
// detail: for fields outside the customer's plan the provider sends true.
type peopleDataLabsResponse struct {
	Status int `json:"status"`
	Data   *struct {
		FullName   lenientText       `json:"full_name"`
		Username   string            `json:"linkedin_username"`
		URL        string            `json:"linkedin_url"`
		Title      lenientText       `json:"job_title"`
		Company    lenientText       `json:"job_company_name"`
		Location   lenientText       `json:"location_name"`
		Experience []json.RawMessage `json:"experience"`
	} `json:"data"`
}

// peopleDataLabsJob is one entry of a response's experience.
type peopleDataLabsJob struct {
	Title     lenientText `json:"title"`
	Company   lenientText `json:"company"`
	Start     lenientDate `json:"start_date"`
	End       lenientDate `json:"end_date"`
	Primary   lenientBool `json:"is_primary"`
	Locations lenientText `json:"location_names"`
	Summary   lenientText `json:"summary"`
}

// decodePeopleDataLabs decodes the body of a 200 to a request for slug.
func decodePeopleDataLabs(body []byte, slug string) (Profile, error) {
	var got peopleDataLabsResponse
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
	found := Profile{
		Name:        cleanText(string(got.Data.FullName), textLimit),
		Title:       cleanText(string(got.Data.Title), textLimit),
		Company:     cleanText(string(got.Data.Company), textLimit),
		Location:    cleanText(string(got.Data.Location), textLimit),
		Experiences: decodeExperiences[peopleDataLabsJob](got.Data.Experience),
	}
	if len(found.Experiences) == 0 {
		return Profile{}, ErrNoExperience
	}
	return found.withCurrentJob(), nil
}

// responseSlug returns the slug in the provider's record.
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

// decodeExperiences returns the entries that can be decoded and have a title or a company.
func decodeExperiences[T interface{ toExperience() Experience }](entries []json.RawMessage) []Experience {
	var kept []Experience
	for _, entry := range entries {
		var got T
		if json.Unmarshal(entry, &got) != nil || len(kept) == experienceLimit {
			continue
		}
		if job := got.toExperience(); job.Title != "" || job.Company != "" {
			kept = append(kept, job)
		}
	}
	return kept
}

// toExperience takes a job as current only on evidence: it has no end, and either
// the provider marks it or its start is known.
func (j peopleDataLabsJob) toExperience() Experience {
	isKnown := bool(j.Primary) || !j.Start.IsZero()
	return Experience{
		Title:       cleanText(string(j.Title), textLimit),
		Company:     cleanText(string(j.Company), textLimit),
		Start:       j.Start.Date,
		End:         j.End.Date,
		Current:     isKnown && !j.End.given,
		Location:    cleanText(string(j.Locations), textLimit),
		Description: cleanText(string(j.Summary), descriptionLimit),
	}
}

// withCurrentJob fills title and company from the first current job if the provider
// names neither. If it names one, the other stays empty, for they belong together.
func (p Profile) withCurrentJob() Profile {
	if p.Title != "" || p.Company != "" {
		return p
	}
	for _, job := range p.Experiences {
		if job.Current {
			p.Title = job.Title
			p.Company = job.Company
			break
		}
	}
	return p
}

// lenientText is a string, the name of an object, or the first string of an array.
// Anything else decodes to "".
type lenientText string

func (t *lenientText) UnmarshalJSON(raw []byte) error {
	*t = ""
	var object struct {
		Name json.RawMessage `json:"name"`
	}
	var array []json.RawMessage
	switch raw[0] {
	case '"':
		return json.Unmarshal(raw, (*string)(t))
	case '{':
		if json.Unmarshal(raw, &object) == nil && bytes.HasPrefix(object.Name, []byte(`"`)) {
			return json.Unmarshal(object.Name, (*string)(t))
		}
	case '[':
		if json.Unmarshal(raw, &array) == nil && len(array) > 0 && bytes.HasPrefix(array[0], []byte(`"`)) {
			return json.Unmarshal(array[0], (*string)(t))
		}
	}
	return nil
}

// lenientDate is a [Date] that records whether the provider sent any value.
type lenientDate struct {
	Date
	given bool
}

func (d *lenientDate) UnmarshalJSON(raw []byte) error {
	var got lenientText
	err := got.UnmarshalJSON(raw)
	d.Date, _ = ParseDate(strings.TrimSpace(string(got)))
	d.given = string(raw) != "null" && string(raw) != `""`
	return err
}

// lenientBool is true for the JSON value true only.
type lenientBool bool

func (f *lenientBool) UnmarshalJSON(raw []byte) error {
	*f = string(raw) == "true"
	return nil
}

// cleanText returns s as one line of printable text of at most limit bytes.
func cleanText(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.TrimSpace(s[:limit])
}
