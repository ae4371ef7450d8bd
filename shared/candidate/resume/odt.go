package resume

import (
	"bytes"
	"context"
	"encoding/xml"
	"strings"
)

// readODT reads the headers and footers of the page styles, then the body.
func readODT(ctx context.Context, content []byte, out *collector) error {
	a, err := openArchive(content)
	if err != nil {
		return err
	}
	if manifest, err := a.read("META-INF/manifest.xml"); err == nil && bytes.Contains(manifest, []byte("encryption-data")) {
		return failure(Encrypted, "the file needs a password; send one without", nil)
	}
	for _, name := range []string{"styles.xml", "content.xml"} {
		if name == "styles.xml" && a.parts[name] == nil {
			continue
		}
		part, err := a.read(name)
		if err != nil {
			return err
		}
		w := &openReader{out: out}
		if err := walkXML(ctx, part, w.visit); err != nil {
			return err
		}
		w.endLine()
	}
	return nil
}

// openReader turns the tokens of an OpenDocument part into lines. Text counts inside paragraphs and headings only.
type openReader struct {
	out        *collector
	line       strings.Builder
	skip       int  // depth inside comments and deleted text
	listed     bool // the next line is a list item's first
	paragraphs int  // depth of paragraphs: a text box stands inside one
}

func (w *openReader) visit(token xml.Token) {
	switch t := token.(type) {
	case xml.StartElement:
		if w.skip > 0 || t.Name.Local == "annotation" || t.Name.Local == "tracked-changes" {
			w.skip++
			return
		}
		w.start(t)
	case xml.EndElement:
		if w.skip > 0 {
			w.skip--
		} else {
			w.end(t.Name)
		}
	case xml.CharData:
		if w.skip == 0 && w.paragraphs > 0 && w.line.Len() < maxText {
			w.line.WriteString(strings.ReplaceAll(string(t[:min(len(t), maxText)]), "\n", " "))
		}
	}
}

func (w *openReader) start(e xml.StartElement) {
	switch {
	case isOpenParagraph(e.Name):
		w.endLine()
		w.paragraphs++
	case e.Name.Local == "tab":
		w.line.WriteByte('\t')
	case e.Name.Local == "line-break":
		w.line.WriteByte('\n')
	case e.Name.Local == "s":
		w.line.WriteByte(' ')
	case e.Name.Local == "table-row":
		w.out.beginRow()
	case e.Name.Local == "table-cell":
		w.out.beginCell()
	case e.Name.Local == "list-item":
		w.listed = true
	case e.Name.Local == "text-box":
		w.endLine()
		w.out.block()
	case e.Name.Local == "a":
		w.out.link(attr(e, "href"))
	}
}

func (w *openReader) end(name xml.Name) {
	switch {
	case isOpenParagraph(name):
		w.endLine()
		w.paragraphs--
	case name.Local == "table-row":
		w.out.endRow()
	case name.Local == "text-box":
		w.out.block()
	}
}

func isOpenParagraph(n xml.Name) bool { return n.Space == "text" && (n.Local == "p" || n.Local == "h") }

func (w *openReader) endLine() {
	if w.listed && w.line.Len() > 0 {
		w.out.add("• " + w.line.String())
		w.listed = false
	} else {
		w.out.add(w.line.String())
	}
	w.line.Reset()
}
