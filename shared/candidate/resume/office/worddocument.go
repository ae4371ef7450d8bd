package office

import (
	"bytes"
	"context"
	"encoding/xml"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// ReadDOCX reads headers, body and footers, in this order: often only a header holds the name.
func ReadDOCX(ctx context.Context, content []byte, out *collect.Collector) error {
	a, err := openArchive(content)
	if err != nil {
		return err
	}
	root, err := readRelationships(ctx, a, "")
	if err != nil {
		return err
	}
	main := "word/document.xml" // its usual name
	if named := root.targetsOfKind("/officeDocument"); len(named) > 0 {
		main = named[0]
	}
	parts, err := readRelationships(ctx, a, main)
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(parts.targetsOfKind("/header"), []string{main}, parts.targetsOfKind("/footer")) {
		rels, err := readRelationships(ctx, a, name)
		if err != nil {
			return err
		}
		w := &docxReader{out: out, urls: rels.urls}
		if err := a.walkPart(ctx, name, skippedDOCX, w.visitToken); err != nil {
			return err
		}
		w.endLine()
	}
	return nil
}

// relationships is the content of a part's .rels file.
type relationships struct {
	urls  map[string]string // by the id under which the part refers to them
	parts []relatedPart     // in the file's order
}

type relatedPart struct{ kind, name string }

// readRelationships reads the .rels file of a part ("" for the container). Most parts have none.
func readRelationships(ctx context.Context, a *archive, part string) (relationships, error) {
	found := relationships{urls: make(map[string]string)}
	dir, file := path.Split(part)
	name := dir + "_rels/" + file + ".rels"
	if a.parts[name] == nil {
		return found, nil
	}
	err := a.walkPart(ctx, name, nil, func(token xml.Token) {
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" {
			return
		}
		id := attrValue(e, "Id")
		target := attrValue(e, "Target")
		switch _, taken := found.urls[id]; {
		case attrValue(e, "TargetMode") == "External":
			if !taken { // of several URLs with one id the first counts
				found.urls[id] = target
			}
			return
		case !strings.HasPrefix(target, "/"):
			target = dir + target
		}
		found.parts = append(found.parts, relatedPart{attrValue(e, "Type"), filetype.PartName(target)})
	})
	return found, err
}

func (r relationships) targetsOfKind(kind string) []string {
	var names []string
	listed := make(map[string]bool)
	for _, p := range r.parts {
		if strings.HasSuffix(p.kind, kind) && !listed[p.name] {
			listed[p.name] = true
			names = append(names, p.name)
		}
	}
	return names
}

var (
	// fieldLink is a hyperlink written as a field: HYPERLINK "https://…".
	fieldLink = words.Expression(`HYPERLINK\s+"([^"]+)"`)
	// skippedDOCX hold the second copy of a text box, and text that was moved away or deleted.
	skippedDOCX = words.Set("Fallback del moveFrom")
	// skippedODT hold comments, deleted text, and the content of embedded pictures and objects.
	skippedODT = words.Set("annotation tracked-changes binary-data object")
)

// docxReader turns the tokens of a WordprocessingML part into lines, one per paragraph.
type docxReader struct {
	out    *collect.Collector
	urls   map[string]string // of hyperlinks, by relationship
	line   strings.Builder
	field  strings.Builder // code of the fields of this paragraph
	text   string          // local name of the open text element
	listed bool            // the paragraph is a list item; its mark is not in the text
	style  string          // of the paragraph, and how its first text is set
}

func (w *docxReader) visitToken(token xml.Token) {
	switch t := token.(type) {
	case xml.StartElement:
		switch t.Name.Local {
		case "t", "instrText":
			w.text = t.Name.Local
		case "tab", "ptab":
			w.line.WriteByte('\t')
		case "br", "cr":
			w.line.WriteByte('\n')
		case "noBreakHyphen":
			w.line.WriteByte('-')
		case "p": // a text box inside a paragraph
			w.endLine()
		case "numPr":
			w.listed = true
		case "pStyle", "b", "sz", "color", "caps":
			if w.line.Len() == 0 && len(w.style) < heading.MaxLength {
				w.style += t.Name.Local + attrValue(t, "val")
			}
		case "tr":
			w.out.BeginRow()
		case "tc":
			w.out.BeginCell()
		case "txbxContent":
			w.endLine()
			w.out.StartBlock()
		case "hyperlink", "hlinkClick":
			w.out.AddLink(w.urls[attrValue(t, "id")])
		}
	case xml.EndElement:
		w.text = ""
		switch t.Name.Local {
		case "p":
			w.endLine()
		case "tr":
			w.out.EndRow()
		case "txbxContent":
			w.out.StartBlock()
		}
	case xml.CharData:
		switch {
		case w.text == "t" && w.line.Len() < document.MaxText:
			w.line.Write(t[:min(len(t), document.MaxText)])
		case w.text == "instrText" && w.field.Len() < document.MaxURL:
			w.field.Write(t[:min(len(t), document.MaxURL)])
		}
	}
}

func (w *docxReader) endLine() {
	for _, m := range fieldLink().FindAllStringSubmatch(w.field.String(), -1) {
		w.out.AddLink(m[1])
	}
	if w.listed && w.line.Len() > 0 {
		w.out.AddText("• " + w.line.String())
	} else {
		w.out.AddMarkedText(w.line.String(), w.style)
	}
	w.listed = false
	w.style = ""
	w.line.Reset()
	w.field.Reset()
}

// ReadODT reads the headers and footers of the page styles, then the body.
func ReadODT(ctx context.Context, content []byte, out *collect.Collector) error {
	a, err := openArchive(content)
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

// odtReader turns the tokens of an OpenDocument part into lines. Only text inside paragraphs and headings counts.
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
		switch {
		case isODTParagraph(t.Name):
			w.endLine()
			w.style = attrValue(t, "style-name")
			w.paragraphs++
		case t.Name.Local == "tab":
			w.line.WriteByte('\t')
		case t.Name.Local == "line-break":
			w.line.WriteByte('\n')
		case t.Name.Local == "s": // spaces that do not collapse; three are a gap already, as many as they are
			count, err := strconv.Atoi(attrValue(t, "c"))
			if err != nil {
				count = 1
			}
			w.line.WriteString(strings.Repeat(" ", min(max(0, count), 3)))
			w.spaced = false
		case t.Name.Local == "table-row":
			w.out.BeginRow()
		case t.Name.Local == "table-cell":
			w.out.BeginCell()
		case t.Name.Local == "list-item":
			w.listed = true
		case t.Name.Local == "text-box":
			w.endLine()
			w.out.StartBlock()
		case t.Name.Local == "a":
			w.out.AddLink(attrValue(t, "href"))
		}
	case xml.EndElement:
		switch {
		case isODTParagraph(t.Name):
			w.endLine()
			w.paragraphs--
		case t.Name.Local == "table-row":
			w.out.EndRow()
		case t.Name.Local == "text-box":
			w.out.StartBlock()
		}
	case xml.CharData:
		if w.paragraphs <= 0 || w.line.Len() >= document.MaxText {
			return
		}
		// White space of any length is one space, across elements too: a file may be indented.
		text := whitespace().ReplaceAllString(string(t[:min(len(t), document.MaxText)]), " ")
		if w.spaced {
			text = strings.TrimPrefix(text, " ")
		}
		if text != "" {
			w.line.WriteString(text)
			w.spaced = strings.HasSuffix(text, " ")
		}
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
