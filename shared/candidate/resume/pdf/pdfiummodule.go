package pdf

import (
	_ "unsafe" // for go:linkname

	_ "github.com/klippa-app/go-pdfium/webassembly" // for its module

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/wasmtrim"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// pdfiumModule is the module that go-pdfium embeds. The linker fails if there is none of this
// name. A copy of our own would make the function larger by 5 MB.
//
//go:linkname pdfiumModule github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var pdfiumModule []byte

// checkImport is the function that pdfium would ask whether to pause drawing. Nothing is drawn; its
// loops ask it whether to go on: see [checkContext].
const checkImport = "IFSDK_PAUSE_NeedToPauseNow_CB"

// usedExports are all that [sandbox.call] calls, and those of the C library that setjmp needs.
var usedExports = words.Set("_initialize FPDF_InitLibrary FPDF_LoadMemDocument FPDF_GetLastError FPDF_GetPageCount FPDF_LoadPage FPDF_ClosePage " +
	"FPDFText_LoadPage FPDFText_ClosePage FPDFText_CountChars FPDFText_GetText FPDFText_GetCharIndexFromTextIndex FPDFText_GetFontSize FPDFText_GetFontInfo " +
	"FPDFText_GetLooseCharBox FPDFText_IsGenerated FPDFText_HasUnicodeMapError FPDFText_GetMatrix FPDFText_GetTextObject FPDFPage_CountObjects FPDFPage_GetObject FPDFPageObj_GetBounds " +
	"FPDFLink_Enumerate FPDFLink_GetAction FPDFAction_GetURIPath " +
	"calloc free setThrew _emscripten_stack_restore _emscripten_stack_alloc emscripten_stack_get_current")

// preparePDFium returns pdfium with checks in its loops, and without what only other exports than
// the used ones reach, such as drawing pages, forms and editing: it compiles in half of the time
// and of the memory.
func preparePDFium() ([]byte, error) {
	trimmed, err := wasmtrim.Trim(pdfiumModule, func(export string) bool { return usedExports[export] })
	if err != nil {
		return nil, err
	}
	return wasmtrim.AddChecks(trimmed, hostModule+"."+checkImport)
}
