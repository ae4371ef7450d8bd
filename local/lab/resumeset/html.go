package main

import (
	"fmt"
	"html"
	"strings"
)

// writeHTML writes a page as the large builders do: elements without a meaning, classes,
// and a style sheet. Printed is a page that WeasyPrint makes a PDF file of.
func writeHTML(blocks []block, s style, printed bool) []byte {
	w := &htmlWriter{s: s}
	w.write(blocks)
	sheet := screenSheet
	if printed {
		sheet = printSheets[s.Look%len(printSheets)]
	}
	title := html.EscapeString(s.Headings["experience"])
	return fmt.Appendf(nil, pageForm, s.l.values("code")[0], s.l.direction(), title, commonSheet+sheet, w.out.String())
}

// headingForms are ways to mark a heading.
var headingForms = []string{
	"<h2>%s</h2>\n", "<div class=\"section-title\"><h2>%s</h2></div>\n", "<h2><span>%s</span></h2>\n",
}

const (
	pageForm = `<!DOCTYPE html>
<html lang=%q dir=%q><head><meta charset="utf-8"><title>%s</title><style>%s</style></head>
<body>%s</body></html>
`
	commonSheet = `.cols{display:flex;gap:6mm}.narrow{width:55mm}.wide{flex:1}.split{display:flex;justify-content:space-between}ul{margin:0}table{border-spacing:0 2mm}td{vertical-align:top;padding-right:5mm}`
	screenSheet = `body{font-family:Inter,Arial;max-width:60em}.t{font-weight:600}`
)

// printSheets differ in fonts, sizes and in how columns come about.
var printSheets = []string{
	`@page{size:A4;margin:16mm}body{font:10pt "DejaVu Sans","Noto Sans CJK SC","Noto Sans Devanagari"}h2{border-bottom:1px solid #888;font-size:12pt}.t{font-weight:bold}.rail{display:grid;grid-template-columns:34mm 5mm 1fr}`,
	`@page{size:Letter;margin:14mm}body{font:9.5pt "DejaVu Serif","Noto Sans CJK JP","Noto Sans Devanagari"}h1{text-align:center}.c{text-align:center}h2{color:#135;letter-spacing:.5pt}.t{font-style:italic}.cols{display:table}.narrow,.wide{display:table-cell;vertical-align:top}.narrow{width:56mm;padding:0 3mm}.rail{display:grid;grid-template-columns:40mm 6mm 1fr}`,
	`@page{size:A4;margin:0}body{font:9pt "DejaVu Sans Condensed","Noto Sans CJK KR","Noto Sans Devanagari";margin:12mm}.cols{display:grid;grid-template-columns:auto 1fr;gap:8mm}.narrow{background:#e8eef4;padding:4mm;width:50mm}h2{font-size:11pt}.rail{display:flex;gap:3mm}.rail>:first-child{width:30mm}.rail>:last-child{flex:1}.t{font-weight:bold}`,
}

type htmlWriter struct {
	out   strings.Builder
	s     style
	list  bool // inside ul
	table bool // inside table
}

func (w *htmlWriter) write(blocks []block) {
	for _, b := range blocks {
		w.switchGroup(&w.list, b.kind == bullet && w.s.Bullet == "list", "ul")
		w.switchGroup(&w.table, b.kind == row && w.s.Layout != "timeline", "table")
		w.writeBlock(b)
	}
	w.switchGroup(&w.list, false, "ul")
	w.switchGroup(&w.table, false, "table")
}

// switchGroup opens or closes an element around neighbouring blocks of one kind.
func (w *htmlWriter) switchGroup(open *bool, want bool, element string) {
	switch {
	case want && !*open:
		w.out.WriteString("<" + element + ">")
	case !want && *open:
		w.out.WriteString("</" + element + ">\n")
	}
	*open = want
}

func (w *htmlWriter) writeBlock(b block) {
	text := w.formatInline(b)
	switch b.kind {
	case nameLine:
		fmt.Fprintf(&w.out, "<h1>%s</h1>\n", text)
	case heading:
		fmt.Fprintf(&w.out, drawByLook(w.s.Look, headingForms), text)
	case contactLine:
		fmt.Fprintf(&w.out, "<div class=\"c\">%s</div>\n", text)
	case headLine:
		fmt.Fprintf(&w.out, "<div class=\"t\">%s</div>\n", text)
	case line:
		fmt.Fprintf(&w.out, drawByLook(w.s.Look/4, []string{"<div>%s</div>\n", "<p class=\"l\">%s</p>\n"}), text)
	case paragraph:
		fmt.Fprintf(&w.out, "<p>%s</p>\n", text)
	case bullet:
		if w.list {
			fmt.Fprintf(&w.out, "<li>%s</li>", text)
		} else {
			fmt.Fprintf(&w.out, "<div>%s%s</div>\n", w.s.Bullet, text)
		}
	case row:
		w.writeCells(b.cells)
	case aside:
		w.writeColumns(b.cells)
	}
}

// formatInline escapes a block's text, links it and sets what follows a tab apart.
func (w *htmlWriter) formatInline(b block) string {
	left, right, ok := strings.Cut(b.text, "\t")
	text := html.EscapeString(left)
	if b.url != "" {
		text = fmt.Sprintf("<a href=%q>%s</a>", b.url, text)
	}
	if ok {
		text = "<span class=\"split\"><span>" + text + "</span> <span>" + html.EscapeString(right) + "</span></span>"
	}
	return text
}

// writeCells writes a table's row, or an entry of a timeline.
func (w *htmlWriter) writeCells(cells [][]block) {
	outer := "tr"
	inner := "td"
	if !w.table {
		outer = "div"
		inner = "div"
	}
	w.out.WriteString("<" + outer + ` class="rail">`)
	inTable := w.table
	w.table = false
	for _, cell := range cells {
		w.out.WriteString("<" + inner + ">")
		w.write(cell)
		w.out.WriteString("</" + inner + ">")
	}
	w.table = inTable
	w.out.WriteString("</" + outer + ">\n")
}

func (w *htmlWriter) writeColumns(cells [][]block) {
	w.out.WriteString(`<div class="cols">`)
	for i, cell := range cells {
		class := "narrow"
		if (i == 1) != w.s.AsideRight {
			class = "wide"
		}
		fmt.Fprintf(&w.out, `<div class="%s">`, class)
		w.write(cell)
		w.out.WriteString("</div>")
	}
	w.out.WriteString("</div>")
}
