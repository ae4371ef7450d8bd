package office

import (
	"context"
	"errors"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// Every reader checks its context at least every 128 KB, and returns at the
// first check that fails. (PDF is read in a sandbox, which is killed.)
func TestEveryReaderStopsWhenItsContextEnds(t *testing.T) {
	t.Parallel()
	const checkEvery = 128 << 10
	const size, never = 4 * checkEvery, 1 << 30
	for _, tt := range []struct {
		of   filetype.Type
		unit string // adds nothing to the document, so that all of the file is read
		read func(context.Context, []byte, *collect.Collector) error
	}{
		{filetype.Text, "\n", ReadText},
		{filetype.Markdown, "---\n", ReadText},
		{filetype.HTML, "<b>", ReadHTML},
		{filetype.HTML, "<script></script>", ReadHTML},
		{filetype.RTF, "{}", ReadRTF},
		{filetype.RTF, `\bin9 aaaaaaaaa`, ReadRTF},
		{filetype.DOCX, "<w:p/>", ReadDOCX},
		{filetype.DOCX, "<!--" + resumetest.Repeat(1<<10, "a") + "-->", ReadDOCX},
		{filetype.ODT, "<text:p/>", ReadODT},
	} {
		content := resumetest.Wrap(tt.of, resumetest.Repeat(size, tt.unit))
		patient := &resumetest.EndingContext{Context: context.Background(), End: never}
		if err := tt.read(patient, content, collect.New(tt.of)); err != nil {
			t.Errorf("%s %.20q: %v", tt.of, tt.unit, err)
		}
		if want := size / checkEvery; patient.Checks < want {
			t.Errorf("%s %.20q: %d checks of the context in %d bytes, want at least %d", tt.of, tt.unit, patient.Checks, size, want)
		}
		for _, end := range []int{0, 1, patient.Checks / 2} {
			ctx := &resumetest.EndingContext{Context: context.Background(), End: end}
			if err := tt.read(ctx, content, collect.New(tt.of)); !errors.Is(err, context.Canceled) || ctx.Checks != end+1 {
				t.Errorf("%s %.20q: ended with %v after %d checks, want context.Canceled after %d", tt.of, tt.unit, err, ctx.Checks, end+1)
			}
		}
	}
}
