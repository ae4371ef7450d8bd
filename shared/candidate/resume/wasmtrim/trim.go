// Package wasmtrim makes a WebAssembly module cheaper to compile: functions that no kept export
// can reach become one instruction that traps.
//
// It knows the binary format of WebAssembly 2.0 as far as calls must be found in it. The indexes
// of functions, types and exports stay, so that nothing else of the module changes. It trims no
// function whose address is taken, because an indirect call may reach it.
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
	exportSection  = 7
	startSection   = 8
	elementSection = 9
	codeSection    = 10
)

const headerSize = 8

// stub is the body of a function that is never called: no locals, unreachable, end.
var stub = []byte{0, 0x00, 0x0b}

// module is what is known of a module.
type module struct {
	imported          int // functions; their indexes come first
	roots             []int
	bodies            [][]byte
	codeStart, codeAt int // of the code section: its first byte and the one after it
}

// Trim returns the module without the functions that cannot be reached from the exports that
// keep names, from its start function or through its tables. The error is [ErrFormat].
func Trim(content []byte, keep func(export string) bool) ([]byte, error) {
	m, err := parseModule(content, keep)
	if err != nil {
		return nil, err
	}
	reached, err := m.reachable()
	if err != nil {
		return nil, err
	}
	code := binary.AppendUvarint(nil, uint64(len(m.bodies)))
	for i, body := range m.bodies {
		if !reached[m.imported+i] {
			body = stub
		}
		code = append(binary.AppendUvarint(code, uint64(len(body))), body...)
	}
	head := binary.AppendUvarint(append(slices.Clone(content[:m.codeStart]), codeSection), uint64(len(code)))
	return slices.Concat(head, code, content[m.codeAt:]), nil
}

// reachable follows calls from the roots.
func (m module) reachable() ([]bool, error) {
	reached, open := make([]bool, m.imported+len(m.bodies)), m.roots
	for len(open) > 0 {
		f := open[len(open)-1]
		open = open[:len(open)-1]
		switch {
		case f < 0 || f >= len(reached):
			return nil, ErrFormat
		case reached[f]:
			continue
		}
		reached[f] = true
		if f >= m.imported {
			called, ok := findCalls(m.bodies[f-m.imported])
			if !ok {
				return nil, ErrFormat
			}
			open = append(open, called...)
		}
	}
	return reached, nil
}

func parseModule(content []byte, keep func(string) bool) (module, error) {
	m := module{}
	if len(content) < headerSize {
		return m, ErrFormat
	}
	in := &reader{data: content, at: headerSize}
	for in.at < len(content) && !in.failed {
		start := in.at
		id, size := in.readByte(), in.readCount()
		end := in.at + size
		switch id {
		case importSection:
			m.imported = countImports(in)
		case exportSection:
			m.roots = append(m.roots, readExports(in, keep)...)
		case startSection:
			m.roots = append(m.roots, in.readCount())
		case elementSection:
			m.roots = append(m.roots, readElements(in)...)
		case codeSection:
			m.codeStart, m.codeAt, m.bodies = start, end, readBodies(in)
		default:
			in.skip(size)
		}
		in.failed = in.failed || in.at != end
	}
	if in.failed || m.codeAt == 0 {
		return m, ErrFormat
	}
	return m, nil
}

// countImports returns the number of imported functions.
func countImports(in *reader) (functions int) {
	for range in.readCount() {
		in.skip(in.readCount()) // module
		in.skip(in.readCount()) // name
		switch in.readByte() {
		case 0:
			functions++
			in.readCount()
		case 1: // table
			in.readByte()
			in.skipLimits()
		case 2: // memory
			in.skipLimits()
		case 3: // global
			in.skip(2)
		default:
			in.failed = true
		}
		if in.failed {
			break
		}
	}
	return functions
}

func readExports(in *reader, keep func(string) bool) (functions []int) {
	for range in.readCount() {
		name := string(in.take(in.readCount()))
		kind, index := in.readByte(), in.readCount()
		if in.failed {
			break
		}
		if kind == 0 && keep(name) {
			functions = append(functions, index)
		}
	}
	return functions
}

// readElements returns the functions in tables. It knows one kind of segments: functions of
// the first table from a constant index.
func readElements(in *reader) (functions []int) {
	for range in.readCount() {
		if in.readCount() != 0 || in.readByte() != i32Const {
			in.failed = true
			break
		}
		in.readCount()
		in.failed = in.failed || in.readByte() != end
		for range in.readCount() {
			if functions = append(functions, in.readCount()); in.failed {
				break
			}
		}
	}
	return functions
}

func readBodies(in *reader) (bodies [][]byte) {
	for range in.readCount() {
		if bodies = append(bodies, in.take(in.readCount())); in.failed {
			break
		}
	}
	return bodies
}
