//go:build !linux && !darwin

package pdf

// linearMemory is the memory of a sandbox, on Go's heap: reserved at once, so that it does not move
// when it grows.
type linearMemory []byte

func newLinearMemory(size int) (linearMemory, error) { return make(linearMemory, size), nil }

func (m linearMemory) release() {}
