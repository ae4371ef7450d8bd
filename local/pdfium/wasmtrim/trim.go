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

const headerSize = 8

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
	reached := m.reachable()
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

func (m module) reachable() []bool {
	reached := make([]bool, len(m.imports)+len(m.bodies))
	open := m.roots
	for len(open) > 0 {
		f := open[len(open)-1]
		open = open[:len(open)-1]
		switch {
		case f >= len(reached):
			panic(ErrFormat)
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
	return reached
}

func parseModule(content []byte, keep func(string) bool) module {
	in := &reader{data: content}
	m := module{header: in.take(headerSize)}
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

// Instructions that a check consists of.
const (
	ifBlock    = 0x04
	noResult   = 0x40
	drop       = 0x1a
	getGlobal  = 0x23
	setGlobal  = 0x24
	i32EqualsZ = 0x45
	i32Sub     = 0x6b
)

// turnsPerCheck is how many turns loops take from one check to the next, well under a millisecond's
// work. It is encoded in two bytes.
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
