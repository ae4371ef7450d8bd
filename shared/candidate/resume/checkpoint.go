package resume

import "context"

// checkEvery is how many bytes of input a reader works on between two looks at its
// context: about a millisecond's work.
const checkEvery = 64 << 10

// checkpoint ends the loop of a reader with its context. Every reader is linear in its
// input, so that the bytes it has passed measure its work.
type checkpoint struct {
	ctx  context.Context
	left int // bytes until the context is looked at
}

// countBytes counts bytes of input, and returns the error of a context that has ended.
func (c *checkpoint) countBytes(bytes int) error {
	if c.left -= bytes; c.left > 0 {
		return nil
	}
	c.left = checkEvery
	return c.ctx.Err()
}
