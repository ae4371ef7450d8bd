package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// textLimit is the length in bytes of a text that is kept of a response.
const textLimit = 300

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

// job is an entry of a profile's work experience. Title or company is not empty.
type job struct {
	title, company string
	isCurrent      bool // known to be still held
}

// decodeJobs returns the entries that can be decoded and have a title or a company, in the provider's order.
func decodeJobs[T interface{ toJob() job }](entries []json.RawMessage) []job {
	var kept []job
	for _, entry := range entries {
		var got T
		if json.Unmarshal(entry, &got) != nil {
			continue
		}
		if job := got.toJob(); job.title != "" || job.company != "" {
			kept = append(kept, job)
		}
	}
	return kept
}

// withJobs fills title and company from the first current job if the provider names neither. If it names
// one, the other stays empty, for they belong together. Without any job it returns ErrNoExperience.
func (p Profile) withJobs(jobs []job) (Profile, error) {
	if len(jobs) == 0 {
		return Profile{}, ErrNoExperience
	}
	if p.Title != "" || p.Company != "" {
		return p, nil
	}
	for _, job := range jobs {
		if job.isCurrent {
			p.Title = job.title
			p.Company = job.company
			break
		}
	}
	return p, nil
}

// lenientText is a string, the name of an object, or the first string of an array; anything else is "".
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

// clean returns the text as it is kept.
func (t lenientText) clean() string { return cleanText(string(t), textLimit) }

// lenientDate is a date of a job: a text, or an object with null or 0 for unknown parts. It is given if the
// provider sent any value, and known if that is a year, a month or a day of the calendar.
type lenientDate struct{ known, given bool }

func (d *lenientDate) UnmarshalJSON(raw []byte) error {
	var text lenientText
	var parts struct{ Year, Month, Day int }
	if json.Unmarshal(raw, &parts) == nil {
		text = lenientText(formatDate(parts.Year, parts.Month, parts.Day))
	} else if err := text.UnmarshalJSON(raw); err != nil {
		return err
	}
	d.known = isDate(strings.TrimSpace(string(text)))
	d.given = string(raw) != "null" && string(raw) != `""`
	return nil
}

// formatDate returns the parts of a date that are known: the day only with its month.
func formatDate(year, month, day int) string {
	switch {
	case month == 0:
		return fmt.Sprintf("%04d", year)
	case day == 0:
		return fmt.Sprintf("%04d-%02d", year, month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

// dateLayouts holds the layouts of dates by their length.
var dateLayouts = map[int]string{len("2006"): "2006", len("2006-01"): "2006-01", len("2006-01-02"): "2006-01-02"}

// isDate reports whether text is a date: YYYY, YYYY-MM or YYYY-MM-DD.
func isDate(text string) bool {
	day, err := time.Parse(dateLayouts[len(text)], text)
	return err == nil && day.Year() > 0
}

// cleanText returns s as one line of printable text of at most limit bytes.
func cleanText(s string, limit int) string {
	isGap := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), isGap), " ")
	s = strings.ToValidUTF8(s[:min(len(s), limit)], "") // without the half of a character
	return strings.TrimSpace(s)
}
