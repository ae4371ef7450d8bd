package main

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
)

// variedPage is how the writer of one page uses elements.
type variedPage struct {
	section, heading string            // elements around a section and of its heading
	entry            string            // around an entry: an element, list, definitions, table, or ""
	first, line      string            // elements of a head's first line and of the others
	header           string            // around a head's lines, or ""
	way              string            // of a line's facts: text, tagged, apart, cells, breaks
	tags             map[string]string // elements of facts by role
	classes          string            // words, codes, none
	between          string            // white space between elements
	hidden, icons    bool
	nav, micro       bool
	contact          string // lines, list, definitions, spans
	skills           string // text, items, badges
	time             bool   // dates in time elements
}

func drawPage(random *rand.Rand) variedPage {
	one := func(values ...string) string { return drawOne(values, random) }
	p := variedPage{
		section: one("section", "div", "", "article"), heading: one("h2", "h2", "h2", "h3", "h1", "div", "p><strong", "header><h2", "h4", "h2><span"),
		entry: one("div", "div", "article", "list", "definitions", "table", "section", ""), first: one("div", "h3", "h4", "p", "h3", "div", "h5", "header", "p"),
		line: one("div", "p", "h4", "div", "h5", "span"), header: one("", "", "div", "header", "div"), way: one("text", "tagged", "tagged", "apart", "cells", "breaks"),
		classes: one("words", "codes", "none"), between: one("", "\n  ", "\n\t\t\t", "\n"), hidden: chance(0.15, random), icons: chance(0.2, random), nav: chance(0.08, random),
		micro: chance(0.15, random), contact: one("lines", "list", "definitions", "spans", "lines"), skills: one("text", "text", "items", "badges"), time: chance(0.3, random),
	}
	p.tags = map[string]string{"T": one("span", "strong", "b", "span", "h3", "em"), "C": one("span", "a", "em", "span", "strong", "i"), "D": one("span", "span", "small", "em", "span"),
		"L": one("span", "span", "small", "em"), "G": one("span", "strong", "b"), "S": one("span", "em", "span"), "E": "span"}
	if p.way != "cells" && p.tags["T"] == "h3" {
		p.tags["T"] = "strong"
	}
	if p.line == "span" && p.way != "breaks" {
		p.line = "div"
	}
	return p
}

// variedWriter writes a page of a varied resume.
type variedWriter struct {
	out strings.Builder
	v   *variedPage
	s   style
}

func writeVariedHTML(p person, parts []part, s style, page variedPage) []byte {
	w := &variedWriter{v: &page, s: s}
	w.writeTop(p)
	for _, one := range parts {
		w.writePart(one)
	}
	return fmt.Appendf(nil, "<!DOCTYPE html>\n<html lang=%q dir=%q><head><meta charset=\"utf-8\"><title>%s</title><style>%s</style></head>\n<body>%s</body></html>\n",
		s.l.values("code")[0], map[bool]string{false: "ltr", true: "rtl"}[s.l.isRightToLeft()], html.EscapeString(p.Name), variedSheet, w.out.String())
}

const variedSheet = `body{font:10pt "DejaVu Sans","Noto Sans CJK SC";max-width:48em}.row{display:flex;justify-content:space-between}.apart>*{display:inline-block;margin-right:1em}.hide{display:none}ul.plain{list-style:none}dt{font-weight:bold}.badge{display:inline-block;margin:0 4pt}`

// tag writes an element around content. An element may hold another: "h2><span".
func (w *variedWriter) tag(element, class, content string) string {
	if element == "" {
		return content
	}
	outer, inner, nested := strings.Cut(element, "><")
	if nested {
		content = "<" + inner + ">" + content + "</" + inner + ">"
	}
	return "<" + outer + w.class(class) + ">" + content + "</" + outer + ">"
}

func (w *variedWriter) class(name string) string {
	switch {
	case name == "row" || name == "apart" || name == "hide":
		return ` class="` + name + `"`
	case name == "" || w.v.classes == "none":
		return ""
	case w.v.classes == "codes":
		return fmt.Sprintf(` class="css-%x"`, hashText(name)%65536)
	}
	return ` class="` + name + `"`
}

