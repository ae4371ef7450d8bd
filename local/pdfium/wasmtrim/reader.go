package wasmtrim

import (
	"encoding/binary"
	"math"
)

// reader reads a module. It panics with ErrFormat at something unexpected.
type reader struct {
	data []byte
	at   int
}

func (r *reader) readByte() byte { return r.take(1)[0] }

// take returns the next n bytes.
func (r *reader) take(n int) []byte {
	if n > len(r.data)-r.at {
		panic(ErrFormat)
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

// readCount reads an unsigned number of 32 bits.
func (r *reader) readCount() int {
	v, n := binary.Uvarint(r.data[r.at:])
	if n <= 0 || v > math.MaxUint32 {
		panic(ErrFormat)
	}
	r.at += n
	return int(v)
}

// skipNumbers skips numbers of any size, signed or not.
func (r *reader) skipNumbers(count int) {
	for range count {
		for r.readByte() >= 0x80 {
		}
	}
}

// catchFormat sets err if a reader has panicked.
func catchFormat(err *error) {
	switch reason := recover(); reason {
	case nil:
	case ErrFormat:
		*err = ErrFormat
	default:
		panic(reason)
	}
}
