package resume

import (
	"reflect"
	"strings"
	_ "unsafe" // for go:linkname

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/wasmtrim"
)

// pdfiumModule is the module that go-pdfium embeds. The linker fails if there is none of this
// name. A copy of our own would make the function larger by 5 MB.
//
//go:linkname pdfiumModule github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var pdfiumModule []byte

// trimPDFium returns pdfium without what only other exports than the used ones reach, such as
// drawing pages, forms and editing: it compiles in half of the time and of the memory. It returns
// nil, which means the whole module, if that cannot be told.
func trimPDFium() []byte {
	used := map[string]bool{"FPDF_InitLibrary": true, "FPDF_DestroyLibrary": true, "FPDF_LoadMemDocument": true, "FPDF_LoadMemDocument64": true,
		"FPDF_GetLastError": true, "FPDF_CloseDocument": true}
	for method := range reflect.TypeFor[engine]().Methods() {
		used[method.Name] = true
	}
	trimmed, err := wasmtrim.Trim(pdfiumModule, func(export string) bool {
		return used[export] || !strings.HasPrefix(export, "FPDF") && !strings.HasPrefix(export, "FORM") // those of the C library
	})
	if err != nil {
		return nil
	}
	return trimmed
}
