package document

import (
	"context"
)

// CheckEvery is how many bytes of input a reader processes between two checks of its
// context: about a millisecond's work.
const CheckEvery = 64 << 10

// checkpoint lets the loop of a reader end with its context. Every reader is linear in its
// input, so the bytes that it has processed measure its work.
type checkpoint struct {
	ctx  context.Context
	left int // bytes until the next check of the context
}

// NewCheckpoint returns a checkpoint that reports the end of ctx at its first check.
func NewCheckpoint(ctx context.Context) checkpoint { return checkpoint{ctx: ctx} }

// CountBytes counts processed bytes of input, and returns the error of a context that has ended.
func (c *checkpoint) CountBytes(bytes int) error {
	c.left -= bytes
	if c.left > 0 {
		return nil
	}
	c.left = CheckEvery
	return c.ctx.Err()
}
