package operate

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/schollz/progressbar/v3"

	"github.com/recruiting-marketplace/external-api/local/operate/bulk"
)

// The last line says that there are more refusals only if there are.
func TestPrintRefusals(t *testing.T) {
	t.Parallel()
	for refusals, isMore := range map[int]bool{shownRefusals - 1: false, shownRefusals: false, shownRefusals + 1: true, shownRefusals + 2: true} {
		var out strings.Builder
		printRefusal := printRefusals(&out, "events")
		for line := range refusals {
			printRefusal(line+1, "no JSON")
		}
		shown := strings.Count(out.String(), "refused: no JSON\n")
		if shown != min(refusals, shownRefusals) || strings.Count(out.String(), "further refusals") != map[bool]int{true: 1}[isMore] {
			t.Errorf("of %d refusals: %s", refusals, &out)
		}
	}
}

// A bar shows no position in an empty file, and none behind the end that a file had, which does not end the load.
func TestBarEndsNoLoad(t *testing.T) {
	t.Parallel()
	done := func(context.Context) error { return nil }
	for size, offset := range map[int64]int64{0: 0, 10: 20} {
		dir := t.TempDir()
		checkpoint, err := bulk.OpenCheckpoint(dir, "events", "1")
		if err != nil {
			t.Fatal(err)
		}
		newBar := func() *progressbar.ProgressBar {
			return progressbar.NewOptions64(size, progressbar.OptionSetWriter(io.Discard))
		}
		if err := newBar().Set64(offset); err == nil {
			t.Errorf("a bar of %d shows %d: this test tests nothing", size, offset)
		}
		if err := finishWindow(t.Context(), done, newBar(), checkpoint, bulk.Position{Offset: offset}); err != nil {
			t.Errorf("%d of %d bytes: %v", offset, size, err)
		}
		saved, err := bulk.OpenCheckpoint(dir, "events", "1")
		if err != nil || saved.Position.Offset != offset {
			t.Errorf("saved %+v, %v", saved, err)
		}
	}
}
