package pdf

import (
	"testing"
)

// A module that is trimmed by less, or not at all, needs more than the 250 MB and 2.5 s that the
// first PDF file of a process may cost.
func TestPDFiumIsTrimmed(t *testing.T) {
	t.Parallel()
	content, err := preparePDFium()
	if err != nil {
		t.Fatal(err)
	}
	if got, whole := len(content), len(pdfiumModule); got > whole*85/100 {
		t.Errorf("the module has %d bytes of %d, want at most 85 %%", got, whole)
	}
}
