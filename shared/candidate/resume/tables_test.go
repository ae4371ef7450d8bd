package resume

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
)

// The same table in three formats: records are read line by line, columns from top to bottom.
func TestTables(t *testing.T) {
	t.Parallel()
	record := [][]string{{"2019 – now\tEngineer, Acme", "built", "sold"}}
	page := [][]string{{"before"}, {"Contact", "Austin", "Skills", "Go"}, {"Experience", "Engineer", "Acme", "2019 – now"}, {"after"}}
	cell := func(format string, lines []string) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(strings.ReplaceAll(format, "%", l))
		}
		return b.String()
	}
	html := func(cells ...[]string) []byte {
		body := "<html><p>before<table><tr>"
		for _, c := range cells {
			body += "<td>" + cell("<p>%</p>", c)
		}
		return []byte(body + "</table><p>after")
	}
	word := func(cells ...[]string) []byte {
		body := "<w:p><w:t>before</w:t></w:p><w:tbl><w:tr>"
		for _, c := range cells {
			body += "<w:tc>" + cell("<w:p><w:r><w:t>%</w:t></w:r></w:p>", c) + "</w:tc>"
		}
		return resumetest.NewDOCX(resumetest.NewDocumentPart("<w:document><w:body>" + body + "</w:tr></w:tbl><w:p><w:t>after</w:t></w:p></w:body></w:document>"))
	}
	rtf := func(cells ...[]string) []byte {
		body := `{\rtf1 before\par\trowd `
		for _, c := range cells {
			body += strings.TrimSuffix(cell(`%\par `, c), `\par `) + `\cell `
		}
		return []byte(body + `\row\pard after\par}`)
	}
	for name, write := range map[string]func(...[]string) []byte{"html": html, "docx": word, "rtf": rtf} {
		want := [][]string{append(append([]string{"before"}, record[0]...), "after")}
		if diff := cmp.Diff(want, mustRead(t, asciiDash(write([]string{"2019 – now"}, []string{"Engineer, Acme", "built", "sold"}), name)).Blocks); diff != "" {
			t.Errorf("%s: a record (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(page, mustRead(t, asciiDash(write(page[1], page[2]), name)).Blocks); diff != "" {
			t.Errorf("%s: columns (-want +got):\n%s", name, diff)
		}
	}
}

// asciiDash writes the dash as RTF must.
func asciiDash(content []byte, format string) []byte {
	if format != "rtf" {
		return content
	}
	return []byte(strings.ReplaceAll(string(content), "–", `\'96`))
}
