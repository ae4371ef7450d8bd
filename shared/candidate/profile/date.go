package profile

import (
	"fmt"
	"time"
)

// Date is a day, a month or a year, as precise as the provider knows it. Unknown
// parts are 0; a day is never known without its month, nor a month without its
// year. The zero Date is unknown.
type Date struct {
	Year, Month, Day int
}

// dateLayouts holds the layouts of a Date by their length.
var dateLayouts = map[int]string{len("2006"): "2006", len("2006-01"): "2006-01", len("2006-01-02"): "2006-01-02"}

// ParseDate parses YYYY, YYYY-MM or YYYY-MM-DD, and reports whether text is such a
// date. If it is not, the Date is zero.
func ParseDate(text string) (Date, bool) {
	layout, ok := dateLayouts[len(text)]
	if !ok {
		return Date{}, false
	}
	day, err := time.Parse(layout, text)
	if err != nil || day.Year() == 0 {
		return Date{}, false
	}
	date := Date{Year: day.Year()}
	if len(layout) > len("2006") {
		date.Month = int(day.Month())
	}
	if len(layout) > len("2006-01") {
		date.Day = day.Day()
	}
	return date, true
}

// IsZero reports whether the date is unknown.
func (d Date) IsZero() bool { return d == Date{} }

// String returns the date in the form that ParseDate reads, or "" for the zero Date.
func (d Date) String() string {
	switch {
	case d.IsZero():
		return ""
	case d.Month == 0:
		return fmt.Sprintf("%04d", d.Year)
	case d.Day == 0:
		return fmt.Sprintf("%04d-%02d", d.Year, d.Month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// MarshalText returns the date as String does.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses the output of MarshalText. Text that is not a date becomes the
// zero Date, because a malformed date must not lose a profile.
func (d *Date) UnmarshalText(text []byte) error {
	*d, _ = ParseDate(string(text))
	return nil
}
