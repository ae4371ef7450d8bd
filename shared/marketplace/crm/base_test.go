package crm

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var sampleRows = []Row{
	{ID: "a", Name: "Zoë Müller", OneLiner: "Builds robots", Location: "Oslo", Company: "Example Works", Status: "ACTIVE", Tags: []string{"go", "rust"}, AddedAt: 1_700_000_000_000},
	{ID: "b", Name: "Иван Петров", Employers: []string{"東京 Labs", "Sample & Sons"}, Status: "SOURCED", AddedAt: 1_700_000_000_000},
	{ID: "c", Status: "SOURCED", AddedAt: 1_800_000_000_000},
}

// What is stored is what is read.
func TestFile(t *testing.T) {
	t.Parallel()
	for n := range len(sampleRows) + 1 {
		want := packRows(sampleRows[:n])
		at := time.UnixMilli(1_750_000_000_123)
		got, until, err := decodeFile(want.encodeFile(at))
		if err != nil || !until.Equal(at) {
			t.Fatalf("%d rows: %v, until %v", n, err, until)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(base{}, packedRow{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%d rows (-want +got):\n%s", n, diff)
		}
	}
	file := packRows(sampleRows).encodeFile(time.UnixMilli(1))
	for i := range file {
		broken := append([]byte{}, file...)
		broken[i] ^= 0x20
		if _, _, err := decodeFile(broken); !errors.Is(err, errCorruptFile) {
			t.Errorf("with byte %d changed: %v", i, err)
		}
		if _, _, err := decodeFile(file[:i]); !errors.Is(err, errCorruptFile) {
			t.Errorf("with %d bytes: %v", i, err)
		}
	}
}

// A file whose words or rows are out of order, which no search would find all of, is refused.
func TestFileOutOfOrder(t *testing.T) {
	t.Parallel()
	for _, b := range []base{{words: []string{"b", "a"}}, {rows: []packedRow{{id: "a", rank: 2}, {id: "b", rank: 1}}}} {
		if _, _, err := decodeFile(b.encodeFile(time.UnixMilli(1))); !errors.Is(err, errCorruptFile) {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

// Decoding a base allocates one array that holds exactly the numbers of its rows, so that memorySize counts all memory that they take.
func TestMemoryOfNumbers(t *testing.T) {
	t.Parallel()
	b, _, err := decodeFile(packRows(sampleRows).encodeFile(time.UnixMilli(1)))
	if err != nil || cap(b.rows[0].name) != b.countNumbers() {
		t.Errorf("%v; room for %d numbers, there are %d", err, cap(b.rows[0].name), b.countNumbers())
	}
}

// FuzzUnpack gives files whose checksum is right: no search of what is read from
// them may fail.
func FuzzUnpack(f *testing.F) {
	f.Add(packRows(sampleRows).encodeFile(time.UnixMilli(1))[crcEnd:], "zo mul")
	f.Add(packRows(nil).encodeFile(time.UnixMilli(1))[crcEnd:], "")
	f.Fuzz(func(t *testing.T, body []byte, query string) {
		file := append(append([]byte(magic), 0, 0, 0, 0), body...)
		binary.LittleEndian.PutUint32(file[len(magic):], checksum(body))
		b, _, err := decodeFile(file)
		if err != nil {
			return
		}
		for _, f := range []Filter{{Query: query}, {Tags: []string{query}}, {Query: query, Statuses: []string{"SOURCED"}}} {
			for _, after := range []int64{0, 1, otherHitOffset, otherHitOffset + 1} {
				for _, one := range b.findRows(f.newMatcher(), after, 3, nil).Rows {
					if one.position <= after {
						t.Errorf("%d is not after %d", one.position, after)
					}
				}
			}
		}
	})
}

// One of the numbers is in one of the ranges, however many there are of both.
func TestContainsAny(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		numbers := slices.Sorted(slices.Values(rapid.SliceOfN(rapid.Uint32Range(0, 60), 0, 8).Draw(t, "numbers")))
		var ranges []wordRange
		want := false
		for _, from := range slices.Sorted(slices.Values(rapid.SliceOfN(rapid.Uint32Range(0, 60), 0, 20).Draw(t, "ranges"))) {
			r := wordRange{from, from + 1 + from%2}
			ranges = append(ranges, r)
			want = want || slices.ContainsFunc(numbers, func(n uint32) bool { return r.from <= n && n < r.to })
		}
		if got := containsAny(numbers, ranges); got != want {
			t.Errorf("%v in %v: %t", numbers, ranges, got)
		}
	})
}
