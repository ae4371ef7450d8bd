package wasmtrim_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/wasmtrim"
)

// sample exports "a", which calls a function that returns 42, and "c", which returns 7.
var sample = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x05\x01\x60\x00\x01\x7f" + // type: no parameters, one i32
	"\x03\x04\x03\x00\x00\x00" + // three functions
	"\x07\x09\x02\x01a\x00\x00\x01c\x00\x02" + // exports
	"\x0a\x10\x03\x04\x00\x10\x01\x0b\x04\x00\x41\x2a\x0b\x04\x00\x41\x07\x0b") // bodies

func keepA(export string) bool { return export == "a" }

func TestWhatKeptExportsReachStays(t *testing.T) {
	t.Parallel()
	trimmed, err := wasmtrim.Trim(sample, keepA)
	if err != nil {
		t.Fatal(err)
	}
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	module, err := runtime.Instantiate(t.Context(), trimmed)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := module.ExportedFunction("a").Call(t.Context()); err != nil || got[0] != 42 {
		t.Errorf("a returns %v, %v, want 42", got, err)
	}
	if _, err := module.ExportedFunction("c").Call(t.Context()); err == nil || !strings.Contains(err.Error(), "unreachable") {
		t.Errorf("c ends with %v, want a trap", err)
	}
}

func TestBrokenModulesAreRefused(t *testing.T) {
	t.Parallel()
	for n := range sample {
		if _, err := wasmtrim.Trim(sample[:n], keepA); !errors.Is(err, wasmtrim.ErrFormat) {
			t.Errorf("the first %d bytes: %v, want ErrFormat", n, err)
		}
	}
	unknown := []byte(strings.Replace(string(sample), "\x10\x01\x0b", "\xff\x01\x0b", 1))
	if _, err := wasmtrim.Trim(unknown, keepA); !errors.Is(err, wasmtrim.ErrFormat) {
		t.Errorf("an unknown instruction: %v, want ErrFormat", err)
	}
}
