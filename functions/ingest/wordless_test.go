package ingest_test

import (
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A file without words is no resume; a short one is, in any script.
func TestAFileWithoutWordsIsNoResume(t *testing.T) {
	t.Parallel()
	size := 89 << 20 / 10
	if testing.Short() { // seconds a file under the race detector
		size /= 10
	}
	w := newWorker(t)
	for name, tt := range map[string]struct {
		content string
		want    contract.SubmissionError
	}{
		"brackets":               {strings.Repeat("[", size), contract.ResumeParseFailed},
		"brackets-below-a-line":  {"Curriculum vitae of Ada Example, engineer\n" + strings.Repeat("[", size), contract.ResumeParseFailed},
		"addresses":              {strings.Repeat("a@", size/2), contract.ResumeParseFailed},
		"digits":                 {strings.Repeat("0123456789", size/10), contract.ResumeParseFailed},
		"letter":                 {strings.Repeat("a", size), contract.ResumeParseFailed},
		"letter-between-spaces":  {strings.Repeat("a ", size/2), contract.ResumeParseFailed},
		"one-byte":               {"a", contract.ResumeParseFailed},
		"bidirectional-marks":    {strings.Repeat("\u202e", size/3), contract.ResumeParseFailed},
		"scripts":                {"<!DOCTYPE html><html><body>" + strings.Repeat("<script>one two three four five six</script>", 1000) + "</body></html>", contract.ResumeParseFailed},
		"four-words":             {"Ada Example, software engineer", contract.ResumeParseFailed},
		"four-words-and-numbers": {"Ada Example, software engineer 2019 2020 2021 2022", contract.ResumeParseFailed},
		"five-words":             {"Ada Example, senior software engineer", ""},
		"dotted-leaders":         {"Ada Example, senior software engineer " + strings.Repeat(".", 400), ""},
		"chinese":                {"艾达 软件工程师", ""},
		"japanese":               {"エイダ ソフトウェアエンジニア", ""},
		"thai":                   {"เอดา วิศวกรซอฟต์แวร์", ""},
		"arabic":                 {"آدا مهندسة برمجيات في القاهرة", ""},
		"hindi":                  {"एडा सॉफ्टवेयर इंजीनियर दिल्ली भारत", ""},
		"korean":                 {"에이다 소프트웨어 엔지니어 서울 대한민국", ""},
		"marks-without-letters":  {strings.Repeat("\u093f ", 50), contract.ResumeParseFailed},
	} {
		if item := w.ingestFile("Ada Example", name, []byte(tt.content)); item.ErrorCode != tt.want || !item.Status.Terminal() {
			t.Errorf("%s: got %s %q; want %q", name, item.Status, item.ErrorCode, tt.want)
		}
	}
}
