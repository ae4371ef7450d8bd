package resume

import (
	"context"
	"encoding/xml"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// readDOCX reads headers, body and footers, in this order: often only a header holds the name.
func readDOCX(ctx context.Context, content []byte, out *collector) error {
	a, err := openArchive(content)
	if err != nil {
		return err
	}
	main, err := mainPart(ctx, a)
	if err != nil {
		return err
	}
	parts, err := readRelationships(ctx, a, main)
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(targetsOfKind(parts, "/header"), []string{main}, targetsOfKind(parts, "/footer")) {
		if err := readDOCXPart(ctx, a, name, out); err != nil {
			return err
		}
	}
	return nil
}

// mainPart returns the name of the body by the container's relationships;
// word/document.xml is only the usual one.
func mainPart(ctx context.Context, a *archive) (string, error) {
	root, err := readRelationships(ctx, a, "")
	if err != nil {
		return "", err
	}
	if found := targetsOfKind(root, "/officeDocument"); len(found) > 0 {
		return found[0], nil
	}
	return "word/document.xml", nil
}

// relationship is an entry of a part's .rels file. Its target is a URL if it is external,
// and otherwise the name of a part.
type relationship struct {
	id, kind, target string
	external         bool
}

// readRelationships reads the .rels file of a part ("" for the container). Most parts have none.
func readRelationships(ctx context.Context, a *archive, part string) ([]relationship, error) {
	dir, file := path.Split(part)
	name := dir + "_rels/" + file + ".rels"
	if a.parts[name] == nil {
		return nil, nil
	}
	content, err := a.readPart(name)
	if err != nil {
		return nil, err
	}
	var found []relationship
	err = walkXML(ctx, content, func(token xml.Token) {
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" {
			return
		}
		r := relationship{attrValue(e, "Id"), attrValue(e, "Type"), attrValue(e, "Target"), attrValue(e, "TargetMode") == "External"}
		if !r.external && !strings.HasPrefix(r.target, "/") {
			r.target = dir + r.target
		}
		found = append(found, r)
	})
	return found, err
}

// targetsOfKind returns the names of the parts of one kind, each once, in the order of
// the .rels file.
func targetsOfKind(relations []relationship, kind string) []string {
	var names []string
	for _, r := range relations {
		if name := filetype.PartName(r.target); !r.external && strings.HasSuffix(r.kind, kind) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func readDOCXPart(ctx context.Context, a *archive, name string, out *collector) error {
	rels, err := readRelationships(ctx, a, name)
	if err != nil {
		return err
	}
	content, err := a.readPart(name)
	if err != nil {
		return err
	}
	w := &docxReader{out: out, rels: rels}
	if err := walkXML(ctx, content, w.visitToken); err != nil {
		return err
	}
	w.endLine()
	return nil
}

// fieldLink is a hyperlink written as a field: HYPERLINK "https://…".
var fieldLink = regexp.MustCompile(`HYPERLINK\s+"([^"]+)"`)

// skippedElements hold the second copy of a text box, and text that was moved away or deleted.
var skippedElements = map[string]bool{"Fallback": true, "del": true, "moveFrom": true}

// docxReader turns the tokens of a WordprocessingML part into lines, one per paragraph.
type docxReader struct {
	out    *collector
	rels   []relationship
	line   strings.Builder
	field  strings.Builder // code of the fields of this paragraph
	skip   int             // depth inside a skipped element
	text   string          // local name of the open text element
	listed bool            // the paragraph is a list item, whose mark is not in the text
}

func (w *docxReader) visitToken(token xml.Token) {
	switch t := token.(type) {
	case xml.StartElement:
		if w.skip > 0 || skippedElements[t.Name.Local] {
			w.skip++
			return
		}
		w.startElement(t)
	case xml.EndElement:
		if w.skip > 0 {
			w.skip--
			return
		}
		w.text = ""
		w.endElement(t.Name.Local)
	case xml.CharData:
		switch {
		case w.skip > 0:
		case w.text == "t" && w.line.Len() < maxText:
			w.line.Write(t[:min(len(t), maxText)])
		case w.text == "instrText" && w.field.Len() < maxURL:
			w.field.Write(t[:min(len(t), maxURL)])
		}
	}
}

func (w *docxReader) startElement(e xml.StartElement) {
	switch e.Name.Local {
	case "t", "instrText":
		w.text = e.Name.Local
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
	case "tr":
		w.out.beginRow()
	case "tc":
		w.out.beginCell()
	case "txbxContent":
		w.endLine()
		w.out.startBlock()
	case "hyperlink", "hlinkClick":
		w.followLink(attrValue(e, "id"))
	}
}

func (w *docxReader) endElement(name string) {
	switch name {
	case "p":
		w.endLine()
	case "tr":
		w.out.endRow()
	case "txbxContent":
		w.out.startBlock()
	}
}

func (w *docxReader) followLink(id string) {
	for _, r := range w.rels {
		if r.id == id && r.external {
			w.out.addLink(r.target)
			return
		}
	}
}

func (w *docxReader) endLine() {
	for _, m := range fieldLink.FindAllStringSubmatch(w.field.String(), -1) {
		w.out.addLink(m[1])
	}
	if w.listed && w.line.Len() > 0 {
		w.out.addText("• " + w.line.String())
	} else {
		w.out.addText(w.line.String())
	}
	w.listed = false
	w.line.Reset()
	w.field.Reset()
}