func (w *variedWriter) writeTop(p person) {
	if w.v.nav {
		w.out.WriteString(`<nav><ul><li><a href="#a">About</a></li><li><a href="#e">Work</a></li></ul></nav>`)
	}
	if w.s.Title != "" {
		w.out.WriteString(w.tag("div", "kind", html.EscapeString(w.s.Title)) + w.v.between)
	}
	w.out.WriteString(w.tag("h1", "name", html.EscapeString(p.Name)) + w.v.between)
	for _, b := range w.s.arrangeContact(p) {
		label, value, labelled := strings.Cut(b.text, ": ")
		text := html.EscapeString(b.text)
		switch {
		case w.v.contact == "definitions" && labelled:
			text = "<dl><dt>" + html.EscapeString(label) + "</dt><dd>" + html.EscapeString(value) + "</dd></dl>"
		case w.v.contact == "list":
			text = "<ul><li>" + text + "</li></ul>"
		case w.v.contact == "spans" && strings.Contains(b.text, w.s.Join):
			text = `<div class="apart"><span>` + strings.ReplaceAll(text, html.EscapeString(w.s.Join), "</span>"+w.v.between+"<span>") + "</span></div>"
		case b.url != "":
			text = fmt.Sprintf("<p><a href=%q>%s</a></p>", b.url, text)
		default:
			text = "<p>" + text + "</p>"
		}
		w.out.WriteString(text + w.v.between)
	}
}

func (w *variedWriter) writePart(one part) {
	var body strings.Builder
	for _, entry := range one.entries {
		body.WriteString(w.formatEntry(one.role, entry) + w.v.between)
	}
	content := body.String()
	switch {
	case one.role != "experience" && one.role != "education":
	case w.v.entry == "list":
		content = `<ul class="plain">` + content + "</ul>"
	case w.v.entry == "definitions":
		content = "<dl>" + content + "</dl>"
	case w.v.entry == "table":
		content = "<table>" + content + "</table>"
	}
	heading := w.tag(w.v.heading, "title", w.icon("briefcase")+html.EscapeString(one.heading))
	w.out.WriteString(w.tag(w.v.section, one.role, w.v.between+heading+w.v.between+content) + "\n")
}

func (w *variedWriter) icon(name string) string {
	if !w.v.icons {
		return ""
	}
	return drawByLook(w.s.Look, []string{`<i class="fa fa-` + name + `"></i> `, `<svg viewBox="0 0 8 8"><title>icon</title><path d="M0 0"/></svg>`, `<span aria-hidden="true">▸</span> `})
}

// formatEntry writes the blocks of an entry: lines of facts and what follows them.
func (w *variedWriter) formatEntry(role string, blocks []block) string {
	var head, body strings.Builder
	var lines []string
	listed := false
	for i, b := range blocks {
		if b.pieces != nil {
			lines = append(lines, w.formatLine(b))
			if i+1 < len(blocks) && blocks[i+1].pieces != nil {
				continue
			}
			head.WriteString(w.formatHead(lines))
			if body.Len() > 0 { // the head stands behind its body
				body.WriteString(head.String())
				head.Reset()
			}
			lines = nil
			continue
		}
		isItem := b.kind == bullet && w.s.Look%5 > 0
		if isItem != listed {
			body.WriteString(map[bool]string{true: "<ul>", false: "</ul>"}[isItem])
			listed = isItem
		}
		body.WriteString(w.formatBody(b, isItem, role) + w.v.between)
	}
	if listed {
		body.WriteString("</ul>")
	}
	return w.wrapEntry(role, head.String(), body.String())
}

func (w *variedWriter) wrapEntry(role, head, body string) string {
	if role != "experience" && role != "education" {
		return head + body
	}
	switch w.v.entry {
	case "list":
		return "<li>" + head + w.v.between + body + "</li>"
	case "definitions":
		return "<dt>" + head + "</dt>" + w.v.between + "<dd>" + body + "</dd>"
	case "table":
		return "<tr><td>" + head + "</td></tr>" + w.v.between + "<tr><td>" + body + "</td></tr>"
	}
	element := w.v.entry
	if element != "" && w.v.micro {
		return "<" + element + ` itemscope itemtype="https://schema.org/Role">` + w.v.between + head + w.v.between + body + "</" + element + ">"
	}
	return w.tag(element, "entry", w.v.between+head+w.v.between+body+w.v.between)
}

