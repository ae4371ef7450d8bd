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

// dateLayouts are the forms of a Date, told apart by length.
var dateLayouts = map[int]string{len("2006"): "2006", len("2006-01"): "2006-01", len("2006-01-02"): "2006-01-02"}

// ParseDate reads YYYY, YYYY-MM or YYYY-MM-DD. False means that text is no such
// date; the Date is then zero.
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

// String writes the date as ParseDate reads it; the zero Date is empty.
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

// MarshalText writes the date as String does.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what MarshalText wrote; text that is no date becomes the
// zero Date, for a date is never worth losing a profile.
func (d *Date) UnmarshalText(text []byte) error {
	*d, _ = ParseDate(string(text))
	return nil
}
