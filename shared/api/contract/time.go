package contract

import "time"

// Time is a timestamp on the wire: RFC 3339, UTC, milliseconds, "Z".
type Time struct{ time.Time }

const timeLayout = "2006-01-02T15:04:05.000Z"

// At makes a wire timestamp.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Millisecond)} }

// String is the wire form.
func (t Time) String() string { return t.UTC().Format(timeLayout) }

// MarshalJSON writes the wire form.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalJSON reads any RFC 3339 timestamp.
func (t *Time) UnmarshalJSON(b []byte) error { return t.Time.UnmarshalJSON(b) }
