package main

import (
	"fmt"
	"strings"
)

// writeTypst writes the source of a Typst document.
func writeTypst(blocks []block, s style) []byte {
	w := &typstWriter{s: s}
	font := drawByLook(s.Look, []string{"Libertinus Serif", "DejaVu Sans", "New Computer Modern"})
	paper := drawByLook(s.Look/3, []string{"a4", "us-letter"})
	fmt.Fprintf(&w.out, "#set page(paper: %q, margin: %dmm)\n", paper, 14+s.Look%8)
	fmt.Fprintf(&w.out, "#set text(font: (%q, \"DejaVu Sans\", \"Noto Sans CJK JP\", \"Noto Sans Devanagari\"), ", font)
	fmt.Fprintf(&w.out, "size: %dpt, lang: %q, dir: %s)\n", 9+s.Look%3, s.l.values("code")[0], s.l.direction())
	if s.Look%2 == 0 {
		w.out.WriteString("#show heading.where(level: 2): it => block(below: 6pt)[#it.body #v(-6pt) #line(length: 100%, stroke: 0.5pt)]\n")
	}
	w.write(blocks)
	return []byte(w.out.String())
}

type typstWriter struct {
	out strings.Builder
	s   style
}

func (w *typstWriter) write(blocks []block) {
	for _, part := range splitTables(blocks) {
		if part[0].kind == row {
			w.writeTable(part)
		} else {
			w.writeBlock(part[0])
		}
	}
}

func (w *typstWriter) writeBlock(b block) {
	text := w.formatInline(b)
	switch b.kind {
	case nameLine:
		fmt.Fprintf(&w.out, "= %s\n", text)
	case heading:
		fmt.Fprintf(&w.out, "\n== %s\n", text)
	case headLine:
		fmt.Fprintf(&w.out, "\n#strong[%s] \\\n", text)
	case line, contactLine:
		fmt.Fprintf(&w.out, "%s \\\n", text)
	case paragraph:
		fmt.Fprintf(&w.out, "\n%s\n\n", text)
	case bullet:
		if w.s.Bullet == "list" {
			fmt.Fprintf(&w.out, "\n- %s\n", text)
		} else {
			fmt.Fprintf(&w.out, "\n%s%s\n", typstString(w.s.Bullet), text)
		}
	case aside:
		w.writeColumns(b.cells)
	}
}

// typstString writes a text so that none of its characters is markup.
func typstString(text string) string {
	return `#"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func (w *typstWriter) formatInline(b block) string {
	left, right, ok := strings.Cut(b.text, "\t")
	text := typstString(left)
	if b.url != "" {
		text = fmt.Sprintf("#link(%q)[%s]", b.url, text)
	}
	if ok {
		text += " #h(1fr) " + typstString(right)
	}
	return text
}

func (w *typstWriter) writeTable(rows []block) {
	widths := "(28%, 1fr)"
	stroke := "none"
	if len(rows[0].cells) == 3 && w.s.Layout == "table" {
		widths = "(26%, 1fr, 1fr)"
	} else if len(rows[0].cells) == 3 {
		widths = "(26%, 14pt, 1fr)"
	}
	if w.s.Layout == "table" && w.s.Ruled {
		stroke = "0.4pt"
	}
	fmt.Fprintf(&w.out, "\n#table(columns: %s, stroke: %s,\n", widths, stroke)
	for _, r := range rows {
		w.writeCells(r.cells)
	}
	w.out.WriteString(")\n")
}

func (w *typstWriter) writeCells(cells [][]block) {
	for _, cell := range cells {
		w.out.WriteString("[")
		w.write(cell)
		w.out.WriteString("],\n")
	}
}

func (w *typstWriter) writeColumns(cells [][]block) {
	widths := "(38%, 1fr)"
	if w.s.AsideRight {
		widths = "(1fr, 38%)"
	}
	fmt.Fprintf(&w.out, "\n#grid(columns: %s, gutter: 8mm,\n", widths)
	w.writeCells(cells)
	w.out.WriteString(")\n")
}
