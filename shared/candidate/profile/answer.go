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

// Limits of what is kept of an answer, in bytes and entries: people write novels,
// and a profile must fit into one cached item.
const (
	textLimit        = 300
	descriptionLimit = 1000
	experienceLimit  = 30
)

// answer is the part of a 200 that matters. The types are strict where a wrong
// one would make us blame the candidate, and lenient (text, date) where it only costs
// a detail: plans without a field answer true in its place.
type answer struct {
	Status int `json:"status"`
	Data   *struct {
		FullName   text              `json:"full_name"`
		Username   string            `json:"linkedin_username"`
		URL        string            `json:"linkedin_url"`
		Title      text              `json:"job_title"`
		Company    text              `json:"job_company_name"`
		Location   text              `json:"location_name"`
		Experience []json.RawMessage `json:"experience"`
	} `json:"data"`
}

// job is one entry of an answer's experience.
type job struct {
	Title     text `json:"title"`
	Company   text `json:"company"`
	Start     date `json:"start_date"`
	End       date `json:"end_date"`
	Primary   flag `json:"is_primary"`
	Locations text `json:"location_names"`
	Summary   text `json:"summary"`
}

// decodeAnswer reads the body of a 200 for the question about slug.
func decodeAnswer(body []byte, slug string) (Profile, error) {
	var got answer
	if err := json.Unmarshal(body, &got); err != nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if got.Status != 0 { // the body's own status is the provider's word, the HTTP status may be a proxy's
		if err := outcome(got.Status); err != nil {
			return Profile{}, err
		}
	}
	if got.Data == nil {
		return Profile{}, &Unavailable{Reason: Malformed, Retryable: true}
	}
	if answeredSlug(got.Data.Username, got.Data.URL) != identity.Fold(slug) {
		return Profile{}, ErrNotFound // likelihood is no proof; somebody else's profile is none either
	}
	found := Profile{
		Name:        clean(string(got.Data.FullName), textLimit),
		Title:       clean(string(got.Data.Title), textLimit),
		Company:     clean(string(got.Data.Company), textLimit),
		Location:    clean(string(got.Data.Location), textLimit),
		Experiences: experiences[job](got.Data.Experience),
	}
	if len(found.Experiences) == 0 {
		return Profile{}, ErrNoExperience
	}
	return found.withCurrent(), nil
}

// answeredSlug is the slug that the provider's record carries.
func answeredSlug(username, address string) string {
	if username == "" {
		_, username, _ = strings.Cut(address, "/in/")
		username, _, _ = strings.Cut(username, "?")
		username = strings.TrimSuffix(username, "/")
	}
	if decoded, err := url.PathUnescape(username); err == nil {
		username = decoded
	}
	return identity.Fold(username)
}

// experiences keeps the entries that can be read and name a title or a company.
func experiences[T interface{ experience() Experience }](entries []json.RawMessage) []Experience {
	var kept []Experience
	for _, entry := range entries {
		var got T
		if json.Unmarshal(entry, &got) != nil || len(kept) == experienceLimit {
			continue
		}
		if one := got.experience(); one.Title != "" || one.Company != "" {
			kept = append(kept, one)
		}
	}
	return kept
}

// experience reads a job as current only on evidence: no end, and either marked by
// the provider or with a known start.
func (j job) experience() Experience {
	return Experience{
		Title:       clean(string(j.Title), textLimit),
		Company:     clean(string(j.Company), textLimit),
		Start:       j.Start.Date,
		End:         j.End.Date,
		Current:     !j.End.given && (bool(j.Primary) || !j.Start.IsZero()),
		Location:    clean(string(j.Locations), textLimit),
		Description: clean(string(j.Summary), descriptionLimit),
	}
}

// withCurrent fills title and company from the first current job when the
// provider names neither; one of them alone is left, for the two belong together.
func (p Profile) withCurrent() Profile {
	if p.Title != "" || p.Company != "" {
		return p
	}
	for _, one := range p.Experiences {
		if one.Current {
			p.Title, p.Company = one.Title, one.Company
			break
		}
	}
	return p
}

// text is a string, the name of an object, or the first text of an array; anything
// else is empty.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
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

// date is a Date that remembers whether the provider gave any value at all.
type date struct {
	Date
	given bool
}

func (d *date) UnmarshalJSON(raw []byte) error {
	var got text
	err := got.UnmarshalJSON(raw)
	d.Date, _ = ParseDate(strings.TrimSpace(string(got)))
	d.given = string(raw) != "null" && string(raw) != `""`
	return err
}

// flag is true for the JSON true only.
type flag bool

func (f *flag) UnmarshalJSON(raw []byte) error {
	*f = string(raw) == "true"
	return nil
}

// clean makes one line of printable text of at most limit bytes.
func clean(s string, limit int) string {
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
