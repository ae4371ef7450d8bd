// Package wasmtrim makes a WebAssembly module cheaper to compile and to interrupt: functions that no
// kept export can reach become one instruction that traps ([Trim]), and loops ask the embedding
// program now and then whether to continue ([AddChecks]).
//
// It knows the binary format of WebAssembly 2.0 as far as calls and loops must be found in the module of pdfium. The
// indexes of functions, types and exports stay, so that nothing else of the module changes. It trims
// no function with its address taken, because an indirect call may reach it.
package wasmtrim

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// ErrFormat is the error for a module with something that the package does not know.
var ErrFormat = errors.New("wasmtrim: not a module whose calls can be followed")

// Sections of a module that are read.
const (
	importSection  = 2
	globalSection  = 6
	exportSection  = 7
	startSection   = 8
	elementSection = 9
	codeSection    = 10
)

// stub is the body of a function that is never called: no locals, unreachable, end.
var stub = []byte{0, 0x00, 0x0b}

type module struct {
	header   []byte
	sections []section
	imports  []string // functions, as module.name; their indexes come first
	roots    []int
	bodies   [][]byte
}

type section struct {
	id      byte
	content []byte
}

// Trim returns the module without the functions that cannot be reached from the exports that
// keep names, from its start function or through its tables. The error is [ErrFormat].
func Trim(content []byte, keep func(export string) bool) (trimmed []byte, err error) {
	defer catchFormat(&err)
	m := parseModule(content, keep)
	reached := make([]bool, len(m.imports)+len(m.bodies))
	open := m.roots
	for len(open) > 0 {
		f := open[len(open)-1]
		open = open[:len(open)-1]
		switch {
		case f >= len(reached):
			return nil, ErrFormat
		case reached[f]:
			continue
		}
		reached[f] = true
		if f < len(m.imports) {
			continue
		}
		readInstructions(m.bodies[f-len(m.imports)], func(op byte, operands []byte, _ int) {
			if op == call {
				open = append(open, (&reader{data: operands}).readCount())
			}
		})
	}
	for i := range m.bodies {
		if !reached[len(m.imports)+i] {
			m.bodies[i] = stub
		}
	}
	return m.encode(), nil
}

// encode returns the module with its present bodies.
func (m module) encode() []byte {
	code := binary.AppendUvarint(nil, uint64(len(m.bodies)))
	for _, body := range m.bodies {
		code = append(binary.AppendUvarint(code, uint64(len(body))), body...)
	}
	out := slices.Clone(m.header)
	for _, s := range m.sections {
		if s.id == codeSection {
			s.content = code
		}
		out = append(binary.AppendUvarint(append(out, s.id), uint64(len(s.content))), s.content...)
	}
	return out
}

func parseModule(content []byte, keep func(string) bool) module {
	in := &reader{data: content}
	m := module{header: in.take(8)} // magic number and version
	for in.at < len(content) {
		s := section{in.readByte(), in.take(in.readCount())}
		m.sections = append(m.sections, s)
		m.readSection(s, keep)
	}
	if m.bodies == nil {
		panic(ErrFormat)
	}
	return m
}

func (m *module) readSection(s section, keep func(string) bool) {
	in := &reader{data: s.content}
	switch s.id {
	case importSection: // of one kind: functions
		for range in.readCount() {
			from := in.take(in.readCount())
			name := in.take(in.readCount())
			if in.readByte() != 0 {
				panic(ErrFormat)
			}
			m.imports = append(m.imports, string(from)+"."+string(name))
			in.readCount()
		}
	case exportSection:
		for range in.readCount() {
			name := string(in.take(in.readCount()))
			kind := in.readByte()
			index := in.readCount()
			if kind == 0 && keep(name) {
				m.roots = append(m.roots, index)
			}
		}
	case startSection:
		m.roots = append(m.roots, in.readCount())
	case elementSection: // of one kind: functions of the first table from a constant index
		for range in.readCount() {
			if in.readCount() != 0 || in.readByte() != i32Const {
				panic(ErrFormat)
			}
			in.readCount()
			if in.readByte() != end {
				panic(ErrFormat)
			}
			for range in.readCount() {
				m.roots = append(m.roots, in.readCount())
			}
		}
	case codeSection:
		for range in.readCount() {
			m.bodies = append(m.bodies, in.take(in.readCount()))
		}
	default:
		return
	}
	if in.at != len(s.content) {
		panic(ErrFormat)
	}
}

// turnsPerCheck is how many turns loops take between checks, well under a millisecond's work. It has two bytes.
const turnsPerCheck = 1 << 12

// AddChecks returns the module with a counter that every loop counts down at each turn. When it is
// used up, the loop calls the imported function named importName ("module.name") with 0 and
// ignores its result; both are i32. The function ends a call of the module by a panic. A check
// costs much less than one of wazero's WithCloseOnContextDone, which leaves compiled code in every turn. The error is [ErrFormat].
func AddChecks(content []byte, importName string) (checked []byte, err error) {
	defer catchFormat(&err)
	m := parseModule(content, func(string) bool { return false })
	function := slices.Index(m.imports, importName)
	if function < 0 {
		return nil, ErrFormat
	}
	globals := slices.IndexFunc(m.sections, func(s section) bool { return s.id == globalSection })
	if globals < 0 {
		return nil, ErrFormat
	}
	in := &reader{data: m.sections[globals].content}
	others := in.readCount() // also the index of the counter behind them
	count := binary.AppendUvarint(nil, uint64(others+1))
	m.sections[globals].content = slices.Concat(count, in.data[in.at:], []byte{0x7f, 0x01, i32Const, 0, end}) // i32, variable

	index := binary.AppendUvarint(nil, uint64(others))
	get := append([]byte{getGlobal}, index...)
	set := append([]byte{setGlobal}, index...)
	refill := append([]byte{i32Const, turnsPerCheck&0x7f | 0x80, turnsPerCheck >> 7}, set...)
	ask := append(binary.AppendUvarint([]byte{i32Const, 0, call}, uint64(function)), drop)
	check := slices.Concat(
		get, []byte{i32EqualsZ, ifBlock, noResult}, refill, ask, []byte{end},
		get, []byte{i32Const, 1, i32Sub}, set)

	for i, body := range m.bodies {
		var out []byte
		copied := 0
		readInstructions(body, func(op byte, _ []byte, after int) {
			if op == loop {
				out = append(append(out, body[copied:after]...), check...)
				copied = after
			}
		})
		m.bodies[i] = append(out, body[copied:]...)
	}
	return m.encode(), nil
}

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

func catchFormat(err *error) {
	switch reason := recover(); reason {
	case nil:
	case ErrFormat:
		*err = ErrFormat
	default:
		panic(reason)
	}
}

// Instructions that are distinguished by more than the size of their operands, and those of a check.
const (
	loop        = 0x03
	ifBlock     = 0x04
	end         = 0x0b
	branchTable = 0x0e
	call        = 0x10
	drop        = 0x1a
	tryTable    = 0x1f
	getGlobal   = 0x23
	setGlobal   = 0x24
	noResult    = 0x40
	i32Const    = 0x41
	i32EqualsZ  = 0x45
	i32Sub      = 0x6b
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
		switch op := r.readCount(); { // a conversion, or an instruction on memory or tables
		case op <= 7:
		case op == 8, op == 10, op == 12, op == 14:
			r.skipNumbers(2)
		case op <= 17:
			r.skipNumbers(1)
		default:
			panic(ErrFormat)
		}
	case op == vector:
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
