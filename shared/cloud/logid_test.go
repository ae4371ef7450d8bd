package cloud_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func TestLogID(t *testing.T) {
	t.Parallel()
	for id, kept := range map[string]bool{
		"": true, "0198c2d4-1111-7abc-8def-0123456789ab": true, "req_17:3": true, "role.upserted": true, "agy_1": true,
		"rmk_test_0123456789abcdefghijABCDEFGHIJ012345": false, "x-rmk_live_0123": false, "ada@example.com": false, "Ada Lovelace": false,
		"https://www.linkedin.com/in/ada": false, "line\nbreak": false, "naïve": false,
		"0123456789012345678901234567890123456789012345678901234567890123": true, "01234567890123456789012345678901234567890123456789012345678901234": false,
	} {
		want := id
		if !kept {
			want = ""
		}
		if got := cloud.LogID(id); got != want {
			t.Errorf("%q: got %q; want %q", id, got, want)
		}
	}
}

// What the runtime says holds no data; what others panic with may.
func TestPanicked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		panics func()
		want   string
	}{
		"text":  {func() { panic("of ada@example.com") }, "panic: a value of type string"},
		"error": {func() { panic(errors.New("of ada@example.com")) }, "panic: a value of type *errors.errorString"},
		"index": {func() { _ = five[len(five)] }, "panic: runtime error: index out of range [5] with length 5"},
		"map":   {func() { noCounts()["ada@example.com"] = 1 }, "panic: "},
		"type":  {func() { var v any = "ada@example.com"; _ = v.(int) }, "panic: interface conversion: interface {} is string, not int"},
	} {
		func() {
			defer func() {
				if got := cloud.Panicked(recover()).Error(); !strings.HasPrefix(got, tt.want) || strings.Contains(got, "ada") {
					t.Errorf("%s: got %q; want %q", name, got, tt.want)
				}
			}()
			tt.panics()
		}()
	}
}

// noCounts is a map that the compiler does not know to be nil.
func noCounts() (m map[string]int) { return m }

// five is of a length that the compiler does not know.
var five = strings.Repeat("x", 5)
