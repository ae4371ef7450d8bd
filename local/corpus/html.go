package main

import (
	"fmt"
	"strings"
)

const css = `@page{size:A4;margin:16mm}body{font:10.5pt %q,sans-serif;margin:0;line-height:1.35}h1{font-size:21pt;margin:0}h2{font-size:13pt;margin:9pt 0 2pt;%s}
p{margin:0}p.role{font-size:13pt}ul{margin:1pt 0 4pt;padding-left:14pt}.line{display:flex;justify-content:space-between}.head{font-weight:bold}
.columns{display:%s}.columns>div{box-sizing:border-box;padding-right:14pt}table{border-collapse:collapse;width:100%%}td{vertical-align:top;padding:2pt 10pt 4pt 0}`

// writeHTML returns the page that Chromium prints. Columns are a flex box or floats, and
// some headings are in capitals.
func writeHTML(nodes []node, font string, number int) []byte {
	var b strings.Builder
	decoration := ""
	if number%3 == 1 {
		decoration = "text-transform:uppercase;letter-spacing:1px;border-bottom:1px solid"
	}
	fmt.Fprintf(&b, "<!DOCTYPE html><meta charset=utf-8><style>"+css+"</style>", font, decoration, []string{"flex", "block;overflow:hidden"}[number%2])
	for _, n := range nodes {
		writeNode(&b, n, number)
	}
	return []byte(b.String())
}

func writeNode(b *strings.Builder, n node, number int) {
	s := escapeXML(n.text)
	if n.link != "" {
		s = fmt.Sprintf("<a href=%q>%s</a>", n.link, s)
	}
	switch n.kind {
	case name:
		fmt.Fprintf(b, "<h1>%s</h1>\n", s)
	case role:
		fmt.Fprintf(b, "<p class=role>%s</p>\n", s)
	case heading:
		fmt.Fprintf(b, "<h2>%s</h2>\n", s)
	case bullet:
		fmt.Fprintf(b, "<ul><li>%s</ul>\n", s)
	case head:
		if n.right != "" {
			fmt.Fprintf(b, "<div class=line><span class=head>%s</span><span>%s</span></div>\n", s, escapeXML(n.right))
		} else {
			fmt.Fprintf(b, "<p class=head>%s</p>\n", s)
		}
	case row:
		writeRow(b, n, number)
	default:
		fmt.Fprintf(b, "<p>%s</p>\n", s)
	}
}

// writeRow writes the columns of a page as boxes, and the cells of a job as a table.
func writeRow(b *strings.Builder, n node, number int) {
	isPage := len(n.cells[0])+len(n.cells[1]) > 16
	open, cell, end := "<table><tr>", "<td style='width:%d%%'>", "</td>"
	if isPage {
		open, cell, end = "<div class=columns>", "<div style='float:left;width:%d%%'>", "</div>"
	}
	b.WriteString(open)
	for i, nodes := range n.cells {
		fmt.Fprintf(b, cell, n.widths[i])
		for _, inner := range nodes {
			writeNode(b, inner, number)
		}
		b.WriteString(end)
	}
	if isPage {
		b.WriteString("</div>\n")
		return
	}
	b.WriteString("</tr></table>\n")
}
