// Command pdfium writes the module of pdfium that the resume reader runs: that of go-pdfium, without what no function of
// exports.txt reaches, and with checks in its loops. go generate runs it in the folder of the module.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	_ "github.com/klippa-app/go-pdfium/enums" // keeps the version of its module in go.mod

	"github.com/recruiting-marketplace/external-api/local/pdfium/wasmtrim"
)

func main() {
	module, err := prepareModule("exports.txt")
	if err == nil {
		err = os.WriteFile("pdfium.wasm", module, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// prepareModule returns go-pdfium's module, trimmed to the exports that a file lists.
func prepareModule(exports string) ([]byte, error) {
	list, err := os.ReadFile(exports)
	if err != nil {
		return nil, err
	}
	whole, err := readModule()
	if err != nil {
		return nil, err
	}
	used := strings.Fields(string(list))
	trimmed, err := wasmtrim.Trim(whole, func(export string) bool { return slices.Contains(used, export) })
	if err != nil {
		return nil, err
	}
	return wasmtrim.AddChecks(trimmed, "env.IFSDK_PAUSE_NeedToPauseNow_CB") // see checkImport of the reader's package pdf
}

func readModule() ([]byte, error) {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/klippa-app/go-pdfium").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "internal/pdfium_wasm/pdfium.wasm"))
}
