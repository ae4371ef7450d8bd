package main

import (
	"archive/zip"
	"bytes"
	"embed"
	"fmt"
	"os"
	"strings"
	"text/template"
	"unicode/utf16"
)

// formats has a file of templates for each format that is not plain text.
//
//go:embed formats
var formats embed.FS

// containers are the parts of the formats that are zip files, in their order. Each is a template.
var containers = map[string][]string{
	"docx": {"[Content_Types].xml", "_rels/.rels", "word/document.xml", "word/styles.xml", "word/_rels/document.xml.rels"},
	"odt":  {"mimetype", "content.xml", "META-INF/manifest.xml"},
}

// writeBlocks writes a resume in a format. Printed is a page that an engine makes a PDF file of.
func writeBlocks(file string, blocks []block, s style, format string, printed bool) error {
	if format == "txt" || format == "md" {
		return os.WriteFile(file, formatText(blocks, s, format == "md"), 0o644)
	}
	fill, err := newFiller(s, format, printed)
	if err != nil {
		return err
	}
	var parts [][2]string
	for _, name := range containers[format] {
		content, err := fill(name, blocks)
		if err != nil {
			return err
		}
		parts = append(parts, [2]string{name, content})
	}
	if parts != nil {
		return os.WriteFile(file, zipParts(parts), 0o644)
	}
	content, err := fill("document", blocks)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(content), 0o644)
}

// sized is blocks with the width of their column, in twentieths of a point.
type sized struct {
	Blocks []block
	Width  int
}

// newFiller returns a function that fills a template of a format.
func newFiller(s style, format string, printed bool) (fill func(name string, value any) (string, error), err error) {
	var links []string
	filler := template.New(format)
	fill = func(name string, value any) (string, error) {
		var out strings.Builder
		err := filler.ExecuteTemplate(&out, name, value)
		return out.String(), err
	}
	_, err = filler.Funcs(template.FuncMap{
		"s":       func() pageStyle { return pageStyle{s} },
		"printed": func() bool { return printed },
		"render":  fill,
		"tables":  splitTables,
		"sized":   func(blocks []block, width int) sized { return sized{blocks, width} },
		"columns": s.splitColumns,
		"runs":    s.splitRuns,
		"link": func(url string) string {
			links = append(links, url)
			return fmt.Sprintf("l%d", len(links))
		},
		"links":   func() []string { return links },
		"replace": strings.ReplaceAll,
		"typst":   quoteTypst,
		"rtf":     escapeRTF,
		"add":     func(a, b int) int { return a + b },
		"div":     func(a, b int) int { return a / b },
	}).ParseFS(formats, "formats/"+format+".tmpl")
	return fill, err
}

// splitColumns returns the widths of a table's columns: of the narrow and the wide one, or a quarter for the first.
func (s style) splitColumns(t sized) []int {
	switch first := t.Blocks[0]; {
	case first.Kind == aside && s.AsideRight:
		return []int{t.Width * 7 / 10, t.Width * 3 / 10}
	case first.Kind == aside:
		return []int{t.Width * 3 / 10, t.Width * 7 / 10}
	case len(first.Cells) == 2:
		return []int{t.Width / 4, t.Width * 3 / 4}
	}
	return []int{t.Width / 4, t.Width * 3 / 8, t.Width * 3 / 8}
}

// splitRuns splits a text in two where an editor's cursor may have been.
func (s style) splitRuns(text string) []string {
	i := strings.Index(text, " ")
	if i < 0 || s.Look%3 > 0 {
		return []string{text}
	}
	return []string{text[:i], text[i:]}
}

// quoteTypst writes a text so that none of its characters is markup.
func quoteTypst(text string) string {
	return `#"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
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
