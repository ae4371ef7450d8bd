package wasmtrim

import (
	"encoding/binary"
	"math"
)

// reader reads a module. After something unexpected it has failed, and reads zeros.
type reader struct {
	data   []byte
	at     int
	failed bool
}

func (r *reader) readByte() byte {
	if b := r.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// take returns the next n bytes.
func (r *reader) take(n int) []byte {
	if r.failed || n < 0 || n > len(r.data)-r.at {
		r.failed = true
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *reader) skip(n int) { r.take(n) }

// readCount reads an unsigned number of 32 bits.
func (r *reader) readCount() int {
	v, n := binary.Uvarint(r.data[min(r.at, len(r.data)):])
	if r.failed || n <= 0 || v > math.MaxUint32 {
		r.failed = true
		return 0
	}
	r.at += n
	return int(v)
}

// skipNumbers skips numbers of any size, signed or not.
func (r *reader) skipNumbers(count int) {
	for range count {
		for r.readByte() >= 0x80 {
		}
		if r.failed {
			return
		}
	}
}

func (r *reader) skipLimits() {
	if flags := r.readCount(); flags&1 != 0 {
		r.skipNumbers(2)
		return
	}
	r.skipNumbers(1)
}
