package apikey

import "time"

// Authentication is the result of checking one request: who calls, and what is left of
// the key's window for the rate headers. It is also filled with a 429.
type Authentication struct {
	Caller Caller
	// Limit is the tier's, Remaining what is left of it after this request.
	Limit, Remaining int
	// Reset is when the window ends.
	Reset time.Time
}
