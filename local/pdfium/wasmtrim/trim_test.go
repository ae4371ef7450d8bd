package wasmtrim_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/recruiting-marketplace/external-api/local/pdfium/wasmtrim"
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

// endless imports m.f and exports "a", which counts the exported variable "n" up for ever.
var endless = []byte("\x00asm\x01\x00\x00\x00" +
	"\x01\x09\x02\x60\x01\x7f\x01\x7f\x60\x00\x00" + // types: i32 to i32, nothing to nothing
	"\x02\x07\x01\x01m\x01f\x00\x00" + // import
	"\x03\x02\x01\x01" + // one function
	"\x06\x06\x01\x7f\x01\x41\x00\x0b" + // one variable
	"\x07\x09\x02\x01a\x00\x01\x01n\x03\x00" + // exports
	"\x0a\x10\x01\x0e\x00\x03\x40\x23\x00\x41\x01\x6a\x24\x00\x0c\x00\x0b\x0b") // loop: n++

// A loop calls the imported function at its first turn and at every 4,096th after it, and ends with its panic.
func TestLoopsAreChecked(t *testing.T) {
	t.Parallel()
	checked, err := wasmtrim.AddChecks(endless, "m.f")
	if err != nil {
		t.Fatal(err)
	}
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	errEnded, calls := errors.New("ended"), 0
	host := runtime.NewHostModuleBuilder("m").NewFunctionBuilder().WithFunc(func(int32) int32 {
		if calls++; calls == 4 {
			panic(errEnded)
		}
		return 1
	}).Export("f")
	if _, err := host.Instantiate(t.Context()); err != nil {
		t.Fatal(err)
	}
	module, err := runtime.Instantiate(t.Context(), checked)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := module.ExportedFunction("a").Call(t.Context()); !errors.Is(err, errEnded) {
		t.Errorf("the loop ends with %v, want the error of the function", err)
	}
	if got := module.ExportedGlobal("n").Get(); got != 3*4096 {
		t.Errorf("the loop took %d turns, want %d", got, 3*4096)
	}
}

func TestModulesThatCannotBeCheckedAreRefused(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{"no import": sample, "no variables": []byte(strings.Replace(string(endless), "\x06\x06\x01\x7f\x01\x41\x00\x0b", "", 1))} {
		if _, err := wasmtrim.AddChecks(content, "m.f"); !errors.Is(err, wasmtrim.ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
	}
}
