package main

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
)

// finding is what the search can find. In JSON it is an array, because names of fields would be half of the index.
type finding struct{ kind, id, label, place, text string }

// MarshalJSON implements [json.Marshaler].
func (f finding) MarshalJSON() ([]byte, error) {
	return json.Marshal([]string{f.kind, f.id, f.label, f.place, f.text})
}

// searched is the findings of a page.
type searched struct {
	Page     string    `json:"page"`
	Findings []finding `json:"findings"`
}

// renderSearch returns the index of the search, in the order in which equal results are shown.
func renderSearch(guides []guide) []byte {
	c := readContents()
	var all []searched
	for _, g := range c.Groups {
		found := []finding{{"section", g.Name, g.Title, "", ""}}
		for _, e := range g.Routes {
			found = append(found, endpointFindings(e)...)
		}
		all = append(all, searched{g.Name, found})
	}
	found := []finding{{"section", "endpoints", "All endpoints", "", ""}}
	for _, g := range guides {
		found = append(found, guideFindings(string(g.HTML))...)
	}
	all = append(all, searched{startPage, found})
	found = []finding{{"section", "enumerations", "Enumerations", "", ""}}
	for _, e := range c.Enums {
		found = append(found, finding{"section", "enum-" + e.Name, e.Name, "Enumerations", ""})
		for _, v := range e.Values {
			found = append(found, finding{"value", valueAnchor(e.Name, v), v, e.Name, ""})
		}
	}
	return must(json.Marshal(append(all, searched{enumerationsPage, found})))
}

func endpointFindings(e endpoint) []finding {
	title := operationTitle(e.Operation)
	all := []finding{{"endpoint", e.Operation, title, e.Method + " " + e.Path, e.Summary}}
	for _, part := range []struct {
		name   string
		fields []field
	}{{"request", e.Request}, {"response", e.Response}} {
		for _, f := range flattenFields(part.fields) {
			place := title + ", " + part.name
			if strings.Contains(f.Path, ".") {
				place += ", " + strings.ReplaceAll(f.Path, "[]", "")
			}
			all = append(all, finding{"field", e.Operation + "-" + part.name + "-" + f.Anchor(), f.Name, place, fieldText(f)})
		}
	}
	return all
}

func fieldText(f field) string {
	text := f.Doc
	if f.Enum != "" {
		text += " One of " + f.Enum + "."
	}
	return strings.TrimSpace(text + " " + strings.Join(append([]string{f.Type}, f.Rules...), "; "))
}

var (
	guidePart = regexp.MustCompile(`(?s)<(h2|h3|p|li|pre|tr)[ >].*?</(?:h2|h3|p|li|pre|tr)>`)
	tag       = regexp.MustCompile(`<[^>]+>`)
)

// guideFindings returns the headings of a guide with the text below them, and the rows of its tables.
func guideFindings(section string) (all []finding) {
	last := 0
	for _, found := range guidePart.FindAllStringSubmatch(section, -1) {
		part, name := found[0], found[1]
		switch {
		case name == "h2" || name == "h3":
			last = len(all)
			all = append(all, finding{"section", elementID.FindStringSubmatch(part)[1], plainText(part), "", ""})
		case name == "tr" && strings.Contains(part, "<td"):
			all = append(all, rowFinding(part, all[last]))
		case name != "tr":
			all[last].text = strings.TrimSpace(all[last].text + " " + plainText(part))
		}
	}
	return all
}

// rowFinding returns a row of a section. Without an id of its own, it leads to the section.
func rowFinding(row string, section finding) finding {
	kind := "row"
	if strings.Contains(row, "<a class=a ") {
		kind = "code"
	}
	id := section.id
	if found := elementID.FindStringSubmatch(row); found != nil {
		id = found[1]
	}
	cells := strings.Split(row, "</td>")
	var rest []string
	for _, cell := range cells[1 : len(cells)-1] {
		rest = append(rest, plainText(cell))
	}
	return finding{kind, id, plainText(cells[0]), section.label, strings.ReplaceAll(strings.Join(rest, "; "), ".;", ".")}
}

// plainText returns the text of HTML in one line.
func plainText(part string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(part, ""))), " ")
}
