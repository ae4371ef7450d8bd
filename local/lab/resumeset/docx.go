package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"html"
	"strings"
)

// writeDOCX writes WordprocessingML as office styles and templates do: named styles, right
// tabs, numbered lists, tables, text boxes with a fallback, and content controls.
func writeDOCX(blocks []block, s style) []byte {
	w := &docxWriter{s: s}
	w.write(blocks, bodyWidth)
	return zipParts([][2]string{
		{"[Content_Types].xml", docxTypes}, {"_rels/.rels", docxRoot},
		{"word/document.xml", docxHead + w.out.String() + docxTail},
		{"word/styles.xml", docxStyles},
		{"word/_rels/document.xml.rels", fmt.Sprintf(docxRelations, w.links.String())},
	})
}

// bodyWidth is the width between the margins, in twentieths of a point.
const bodyWidth = 9600

const (
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	docxTypes     = xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`
	docxRoot      = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
	docxRelations = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>%s</Relationships>`
	docxLink      = `<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="%s" TargetMode="External"/>`
	docxStyles    = xmlHead + `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:rPr><w:b/><w:sz w:val="40"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="26"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="ListBullet"><w:name w:val="List Bullet"/></w:style></w:styles>`
	docxHead      = xmlHead + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml"><w:body>`
	docxTail      = `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1000" w:right="1153" w:bottom="1000" w:left="1153"/></w:sectPr></w:body></w:document>`
	docxBox       = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:txbx><w:txbxContent>%[1]s</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>%[1]s</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
)

type docxWriter struct {
	out, links strings.Builder
	s          style
	count      int // of links
}

func (w *docxWriter) write(blocks []block, width int) {
	for _, part := range splitTables(blocks) {
		if part[0].kind == row {
			w.writeTable(part, width, tableWidths(len(part[0].cells), width))
		} else {
			w.writeBlock(part[0], width)
		}
	}
}

func (w *docxWriter) writeBlock(b block, width int) {
	switch {
	case b.kind == aside && w.s.Boxed:
		w.writeBoxed(b.cells, width)
	case b.kind == aside:
		widths := []int{width * 3 / 10, width * 7 / 10}
		if w.s.AsideRight {
			widths[0], widths[1] = widths[1], widths[0]
		}
		w.writeTable([]block{b}, width, widths)
	case w.s.Controls && (b.kind == nameLine || b.kind == contactLine || b.kind == headLine):
		w.out.WriteString(`<w:sdt><w:sdtPr><w:alias w:val="field"/><w:text/></w:sdtPr><w:sdtContent>` + w.formatParagraph(b, width) + `</w:sdtContent></w:sdt>`)
	default:
		w.out.WriteString(w.formatParagraph(b, width))
	}
}

// writeBoxed sets the narrow column into a text box.
func (w *docxWriter) writeBoxed(cells [][]block, width int) {
	narrow := cells[0]
	wide := cells[1]
	if w.s.AsideRight {
		narrow, wide = wide, narrow
	}
	inner := &docxWriter{s: w.s, count: w.count}
	inner.write(narrow, width/3)
	w.links.WriteString(inner.links.String())
	w.count = inner.count
	fmt.Fprintf(&w.out, docxBox, inner.out.String())
	w.write(wide, width)
}

func (w *docxWriter) formatParagraph(b block, width int) string {
	names := map[kind]string{nameLine: "Title", heading: "Heading1"}
	var properties, runs string
	if name := names[b.kind]; name != "" {
		properties += `<w:pStyle w:val="` + name + `"/>`
	}
	text := b.text
	if b.kind == bullet {
		properties += `<w:pStyle w:val="ListBullet"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>`
	}
	if w.s.l.isRightToLeft() {
		properties += `<w:bidi/>`
	}
	left, right, split := strings.Cut(text, "\t")
	if split {
		properties += fmt.Sprintf(`<w:tabs><w:tab w:val="right" w:pos="%d"/></w:tabs>`, width)
	}
	runs = w.formatRun(left, b.kind == headLine)
	if b.url != "" {
		w.count++
		id := fmt.Sprintf("l%d", w.count)
		fmt.Fprintf(&w.links, docxLink, id, html.EscapeString(b.url))
		runs = fmt.Sprintf(`<w:hyperlink r:id=%q>%s</w:hyperlink>`, id, runs)
	}
	if split {
		runs += `<w:r><w:tab/></w:r>` + w.formatRun(right, false)
	}
	return `<w:p><w:pPr>` + properties + `</w:pPr>` + runs + `</w:p>`
}

// formatRun splits a text into two runs where an editor's cursor may have been.
func (w *docxWriter) formatRun(text string, bold bool) string {
	properties := ""
	if bold {
		properties = `<w:rPr><w:b/></w:rPr>`
	}
	first, rest, split := strings.Cut(text, " ")
	if !split || w.s.Look%3 > 0 {
		return fmt.Sprintf(`<w:r>%s<w:t xml:space="preserve">%s</w:t></w:r>`, properties, html.EscapeString(text))
	}
	return w.formatRun(first, bold) + fmt.Sprintf(`<w:r>%s<w:t xml:space="preserve"> %s</w:t></w:r>`, properties, html.EscapeString(rest))
}

func (w *docxWriter) writeTable(rows []block, width int, widths []int) {
	border := "none"
	if w.s.Ruled && w.s.Layout == "table" {
		border = "single"
	}
	fmt.Fprintf(&w.out, `<w:tbl><w:tblPr><w:tblW w:w="%d" w:type="dxa"/><w:tblBorders><w:insideH w:val="%s"/></w:tblBorders></w:tblPr><w:tblGrid>`, width, border)
	for _, n := range widths {
		fmt.Fprintf(&w.out, `<w:gridCol w:w="%d"/>`, n)
	}
	w.out.WriteString(`</w:tblGrid>`)
	for _, r := range rows {
		w.writeRow(r.cells, widths)
	}
	w.out.WriteString(`</w:tbl><w:p/>`)
}

func (w *docxWriter) writeRow(cells [][]block, widths []int) {
	w.out.WriteString(`<w:tr>`)
	for i, cell := range cells {
		fmt.Fprintf(&w.out, `<w:tc><w:tcPr><w:tcW w:w="%d" w:type="dxa"/></w:tcPr>`, widths[i])
		w.write(cell, widths[i]-200)
		w.out.WriteString(`</w:tc>`)
	}
	w.out.WriteString(`</w:tr>`)
}

// tableWidths gives the first column a quarter of a table.
func tableWidths(cells, width int) []int {
	if cells == 2 {
		return []int{width / 4, width * 3 / 4}
	}
	return []int{width / 4, width * 3 / 8, width * 3 / 8}
}

// zipParts returns a container of named parts.
func zipParts(parts [][2]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range parts {
		f, err := z.Create(part[0])
		if err != nil {
			panic(err) // a buffer takes every byte
		}
		_, _ = f.Write([]byte(part[1]))
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
