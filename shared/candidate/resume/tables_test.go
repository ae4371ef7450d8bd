package resume

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
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

// A table in the sixth one is lines of the cell that it is in, and does not end its row.
func TestTablesAreNestedSixDeep(t *testing.T) {
	t.Parallel()
	for kind, form := range map[filetype.Type][4]string{
		filetype.HTML: {"<table><tr><td>", "</td><td>", "</td></tr></table>", "<p>%</p>"},
		filetype.DOCX: {"<w:tr><w:tc>", "</w:tc><w:tc>", "</w:tc></w:tr>", "<w:p><w:t>%</w:t></w:p>"},
		filetype.ODT:  {"<t:table-row><t:table-cell>", "</t:table-cell><t:table-cell>", "</t:table-cell></t:table-row>", "<text:p>%</text:p>"},
	} {
		write := func(lines ...string) (body string) {
			for _, line := range lines {
				body += strings.ReplaceAll(form[3], "%", line)
			}
			return body
		}
		inner := form[0] + write("Acme") + form[1] + write("Leeds") + form[2] + form[0] + form[2]
		sixth := form[0] + write("Engineer") + inner + write("Built") + form[1] + write("2019") + form[2]
		content := resumetest.Wrap(kind, strings.Repeat(form[0], 5)+sixth+strings.Repeat(form[2], 5)+write("after"))
		want := []string{"Engineer\t2019", "Acme", "Leeds", "Built", "after"}
		if diff := cmp.Diff(want, slices.Concat(mustRead(t, content).Blocks...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}
