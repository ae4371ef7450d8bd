package gate

import "time"

// Admission is a key that passed the key check and was counted, with the state
// of its window. A refusal for the rate comes with one too, so that its answer
// can tell the limit and when the window ends.
type Admission struct {
	Caller Caller
	// Limit is what a window allows, Remaining what is left of it.
	Limit, Remaining int
	// Reset is when the window ends.
	Reset time.Time
}
