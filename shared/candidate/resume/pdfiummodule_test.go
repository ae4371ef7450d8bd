package resume

import (
	"reflect"
	"strings"
	"testing"
)

// A module that is trimmed by less, or not at all, needs more than the 250 MB and 2.5 s that the
// first PDF file of a process may cost.
func TestPDFiumIsTrimmed(t *testing.T) {
	t.Parallel()
	if got, whole := len(trimPDFium()), len(pdfiumModule); got == 0 || got > whole*85/100 {
		t.Errorf("the module has %d bytes of %d, want at most 85 %%", got, whole)
	}
}

func TestUsedExportsCoverTheEngine(t *testing.T) {
	t.Parallel()
	for method := range reflect.TypeFor[engine]().Methods() {
		if strings.HasPrefix(method.Name, "FPDF") && !usedExports[method.Name] {
			t.Errorf("%s is used and not among usedExports", method.Name)
		}
	}
}
