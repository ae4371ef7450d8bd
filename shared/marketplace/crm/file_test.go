package crm

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
		want, at := pack(sampleRows[:n]), time.UnixMilli(1_750_000_000_123)
		got, until, err := unpack(want.file(at))
		if err != nil || !until.Equal(at) {
			t.Fatalf("%d rows: %v, until %v", n, err, until)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(base{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%d rows (-want +got):\n%s", n, diff)
		}
	}
	file := pack(sampleRows).file(time.UnixMilli(1))
	for i := range file {
		broken := append([]byte{}, file...)
		broken[i] ^= 0x20
		if _, _, err := unpack(broken); !errors.Is(err, errBroken) {
			t.Errorf("with byte %d changed: %v", i, err)
		}
		if _, _, err := unpack(file[:i]); !errors.Is(err, errBroken) {
			t.Errorf("with %d bytes: %v", i, err)
		}
	}
}

// FuzzUnpack gives files whose checksum is right: no search of what is read from
// them may fail.
func FuzzUnpack(f *testing.F) {
	f.Add(pack(sampleRows).file(time.UnixMilli(1))[crcEnd:], "zo mul")
	f.Add(pack(nil).file(time.UnixMilli(1))[crcEnd:], "")
	f.Fuzz(func(t *testing.T, body []byte, query string) {
		file := append(append([]byte(magic), 0, 0, 0, 0), body...)
		binary.LittleEndian.PutUint32(file[len(magic):], crc32.Checksum(body, castagnoli))
		b, _, err := unpack(file)
		if err != nil {
			return
		}
		for _, f := range []Filter{{Query: query}, {Tags: []string{query}}, {Query: query, Statuses: []string{"SOURCED"}}} {
			for _, after := range []int64{0, 1, behind, behind + 1} {
				list, _ := b.find(f.matcher(), after, 3, nil)
				for _, one := range list {
					if one.at <= after {
						t.Errorf("%d is not behind %d", one.at, after)
					}
				}
			}
		}
	})
}
