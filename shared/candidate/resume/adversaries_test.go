package resume

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/recruiting-marketplace/external-api/local/demo/pdffile"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// adversary makes files of one format whose unpacked size grows with n. The time and memory
// that a reader spends on them must grow no faster.
type adversary struct {
	name string
	of   filetype.Type
	make func(n int) []byte
}

// largestPart is how many bytes of one part of a container are read.
const largestPart = 4 << 20

// largest is the greatest unpacked size, in bytes, of a file of each format. Containers hold parts of at most 4 MB.
var largest = map[filetype.Type]int{
	filetype.Text: 1 << 20, filetype.Markdown: 4 << 20, filetype.HTML: 4 << 20, filetype.RTF: 4 << 20,
	filetype.DOCX: largestPart - 1<<12, filetype.ODT: largestPart - 1<<12, filetype.PDF: 1 << 20,
}

// adversaryTokens are the pieces of a format that its reader acts upon.
var adversaryTokens = map[filetype.Type][]string{
	filetype.Text: {"Maya Okafor", "A B, C D | ", "Engineer, Acme Ltd", "Jan 2019 – Feb 2020", "2019 - ", "12/2019-", "a@", "a@b.", "www.a", "linkedin.com/in/a",
		"+1 212 555 0100 ", "1 1 1 1 ", "\t", "   ", ", ", "|", " at ", "•", "-", "(", "BSc, ", "University ", "Go, ", "e\u0301\u0301", "\u200b", "Berlin, Germany, ",
		"\nExperience\n", "\nEducation\n", "\nSkills\n", "\nSummary\n", "\nLanguages: ", "\nReferences\n", "\n", "\f"},
	filetype.Markdown: {"[", "]", "](", "[a](", "[a](http://b)", "<http://", "<mailto:a>", "*", "**a", "__", "_", "`", "`a`", "# ", " #", "---", "> ", " ", "a", ")", "\n"},
	filetype.HTML: {"<b>", "</b>", "<p>", "</p>", "<li>", "<table>", "<tr>", "<td>", "</table>", "<script>", "</script>", "<title>", "</", "<!--", "-->", "<", "&", "&a", "&amp;",
		"<a href=b>", "<a href=", " href", "<main>", "</main>", "a", " ", "2019 - 2020", "'", ">"},
	filetype.RTF: {"{", "}", `\par `, `\cell `, `\trowd `, `\row `, `\nestcell `, `{\fldinst HYPERLINK "a"}`, `\fldinst `, `{\*\a }`, `\u1 `, `\uc9 `, `\bin1 `, `\'e9`, `\a`, "a", " ", "2019-2020"},
	filetype.DOCX: {"<w:p>", "</w:p>", "<w:t>a</w:t>", "<w:t> </w:t>", "<w:tab/>", "<w:br/>", "<w:tbl>", "<w:tr>", "</w:tr>", "<w:tc>", "</w:tc>", "<w:numPr/>", `<w:hyperlink r:id="1"/>`,
		"<w:txbxContent>", "</w:txbxContent>", `<w:instrText>HYPERLINK "a" </w:instrText>`, "<w:del>", "</w:del>", "<w:t>2019-2020</w:t>", "<!---->", "<?a?>", "&#65;"},
	filetype.ODT: {"<text:p>", "</text:p>", "a", " ", "<text:tab/>", "<text:line-break/>", "<text:s/>", "<table:table-row>", "</table:table-row>", "<table:table-cell>", "<text:list-item>",
		"<draw:text-box>", "</draw:text-box>", `<text:a href="a">`, "<office:annotation>", "</office:annotation>", "2019-2020", "<!---->"},
}

