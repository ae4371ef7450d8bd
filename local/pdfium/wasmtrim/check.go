package wasmtrim

import (
	"encoding/binary"
	"slices"
)

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
func AddChecks(content []byte, importName string) ([]byte, error) {
	m, err := parseModule(content, func(string) bool { return false })
	if err != nil {
		return nil, err
	}
	function := slices.Index(m.imports, importName)
	if function < 0 || !m.addCounter() {
		return nil, ErrFormat
	}
	check := newCheck(function, m.globals)
	for i, body := range m.bodies {
		m.bodies[i], err = addChecks(body, check)
		if err != nil {
			return nil, err
		}
	}
	return m.encode(), nil
}

// addCounter adds a global variable; its index is the number of the others. It reports false for a
// module without global variables of its own.
func (m module) addCounter() bool {
	for i, s := range m.sections {
		if s.id != globalSection {
			continue
		}
		in := &reader{data: s.content}
		own := in.readCount()
		m.sections[i].content = append(binary.AppendUvarint(nil, uint64(own+1)), s.content[in.at:]...)
		m.sections[i].content = append(m.sections[i].content, 0x7f, 0x01, i32Const, 0, end) // i32, variable
		return true
	}
	return false
}

// newCheck returns the instructions at the beginning of a loop.
func newCheck(function, counter int) []byte {
	index := binary.AppendUvarint(nil, uint64(counter))
	get := append([]byte{getGlobal}, index...)
	set := append([]byte{setGlobal}, index...)
	refill := append([]byte{i32Const, turnsPerCheck&0x7f | 0x80, turnsPerCheck >> 7}, set...)
	ask := append(binary.AppendUvarint([]byte{i32Const, 0, call}, uint64(function)), drop)
	return slices.Concat(
		get, []byte{i32EqualsZ, ifBlock, noResult}, refill, ask, []byte{end},
		get, []byte{i32Const, 1, i32Sub}, set)
}

// addChecks returns a body with check at the beginning of each loop.
func addChecks(body, check []byte) ([]byte, error) {
	var out []byte
	copied := 0
	ok := readInstructions(body, func(op byte, _ []byte, after int) {
		if op == loop {
			out = append(append(out, body[copied:after]...), check...)
			copied = after
		}
	})
	if !ok {
		return nil, ErrFormat
	}
	return append(out, body[copied:]...), nil
}
