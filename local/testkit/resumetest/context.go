package resumetest

import "context"

// EndingContext ends after End calls of Err, and counts the calls.
type EndingContext struct {
	context.Context
	Checks, End int
}

// Err returns nil for the first End calls, and context.Canceled for all others.
func (c *EndingContext) Err() error {
	c.Checks++
	if c.Checks > c.End {
		return context.Canceled
	}
	return nil
}
