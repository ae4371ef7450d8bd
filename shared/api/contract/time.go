package contract

import "time"

// Time is a timestamp on the wire: RFC 3339, UTC, milliseconds, "Z". It is read from any RFC 3339 timestamp.
type Time struct{ time.Time }

const timeLayout = "2006-01-02T15:04:05.000Z"

// At returns t as a wire timestamp, in whole milliseconds.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Millisecond)} }

// String returns the wire form.
func (t Time) String() string { return t.UTC().Format(timeLayout) }

// MarshalJSON returns the wire form as a JSON string.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }
