package ingest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo/resumes"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// TestFactsOfAResume fails unless a membership has what its resume says, and a resume of another person ends the submission.
func TestFactsOfAResume(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	content, err := resumes.Files.ReadFile("priya-raman.txt")
	w.must(err)
	item := w.ingestFile("Priya Raman", "priya-raman", content)
	if item.Status != contract.Succeeded {
		t.Fatalf("got %+v", item)
	}
	got := w.membership(item).Resume
	want := []network.Study{{School: "Thornfield University", Degree: "MSc Accounting", From: 2012, To: 2013}}
	if diff := cmp.Diff(want, got.Education); diff != "" || got.Years < 10 || got.Confidence["education"] == 0 {
		t.Errorf("%v years, confidence %v (-want +got):\n%s", got.Years, got.Confidence, diff)
	}
	if item := w.ingestFile("Ada Example", "ada", content); item.ErrorCode != contract.ResumeIdentityMismatch || item.ErrorMessage == "" {
		t.Errorf("of another person: got %+v", item)
	}
}
