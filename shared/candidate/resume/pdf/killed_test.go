package pdf

import (
	"context"
	"errors"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// A call of pdfium ends at the first check of its loops that finds its context ended, and leaves a reader that works.
func TestReadWorksAfterAKilledDocument(t *testing.T) {
	t.Parallel()
	checkGoodPDF(t)
	compiled, err := sandboxes()
	if err != nil {
		t.Fatal(err)
	}
	pdf, err := compiled.startSandbox(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer pdf.close()
	const checks = 1000 // there are about twenty calls
	ctx := &resumetest.EndingContext{Context: context.Background(), End: checks}
	pdf.ctx = ctx
	err = (&pdfReader{pdf: pdf, out: collect.New(filetype.PDF)}).readDocument(resumetest.PDFOfForms(9, 99))
	if !errors.Is(err, context.Canceled) || ctx.Checks != checks+1 {
		t.Errorf("ended with %v after %d checks, want context.Canceled after %d", err, ctx.Checks, checks+1)
	}
	checkGoodPDF(t)
}

// checkGoodPDF reads a PDF file that every reader understands.
func checkGoodPDF(t *testing.T) {
	t.Helper()
	content, err := resumes.Files.ReadFile("maya-okafor.chromium.pdf")
	if err != nil {
		t.Fatal(err)
	}
	out := collect.New(filetype.PDF)
	if err := Read(t.Context(), content, out); err != nil {
		t.Fatal(err)
	}
	if doc := out.FinishDocument(); len(doc.Blocks) == 0 || doc.Blocks[0][0] != "Maya Okafor" {
		t.Errorf("read %q", doc.Blocks)
	}
}
