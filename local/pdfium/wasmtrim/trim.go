// Package wasmtrim makes a WebAssembly module cheaper to compile and to interrupt: functions that no
// kept export can reach become one instruction that traps ([Trim]), and loops ask the embedding
// program now and then whether to continue ([AddChecks]).
//
// It knows the binary format of WebAssembly 2.0 as far as calls and loops must be found in it. The
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

// module is what is known of a module.
type module struct {
	header   []byte
	sections []section
	imports  []string // functions, as module.name; their indexes come first
	globals  int
	roots    []int
	bodies   [][]byte
}

type section struct {
	id      byte
	content []byte
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

// reachable follows calls from the roots.
func (m module) reachable() ([]bool, error) {
	reached := make([]bool, len(m.imports)+len(m.bodies))
	open := m.roots
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
		if f >= len(m.imports) {
			called, ok := findCalls(m.bodies[f-len(m.imports)])
			if !ok {
				return nil, ErrFormat
			}
			open = append(open, called...)
		}
	}
	return reached, nil
}

func parseModule(content []byte, keep func(string) bool) (module, error) {
	if len(content) < headerSize {
		return module{}, ErrFormat
	}
	m := module{header: content[:headerSize]}
	in := &reader{data: content, at: headerSize}
	for in.at < len(content) && !in.failed {
		s := section{in.readByte(), in.take(in.readCount())}
		m.sections = append(m.sections, s)
		in.failed = in.failed || !m.readSection(s, keep)
	}
	if in.failed || m.bodies == nil {
		return m, ErrFormat
	}
	return m, nil
}

// readSection reads one section and reports whether it is as expected.
func (m *module) readSection(s section, keep func(string) bool) bool {
	in := &reader{data: s.content}
	switch s.id {
	case importSection:
		m.readImports(in)
	case globalSection:
		m.globals += in.readCount()
		in.skip(len(s.content) - in.at)
	case exportSection:
		m.roots = append(m.roots, readExports(in, keep)...)
	case startSection:
		m.roots = append(m.roots, in.readCount())
	case elementSection:
		m.roots = append(m.roots, readElements(in)...)
	case codeSection:
		m.bodies = readBodies(in)
	default:
		return true
	}
	return !in.failed && in.at == len(s.content)
}

func (m *module) readImports(in *reader) {
	for range in.readCount() {
		from := in.take(in.readCount())
		name := in.take(in.readCount())
		switch in.readByte() {
		case 0:
			m.imports = append(m.imports, string(from)+"."+string(name))
			in.readCount()
		case 1: // table
			in.readByte()
			in.skipLimits()
		case 2: // memory
			in.skipLimits()
		case 3: // global
			m.globals++
			in.skip(2)
		default:
			in.failed = true
		}
		if in.failed {
			break
		}
	}
}

func readExports(in *reader, keep func(string) bool) (functions []int) {
	for range in.readCount() {
		name := string(in.take(in.readCount()))
		kind := in.readByte()
		index := in.readCount()
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
			functions = append(functions, in.readCount())
			if in.failed {
				break
			}
		}
	}
	return functions
}

func readBodies(in *reader) (bodies [][]byte) {
	for range in.readCount() {
		bodies = append(bodies, in.take(in.readCount()))
		if in.failed {
			break
		}
	}
	return bodies
}
