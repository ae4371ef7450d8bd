package doublebyte_test

import (
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/doublebyte"
)

// Every character that golang.org/x/text encodes in one, two or four bytes decodes to itself.
func TestDecodeRuneAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	for e, library := range map[doublebyte.Encoding]encoding.Encoding{
		doublebyte.GBK: simplifiedchinese.GB18030, doublebyte.Big5: traditionalchinese.Big5, doublebyte.ShiftJIS: japanese.ShiftJIS,
		doublebyte.EUCJP: japanese.EUCJP, doublebyte.EUCKR: korean.EUCKR,
	} {
		count := 0
		for r := range rune(0x20000) {
			bytes, err := library.NewEncoder().Bytes([]byte(string(r)))
			if err != nil || len(bytes) == 3 || r >= 0xd800 && r < 0xf900 || r > 0xffff && len(bytes) == 2 {
				continue
			}
			count++
			if got, size := e.DecodeRune(bytes); got != r || size != len(bytes) {
				t.Fatalf("encoding %d: % x is %U (%d bytes), want %U", e, bytes, got, size, r)
			}
		}
		if count < 7000 {
			t.Errorf("encoding %d: only %d characters", e, count)
		}
	}
}
