package pdf

import (
	_ "embed"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

//go:generate go run ../../../../local/pdfium

// pdfiumModule is pdfium with checks in its loops, and without what only other exports than the used ones reach,
// such as drawing pages, forms and editing: it compiles in half of the time and of the memory.
//
//go:embed pdfium.wasm
var pdfiumModule []byte

// exportList are all functions that [sandbox.call] calls, and those of the C library that setjmp needs.
//
//go:embed exports.txt
var exportList string

var usedExports = words.Set(exportList)

// checkImport is the function that pdfium would ask whether to pause drawing. Nothing is drawn; its
// loops ask it whether to continue: see [checkContext].
const checkImport = "IFSDK_PAUSE_NeedToPauseNow_CB"
