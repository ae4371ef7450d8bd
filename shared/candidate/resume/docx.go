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

// readDOCX reads headers, body and footers, in this order: a name often stands in
// a header only.
func readDOCX(ctx context.Context, content []byte, out *collector) error {
	a, err := openArchive(content)
	if err != nil {
		return err
	}
	main, err := mainPart(ctx, a)
	if err != nil {
		return err
	}
	parts, err := relations(ctx, a, main)
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(targets(parts, "/header"), []string{main}, targets(parts, "/footer")) {
		if err := readPart(ctx, a, name, out); err != nil {
			return err
		}
	}
	return nil
}

// mainPart finds the body by the container's own relations; word/document.xml is only the usual name.
func mainPart(ctx context.Context, a *archive) (string, error) {
	root, err := relations(ctx, a, "")
	if err != nil {
		return "", err
	}
	if found := targets(root, "/officeDocument"); len(found) > 0 {
		return found[0], nil
	}
	return "word/document.xml", nil
}

// relation is an entry of a part's .rels file. The target of an external one is a URL, else a part's name.
type relation struct {
	id, kind, target string
	external         bool
}

// relations reads the .rels file of a part ("" for the container's). Most parts have none.
func relations(ctx context.Context, a *archive, part string) ([]relation, error) {
	dir, file := path.Split(part)
	name := dir + "_rels/" + file + ".rels"
	if a.parts[name] == nil {
		return nil, nil
	}
	content, err := a.read(name)
	if err != nil {
		return nil, err
	}
	var found []relation
	err = walkXML(ctx, content, func(token xml.Token) {
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" {
			return
		}
		r := relation{attr(e, "Id"), attr(e, "Type"), attr(e, "Target"), attr(e, "TargetMode") == "External"}
		if !r.external && !strings.HasPrefix(r.target, "/") {
			r.target = dir + r.target
		}
		found = append(found, r)
	})
	return found, err
}

// targets returns the parts of one kind, each once, in the order of the .rels file.
func targets(relations []relation, kind string) []string {
	var names []string
	for _, r := range relations {
		if name := filetype.PartName(r.target); !r.external && strings.HasSuffix(r.kind, kind) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func readPart(ctx context.Context, a *archive, name string, out *collector) error {
	rels, err := relations(ctx, a, name)
	if err != nil {
		return err
	}
	content, err := a.read(name)
	if err != nil {
		return err
	}
	w := &wordReader{out: out, rels: rels}
	if err := walkXML(ctx, content, w.visit); err != nil {
		return err
	}
	w.endLine()
	return nil
}

// fieldLink is a hyperlink written as a field: HYPERLINK "https://…".
var fieldLink = regexp.MustCompile(`HYPERLINK\s+"([^"]+)"`)

// skipped subtrees: the second copy of every text box, and text that was moved away or deleted.
var skipped = map[string]bool{"Fallback": true, "del": true, "moveFrom": true}

// wordReader turns the tokens of a WordprocessingML part into lines, one a paragraph.
type wordReader struct {
	out    *collector
	rels   []relation
	line   strings.Builder
	field  strings.Builder // code of the fields of this paragraph
	skip   int             // depth inside a skipped subtree
	text   string          // local name of the text element that we are in
	listed bool            // the paragraph is a list item, whose mark is not in the text
}

func (w *wordReader) visit(token xml.Token) {
	switch t := token.(type) {
	case xml.StartElement:
		if w.skip > 0 || skipped[t.Name.Local] {
			w.skip++
			return
		}
		w.start(t)
	case xml.EndElement:
		if w.skip > 0 {
			w.skip--
			return
		}
		w.text = ""
		w.end(t.Name.Local)
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

func (w *wordReader) start(e xml.StartElement) {
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
		w.out.block()
	case "hyperlink", "hlinkClick":
		w.follow(attr(e, "id"))
	}
}

func (w *wordReader) end(name string) {
	switch name {
	case "p":
		w.endLine()
	case "tr":
		w.out.endRow()
	case "txbxContent":
		w.out.block()
	}
}

func (w *wordReader) follow(id string) {
	for _, r := range w.rels {
		if r.id == id && r.external {
			w.out.link(r.target)
			return
		}
	}
}

func (w *wordReader) endLine() {
	for _, m := range fieldLink.FindAllStringSubmatch(w.field.String(), -1) {
		w.out.link(m[1])
	}
	if w.listed && w.line.Len() > 0 {
		w.out.add("• " + w.line.String())
	} else {
		w.out.add(w.line.String())
	}
	w.listed = false
	w.line.Reset()
	w.field.Reset()
}
