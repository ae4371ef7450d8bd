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

// Instructions that are distinguished by more than the size of their operands.
const (
	loop        = 0x03
	call        = 0x10
	branchTable = 0x0e
	tryTable    = 0x1f
	i32Const    = 0x41
	end         = 0x0b
	extended    = 0xfc
	vector      = 0xfd
)

// readInstructions calls visit with each instruction of a body, its operands and the index after them.
func readInstructions(body []byte, visit func(op byte, operands []byte, after int)) {
	in := &reader{data: body}
	for range in.readCount() { // groups of locals
		in.skipNumbers(1)
		in.readByte()
	}
	for in.at < len(body) {
		op := in.readByte()
		start := in.at
		in.skipOperands(op)
		visit(op, body[start:in.at], in.at)
	}
}

func (r *reader) skipOperands(op byte) {
	switch {
	case op == branchTable:
		r.skipNumbers(r.readCount() + 1)
	case op == tryTable:
		r.skipNumbers(1)          // the type of the block
		for range r.readCount() { // exceptions that it catches
			if r.readByte() <= 1 {
				r.skipNumbers(1) // the tag, unless it catches all
			}
			r.skipNumbers(1) // the label
		}
	case op == extended:
		r.skipExtended()
	case op == vector:
		r.skipVector()
	case op <= 0x01, op == 0x05, op == 0x0a, op == end, op == 0x0f, op == 0x1a, op == 0x1b, op >= 0x45 && op <= 0xc4, op == 0xd1: // none
	case op >= 0x02 && op <= 0x04, op == 0x08, op == 0x0c, op == 0x0d, op == call, // blocks, exceptions, branches, functions
		op >= 0x20 && op <= 0x26, op == 0x3f, op == 0x40, op == i32Const, op == 0x42, op == 0xd0: // variables, tables, memory sizes, constants
		r.skipNumbers(1)
	case op == 0x11, op >= 0x28 && op <= 0x3e: // indirect calls, loads and stores
		r.skipNumbers(2)
	case op == 0x43: // f32.const
		r.take(4)
	case op == 0x44: // f64.const
		r.take(8)
	default:
		panic(ErrFormat)
	}
}

// skipExtended skips a conversion, or an instruction on memory or tables.
func (r *reader) skipExtended() {
	switch op := r.readCount(); {
	case op <= 7:
	case op == 8, op == 10, op == 12, op == 14:
		r.skipNumbers(2)
	case op <= 17:
		r.skipNumbers(1)
	default:
		panic(ErrFormat)
	}
}

// skipVector skips an instruction on vectors.
func (r *reader) skipVector() {
	switch op := r.readCount(); {
	case op <= 11, op == 92, op == 93: // loads and stores
		r.skipNumbers(2)
	case op == 12, op == 13: // constants and shuffles
		r.take(16)
	case op >= 21 && op <= 34: // lanes
		r.take(1)
	case op >= 84 && op <= 91: // loads and stores of lanes
		r.skipNumbers(2)
		r.take(1)
	case op > 255:
		panic(ErrFormat)
	}
}
