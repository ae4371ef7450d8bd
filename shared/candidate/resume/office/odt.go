package office

import (
	"bytes"
	"context"
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// ReadODT reads the headers and footers of the page styles, then the body.
func ReadODT(ctx context.Context, content []byte, out *collect.Collector) error {
	a, err := OpenArchive(content)
	if err != nil {
		return err
	}
	if manifest, err := a.readPart("META-INF/manifest.xml"); err == nil && bytes.Contains(manifest, []byte("encryption-data")) {
		return document.NewFailure(document.Encrypted, "the file needs a password; send one without", nil)
	}
	for _, name := range []string{"styles.xml", "content.xml"} {
		if name == "styles.xml" && a.parts[name] == nil {
			continue
		}
		w := &odtReader{out: out}
		if err := a.walkPart(ctx, name, skippedODT, w.visitToken); err != nil {
			return err
		}
		w.endLine()
	}
	return nil
}

// skippedODT hold comments, deleted text, and the content of embedded pictures and objects.
var skippedODT = words.Set("annotation tracked-changes binary-data object")

// odtReader turns the tokens of an OpenDocument part into lines. Only text inside
// paragraphs and headings counts.
type odtReader struct {
	out        *collect.Collector
	line       strings.Builder
	listed     bool // the next line is a list item's first
	style      string
	paragraphs int  // depth of paragraphs: a text box is inside one
	spaced     bool // the line ends in white space, into which more collapses
}

func (w *odtReader) visitToken(token xml.Token) {
	switch t := token.(type) {
	case xml.StartElement:
		w.startElement(t)
	case xml.EndElement:
		w.endElement(t.Name)
	case xml.CharData:
		if w.paragraphs > 0 && w.line.Len() < document.MaxText {
			w.addText(string(t[:min(len(t), document.MaxText)]))
		}
	}
}

// addText adds text, in which white space of any length is one space, across elements too: a file may be indented.
func (w *odtReader) addText(text string) {
	text = whitespace().ReplaceAllString(text, " ")
	if w.spaced {
		text = strings.TrimPrefix(text, " ")
	}
	if text != "" {
		w.line.WriteString(text)
		w.spaced = strings.HasSuffix(text, " ")
	}
}

// addSpaces adds the spaces of an element, which do not collapse. Three are a gap already, as many as they are.
func (w *odtReader) addSpaces(e xml.StartElement) {
	count, err := strconv.Atoi(attrValue(e, "c"))
	if err != nil {
		count = 1
	}
	w.line.WriteString(strings.Repeat(" ", min(max(0, count), 3)))
	w.spaced = false
}

func (w *odtReader) startElement(e xml.StartElement) {
	switch {
	case isODTParagraph(e.Name):
		w.endLine()
		w.style = attrValue(e, "style-name")
		w.paragraphs++
	case e.Name.Local == "tab":
		w.line.WriteByte('\t')
	case e.Name.Local == "line-break":
		w.line.WriteByte('\n')
	case e.Name.Local == "s":
		w.addSpaces(e)
	case e.Name.Local == "table-row":
		w.out.BeginRow()
	case e.Name.Local == "table-cell":
		w.out.BeginCell()
	case e.Name.Local == "list-item":
		w.listed = true
	case e.Name.Local == "text-box":
		w.endLine()
		w.out.StartBlock()
	case e.Name.Local == "a":
		w.out.AddLink(attrValue(e, "href"))
	}
}

func (w *odtReader) endElement(name xml.Name) {
	switch {
	case isODTParagraph(name):
		w.endLine()
		w.paragraphs--
	case name.Local == "table-row":
		w.out.EndRow()
	case name.Local == "text-box":
		w.out.StartBlock()
	}
}

func isODTParagraph(n xml.Name) bool { return n.Space == "text" && (n.Local == "p" || n.Local == "h") }

func (w *odtReader) endLine() {
	if w.listed && w.line.Len() > 0 {
		w.out.AddText("• " + w.line.String())
		w.listed = false
	} else {
		w.out.AddMarkedText(w.line.String(), w.style)
	}
	w.line.Reset()
}