// formatHead sets the lines of a head into elements, or parts them by breaks.
func (w *variedWriter) formatHead(lines []string) string {
	if w.v.way == "breaks" {
		return w.tag("p", "head", strings.Join(lines, drawByLook(w.s.Look, []string{"<br>", "<br/>\n", "<br />"})))
	}
	var out strings.Builder
	for i, line := range lines {
		element := w.v.line
		class := "sub"
		if i == 0 {
			element = w.v.first
			class = "head"
		}
		if w.v.way == "cells" {
			element = "div"
			class = "row"
		}
		if w.v.way == "apart" {
			class = "apart"
		}
		out.WriteString(w.tag(element, class, line) + w.v.between)
	}
	return w.tag(w.v.header, "top", out.String())
}

// formatLine writes the facts of a line: as one text, each in an element, or in elements
// that the style sheet sets apart.
func (w *variedWriter) formatLine(b block) string {
	var out strings.Builder
	for i, p := range b.pieces {
		text := w.formatPiece(p)
		switch {
		case w.v.way == "text" || w.v.way == "breaks" && w.s.Look%2 > 0:
			out.WriteString(w.gap(p.before) + html.EscapeString(p.text+p.behind))
		case w.v.way == "tagged" || w.v.way == "breaks":
			out.WriteString(w.gap(p.before) + text + html.EscapeString(p.behind))
		default:
			if i > 0 {
				out.WriteString(w.v.between)
			}
			out.WriteString(text)
		}
	}
	if w.v.hidden && b.kind == headLine {
		return drawByLook(w.s.Look, []string{`<span class="hide" style="display:none">Entry:</span>`, `<span hidden>print only</span>`, `<div style="display: none">Print 2019 - 2020</div>`}) + out.String()
	}
	return out.String()
}

// gap writes what parts two facts; the style sheet pushes what stands behind a tab.
func (w *variedWriter) gap(before string) string {
	if before == "\t" {
		return `<span style="margin-left:3em"></span> &nbsp; &nbsp; `
	}
	return html.EscapeString(before)
}

func (w *variedWriter) formatPiece(p piece) string {
	element := w.v.tags[p.role]
	text := html.EscapeString(p.text)
	if w.v.way == "cells" && element == "span" && w.s.Look%2 == 0 {
		element = "div"
	}
	if p.role == "D" && w.v.time {
		first, last, ranged := strings.Cut(text, w.s.Separator)
		text = "<time>" + first + "</time>"
		if ranged {
			text += w.s.Separator + "<time>" + last + "</time>"
		}
	}
	if element == "a" {
		return `<a href="https://www.example.com/about">` + text + "</a>"
	}
	if w.v.micro {
		return fmt.Sprintf("<%s itemprop=%q>%s</%s>", element, map[string]string{"T": "jobTitle", "C": "worksFor", "D": "temporal", "L": "address"}[p.role], text, element)
	}
	class := map[string]string{"T": "job-title", "C": "company", "D": "dates", "L": "place", "G": "degree", "S": "school"}[p.role]
	return w.tag(element, class, text)
}

func (w *variedWriter) formatBody(b block, isItem bool, role string) string {
	text := html.EscapeString(b.text)
	if b.url != "" {
		text = fmt.Sprintf("<a href=%q>%s</a>", b.url, text)
	}
	if role == "skills" {
		if items := w.formatSkills(b.text); items != "" {
			return items
		}
	}
	switch {
	case isItem:
		return "<li>" + text + "</li>"
	case b.kind == bullet:
		return w.tag("div", "item", w.s.Bullet+text)
	case b.kind == paragraph:
		return "<p>" + text + "</p>"
	}
	return w.tag(drawByLook(w.s.Look/7, []string{"div", "p"}), "text", text)
}

// formatSkills sets skills into a list or badges, if a line of them is given.
func (w *variedWriter) formatSkills(text string) string {
	if w.v.skills == "text" || !strings.Contains(text, ", ") || strings.Contains(text, ": ") {
		return ""
	}
	items := strings.Split(html.EscapeString(text), ", ")
	if w.v.skills == "items" {
		return "<ul><li>" + strings.Join(items, "</li>"+w.v.between+"<li>") + "</li></ul>"
	}
	return `<div><span class="badge">` + strings.Join(items, "</span>"+w.v.between+`<span class="badge">`) + "</span></div>"
}
