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
func AddChecks(content []byte, importName string) (checked []byte, err error) {
	defer catchFormat(&err)
	m := parseModule(content, func(string) bool { return false })
	function := slices.Index(m.imports, importName)
	if function < 0 {
		return nil, ErrFormat
	}
	m.addCounter()
	check := newCheck(function, m.globals)
	for i, body := range m.bodies {
		m.bodies[i] = addChecks(body, check)
	}
	return m.encode(), nil
}

// addCounter adds a global variable; its index is the number of the others. A module must have some of its own.
func (m module) addCounter() {
	i := slices.IndexFunc(m.sections, func(s section) bool { return s.id == globalSection })
	if i < 0 {
		panic(ErrFormat)
	}
	in := &reader{data: m.sections[i].content}
	count := binary.AppendUvarint(nil, uint64(in.readCount()+1))
	m.sections[i].content = slices.Concat(count, in.data[in.at:], []byte{0x7f, 0x01, i32Const, 0, end}) // i32, variable
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
func addChecks(body, check []byte) (out []byte) {
	copied := 0
	readInstructions(body, func(op byte, _ []byte, after int) {
		if op == loop {
			out = append(append(out, body[copied:after]...), check...)
			copied = after
		}
	})
	return append(out, body[copied:]...)
}