// repeatNumbered repeats a format with one number up to n bytes.
func repeatNumbered(n int, format string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// drawAdversary draws up to five tokens of a format with a count for each, and repeats them.
func drawAdversary(of filetype.Type, seed uint64) adversary {
	dice := rand.New(rand.NewPCG(seed, 0))
	tokens := adversaryTokens[of]
	var unit strings.Builder
	for range 1 + dice.IntN(5) {
		unit.WriteString(strings.Repeat(tokens[dice.IntN(len(tokens))], []int{1, 1, 1, 3, 20, 300}[dice.IntN(6)]))
	}
	return adversary{fmt.Sprintf("%s: drawn %d", of, seed), of, func(n int) []byte { return resumetest.Wrap(of, resumetest.Repeat(n, unit.String())) }}
}

// adversaries returns files that a reader once read, or plainly could read, in more than linear time.
func adversaries() []adversary {
	all := []adversary{
		{"markdown: brackets", filetype.Markdown, func(n int) []byte { return resumetest.Wrap(filetype.Markdown, resumetest.Repeat(n, "[")) }},
		{"docx: relationships and hyperlinks", filetype.DOCX, func(n int) []byte {
			return resumetest.NewDOCX(resumetest.NewDocumentPart("<w:p>"+repeatNumbered(n/2, `<w:hyperlink r:id="r%d"/>`)+"<w:t>Maya</w:t></w:p>"),
				newRelationships(repeatNumbered(n/2, `<Relationship Id="r%d" TargetMode="External" Target="a"/>`)))
		}},
		{"docx: relationships to as many headers", filetype.DOCX, func(n int) []byte {
			return resumetest.NewDOCX(resumetest.NewDocumentPart("<w:p><w:t>Maya</w:t></w:p>"), newRelationships(repeatNumbered(n, `<Relationship Id="r%[1]d" Type="x/header" Target="h%[1]d"/>`)))
		}},
		{"docx: links that differ at their end", filetype.DOCX, func(n int) []byte {
			return resumetest.NewDOCX(resumetest.NewDocumentPart("<w:p>"+resumetest.Repeat(n/2, `<w:hyperlink r:id="r0"/><w:hyperlink r:id="r498"/>`)+"<w:t>Maya</w:t></w:p>"),
				newRelationships(repeatNumbered(min(n/2, 499*2100), `<Relationship Id="r%[1]d" TargetMode="External" Target="`+strings.Repeat("a", 2000)+`%03[1]d"/>`)))
		}},
		{"html: tags behind a tag of 900 attributes", filetype.HTML, func(n int) []byte {
			return resumetest.Wrap(filetype.HTML, "<p "+repeatNumbered(900*5, "a%03d ")+">"+resumetest.Repeat(n, "<b>"))
		}},
		{"docx: rows in rows", filetype.DOCX, func(n int) []byte {
			return resumetest.NewDOCX(resumetest.NewDocumentPart(strings.Repeat("<w:tr><w:tc>", 17) + resumetest.Repeat(n, "<w:p><w:t>2019 2019 2019 2019 2019 2019 2019 2019</w:t></w:p><w:tc>") + strings.Repeat("</w:tc></w:tr>", 17)))
		}},
		{"docx: rows in rows of few lines", filetype.DOCX, func(n int) []byte {
			cell := "<w:tc>" + strings.Repeat("<w:p><w:t>"+strings.Repeat("2019 ", 90)+"</w:t></w:p>", 3) + "</w:tc>"
			return resumetest.NewDOCX(resumetest.NewDocumentPart(strings.Repeat("<w:tr><w:tc>", 15) + "<w:tr>" + resumetest.Repeat(n, cell) + "</w:tr>" + strings.Repeat("</w:tc></w:tr>", 15)))
		}},
	}
	for of, units := range map[filetype.Type][]string{
		filetype.Markdown: {"](" + strings.Repeat("a", 990), strings.Repeat("[", 200) + "](" + strings.Repeat("b", 998), "<http://", "<mailto:a ", strings.Repeat("[", 400) + "\n", "---\n",
			"*a", "`a", "__a_", " # a", "![", "# a\n"},
		filetype.Text: {"[", "2019 - ", "2019–", "Jan 2019 – Feb 2020 ", "1 1 1", "a@", "a@b.c ", "www.a ", "x", "x ", "x\n", "Stakeholder\n", "\nSkills\nGo, ", "e\u0301", "\u0301", "\t", " \t", "\n",
			"Summary\n" + strings.Repeat("A B, C D, E F, G H, I J, K L, M N, O P, Q R, S T, U V, W X | ", 7) + "\n",
			"Summary\n" + strings.Repeat(strings.Repeat("Aa Bb, ", 11)+"| ", 6) + "\n",
			"\fSummary\n" + strings.Repeat("A B, ", 90) + "\n",
			"Experience\nEngineer, Acme Ltd\nJan 2019 – Feb 2020\nProjects\n",
			"Experience\nEngineer, Acme Ltd, Berlin, Germany | Jan 2019 – Feb 2020\n",
			"Experience\n" + strings.Repeat("Engineer, Acme Ltd, Jan 2019 – Feb 2020\n", 60) + "Projects\n",
			"Experience\n" + strings.Repeat(strings.Repeat("Aa Bb, ", 11)+"| ", 6) + "\n",
			"Education\n" + strings.Repeat("BSc | BSc, ", 40) + "\n", "Education\nBSc\n", "Education\nBSc 2019 – 2020, University of Life\n",
			"Skills\n" + strings.Repeat("Go, ", 100) + "\n", "Skills\na, b\nc\n", strings.Repeat("C D E F ", 60) + "\n",
			"Languages: " + strings.Repeat("Irish ", 80) + "\n", "References\na@b.cd\n", "+1 212 555 0100 ", "12/2019-12/2020 ", "Berlin, Germany | ",
		},
		filetype.HTML: {"<b>", "<b></b>", "<td>", "<table><tr><td>", "<script>", "<script></script>", "</script", "<!--", "<!---->", "&", "&a", "<a href=a>", "<li>", "<aside>", "<", "<p ", "a<",
			"<a" + strings.Repeat(" href", 1000) + ">", "<table><tr><td>2019 2019 2019 2019<td>", "<p>a", "<math><a>"},
		filetype.RTF: {"{}", "}", `\cell `, `\trowd\cell\row `, `\trowd a\cell\row `, `{\fldinst HYPERLINK "a"}`, `{\fldinst a}`, `\u1 `, `\uc999999999\u1 `, `\bin9 `, `\a`, "a", `\par `, `\'`, `{\*\a}`},
		filetype.ODT: {"<text:p/>", "<table:table-cell/>", "<text:line-break/>", "<text:tab/>", "<text:p>a</text:p>", `<text:a href="a"/>`, "</a>", "<table:table-row><table:table-cell/></table:table-row>"},
	} {
		for i, unit := range units {
			all = append(all, adversary{fmt.Sprintf("%s: %.30q (%d)", of, unit, i), of, func(n int) []byte { return resumetest.Wrap(of, resumetest.Repeat(n, unit)) }})
		}
	}
	for of := range adversaryTokens {
		for seed := range uint64(4) {
			all = append(all, drawAdversary(of, seed))
		}
	}
	return append(all, hostileLayouts()...)
}

func newRelationships(content string) resumetest.Part {
	return resumetest.Part{Name: "word/_rels/document.xml.rels", Text: "<Relationships>" + content + "</Relationships>"}
}

// hostileLayouts returns PDF pages whose lines are joined to ever longer ones.
func hostileLayouts() []adversary {
	page := func(text string) []byte {
		return pdffile.Encode("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 14400 14400]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>>>",
			newStream("", "BT /F1 1 Tf 1 0 0 1 10 14000 Tm 2 TL "+text+" ET"))
	}
	return []adversary{
		{"pdf: one line of words", filetype.PDF, func(n int) []byte {
			return page("(" + resumetest.Repeat(min(n, 1<<19), "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww ") + ") Tj")
		}},
		{"pdf: one word", filetype.PDF, func(n int) []byte { return page(resumetest.Repeat(n, "("+strings.Repeat("w", 80)+") Tj ")) }},
		{"pdf: lines under a long item", filetype.PDF, func(n int) []byte {
			return page("(- ) Tj " + resumetest.Repeat(n/2, "("+strings.Repeat("w", 80)+") Tj ") + "5 -1 Td " + resumetest.Repeat(n/2, "(a) Tj 0 -1 Td "))
		}},
		{"pdf: ends of dates", filetype.PDF, func(n int) []byte { return page("(2018) Tj " + resumetest.Repeat(n, "T* (- 2019) Tj ")) }},
		{"pdf: hanging lines", filetype.PDF, func(n int) []byte {
			return page("(- a) Tj 2 -1 Td " + resumetest.Repeat(n, "(wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww wwwwwwwwwwwwwwwwwwwwwwww) Tj 0 -1 Td "))
		}},
	}
}
