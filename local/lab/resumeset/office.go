package main

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf16"
)

const (
	odtTypes = "application/vnd.oasis.opendocument.text"
	odtHead  = xmlHead + `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2"><office:body><office:text>`
	odtTail  = `</office:text></office:body></office:document-content>`
	odtList  = xmlHead + `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="` + odtTypes + `"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`
)

// writeODT writes an OpenDocument text.
func writeODT(blocks []block, s style) []byte {
	var out strings.Builder
	writeODTBlocks(&out, blocks, s)
	return zipParts([][2]string{{"mimetype", odtTypes}, {"content.xml", odtHead + out.String() + odtTail}, {"META-INF/manifest.xml", odtList}})
}

func writeODTBlocks(out *strings.Builder, blocks []block, s style) {
	for i, part := range splitTables(blocks) {
		if part[0].kind != row {
			out.WriteString(formatODTBlock(part[0], s))
			continue
		}
		const form = `<table:table table:name="t%d"><table:table-column table:number-columns-repeated="%d"/>`
		fmt.Fprintf(out, form, i, len(part[0].cells))
		for _, b := range part {
			writeODTRow(out, b.cells, s)
		}
		out.WriteString(`</table:table>`)
	}
}

func writeODTRow(out *strings.Builder, cells [][]block, s style) {
	out.WriteString(`<table:table-row>`)
	for _, cell := range cells {
		out.WriteString(`<table:table-cell office:value-type="string">`)
		writeODTBlocks(out, cell, s)
		out.WriteString(`</table:table-cell>`)
	}
	out.WriteString(`</table:table-row>`)
}

func formatODTBlock(b block, s style) string {
	text := strings.ReplaceAll(html.EscapeString(b.text), "\t", "<text:tab/>")
	if b.url != "" {
		text = fmt.Sprintf(`<text:a xlink:type="simple" xlink:href=%q>%s</text:a>`, b.url, text)
	}
	switch {
	case b.kind == heading:
		return `<text:h text:outline-level="1">` + text + `</text:h>`
	case b.kind == bullet && s.Look%2 == 0:
		return `<text:list><text:list-item><text:p>` + text + `</text:p></text:list-item></text:list>`
	case b.kind == bullet:
		return `<text:p>` + s.Bullet + text + `</text:p>`
	}
	return `<text:p>` + text + `</text:p>`
}

// writeRTF writes Rich Text Format with every other script as Unicode escapes.
func writeRTF(blocks []block, s style) []byte {
	var out strings.Builder
	out.WriteString(`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman Times New Roman;}}{\info{\author office}}\paperw11906\paperh16838` + "\n")
	writeRTFBlocks(&out, blocks, s)
	out.WriteString("}")
	return []byte(out.String())
}

func writeRTFBlocks(out *strings.Builder, blocks []block, s style) {
	for _, b := range blocks {
		if b.kind == row {
			writeRTFRow(out, b.cells, s)
			continue
		}
		out.WriteString(`\pard` + formatRTFBlock(b, s) + `\par` + "\n")
	}
}

// writeRTFRow writes a table's row; lines of one cell are paragraphs.
func writeRTFRow(out *strings.Builder, cells [][]block, s style) {
	out.WriteString(`\trowd`)
	for _, edge := range map[int][]int{2: {2400, bodyWidth}, 3: {2400, 6000, bodyWidth}}[len(cells)] {
		fmt.Fprintf(out, `\cellx%d`, edge)
	}
	for _, cell := range cells {
		out.WriteString(`\pard\intbl`)
		for i, b := range cell {
			if i > 0 {
				out.WriteString(`\par`)
			}
			out.WriteString(formatRTFBlock(b, s))
		}
		out.WriteString(`\cell`)
	}
	out.WriteString(`\row` + "\n")
}

func formatRTFBlock(b block, s style) string {
	text := escapeRTF(b.text)
	if b.url != "" {
		text = `{\field{\*\fldinst HYPERLINK "` + b.url + `"}{\fldrslt ` + text + `}}`
	}
	switch b.kind {
	case nameLine:
		return `\fs36\b ` + text + `\b0\fs22 `
	case heading, headLine:
		return `\b ` + text + `\b0 `
	case bullet:
		return `\fi-200\li300 ` + escapeRTF(s.Bullet) + text
	}
	return `\tqr\tx9600 ` + text
}

func escapeRTF(text string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		switch {
		case unit == '\t':
			out.WriteString(`\tab `)
		case unit == '\\' || unit == '{' || unit == '}':
			out.WriteString(`\` + string(rune(unit)))
		case unit < 128:
			out.WriteByte(byte(unit))
		default:
			fmt.Fprintf(&out, `\u%d?`, int16(unit))
		}
	}
	return out.String()
}
