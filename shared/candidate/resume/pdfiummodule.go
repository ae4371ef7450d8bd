package resume

import (
	"strings"
	_ "unsafe" // for go:linkname

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/wasmtrim"
)

// pdfiumModule is the module that go-pdfium embeds. The linker fails if there is none of this
// name. A copy of our own would make the function larger by 5 MB.
//
//go:linkname pdfiumModule github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var pdfiumModule []byte

// usedExports are those that start pdfium, open a document and stand behind the methods of
// engine. They are not listed by reflection, which would keep all methods of the program.
var usedExports = wordSet("FPDF_InitLibrary FPDF_DestroyLibrary FPDF_LoadMemDocument FPDF_LoadMemDocument64 FPDF_GetLastError FPDF_CloseDocument " +
	"FPDF_GetPageCount FPDF_LoadPage FPDF_ClosePage FPDFText_LoadPage FPDFText_ClosePage FPDFText_CountChars FPDFText_GetText " +
	"FPDFText_GetCharIndexFromTextIndex FPDFText_GetFontSize FPDFText_GetLooseCharBox FPDFLink_Enumerate FPDFLink_GetAction " +
	"FPDFLink_GetDest FPDFAction_GetURIPath FPDFAction_GetType")

// trimPDFium returns pdfium without what only other exports than the used ones reach, such as
// drawing pages, forms and editing: it compiles in half of the time and of the memory. It returns
// nil, which means the whole module, if that cannot be told.
func trimPDFium() []byte {
	trimmed, err := wasmtrim.Trim(pdfiumModule, func(export string) bool {
		return usedExports[export] || !strings.HasPrefix(export, "FPDF") && !strings.HasPrefix(export, "FORM") // those of the C library
	})
	if err != nil {
		return nil
	}
	return trimmed
}
