package pdf

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
