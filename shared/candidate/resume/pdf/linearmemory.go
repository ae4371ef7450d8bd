package pdf

import (
	"syscall"
)

// linearMemory is the memory of a sandbox. It lies outside of Go's heap, is reserved at once and
// taken from the system as it is touched: it does not move when it grows, the garbage collector
// has nothing to do with it, and no document finds anything of another one's in it.
type linearMemory []byte

func newLinearMemory(size int) (linearMemory, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func (m linearMemory) release() { _ = syscall.Munmap(m) }

// Reallocate returns the first bytes of the memory, or nil if it has fewer. See
// [github.com/tetratelabs/wazero/experimental.LinearMemory].
func (m linearMemory) Reallocate(size uint64) []byte {
	if size > uint64(len(m)) {
		return nil
	}
	return m[:size]
}

// Free does nothing: the sandbox releases its memory when nothing reads it any more.
func (m linearMemory) Free() {}
