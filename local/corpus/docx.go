package main

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

const (
	pageWidth = 9600 // twentieths of a point, between the margins
	wordXML   = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>%s<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1000" w:right="1153" w:bottom="1000" w:left="1153"/></w:sectPr></w:body></w:document>`
	typesXML  = `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/></Types>`
	rootXML   = `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
	relsXML   = `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="n1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/>%s</Relationships>`
	listXML   = `<?xml version="1.0" encoding="UTF-8"?><w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="360" w:hanging="240"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
)

// docxWriter writes WordprocessingML as word processors do: runs, right tabs, numbered
// lists, tables without borders.
type docxWriter struct {
	body  strings.Builder
	links strings.Builder
	count int
	font  string
}

func writeDOCX(nodes []node, font string) []byte {
	w := &docxWriter{font: font}
	w.writeNodes(nodes, pageWidth)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range [][2]string{{"[Content_Types].xml", typesXML}, {"_rels/.rels", rootXML},
		{"word/document.xml", fmt.Sprintf(wordXML, w.body.String())}, {"word/numbering.xml", listXML},
		{"word/_rels/document.xml.rels", fmt.Sprintf(relsXML, w.links.String())}} {
		f, err := z.Create(part[0])
		if err != nil {
			panic(err)
		}
		_, _ = f.Write([]byte(part[1]))
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func (w *docxWriter) writeNodes(nodes []node, width int) {
	for _, n := range nodes {
		if n.kind == row {
			w.writeRow(n, width)
		} else {
			w.writeParagraph(n, width)
		}
	}
}

func (w *docxWriter) writeRow(n node, width int) {
	w.body.WriteString(`<w:tbl><w:tblPr><w:tblW w:w="` + fmt.Sprint(width) + `" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>`)
	for _, percent := range n.widths {
		fmt.Fprintf(&w.body, `<w:gridCol w:w="%d"/>`, width*percent/100)
	}
	w.body.WriteString(`</w:tblGrid><w:tr>`)
	for i, cell := range n.cells {
		inner := width * n.widths[i] / 100
		fmt.Fprintf(&w.body, `<w:tc><w:tcPr><w:tcW w:w="%d" w:type="dxa"/></w:tcPr>`, inner)
		w.writeNodes(cell, inner-240)
		w.body.WriteString(`</w:tc>`)
	}
	w.body.WriteString(`</w:tr></w:tbl>`)
	w.writeParagraph(node{}, width) // without it, adjacent tables would be one
}

var sizes = map[kind]int{name: 40, role: 26, heading: 26}

func (w *docxWriter) writeParagraph(n node, width int) {
	w.body.WriteString(`<w:p><w:pPr>`)
	if n.kind == bullet {
		w.body.WriteString(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>`)
	}
	if n.right != "" {
		fmt.Fprintf(&w.body, `<w:tabs><w:tab w:val="right" w:pos="%d"/></w:tabs>`, width)
	}
	if n.kind == heading {
		w.body.WriteString(`<w:spacing w:before="160" w:after="40"/>`)
	}
	w.body.WriteString(`</w:pPr>`)
	if n.link != "" {
		w.count++
		fmt.Fprintf(&w.links, `<Relationship Id="l%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="%s" TargetMode="External"/>`, w.count, escapeXML(n.link))
		fmt.Fprintf(&w.body, `<w:hyperlink r:id="l%d">`, w.count)
	}
	w.writeRun(n.kind, n.text)
	if n.right != "" {
		w.body.WriteString(`<w:r><w:tab/></w:r>`)
		w.writeRun(text, n.right)
	}
	if n.link != "" {
		w.body.WriteString(`</w:hyperlink>`)
	}
	w.body.WriteString(`</w:p>`)
}

func (w *docxWriter) writeRun(k kind, s string) {
	size := sizes[k]
	if size == 0 {
		size = 21
	}
	bold := ""
	if k == name || k == heading || k == head {
		bold = "<w:b/>"
	}
	fmt.Fprintf(&w.body, `<w:r><w:rPr><w:rFonts w:ascii="%[1]s" w:hAnsi="%[1]s" w:cs="%[1]s"/>%[2]s<w:sz w:val="%[3]d"/></w:rPr><w:t xml:space="preserve">%[4]s</w:t></w:r>`, w.font, bold, size, escapeXML(s))
}

func escapeXML(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
