package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

var (
	//go:embed page.tmpl
	pageTemplate string
	//go:embed docs.css
	style []byte
	//go:embed docs.js
	script []byte
	//go:embed search.js
	searchScript []byte
	//go:embed try.js
	tryScript []byte
)

// Names of the pages that are not about a group of endpoints.
const (
	startPage        = "index"
	enumerationsPage = "enumerations"
)

// page is the data of a page. Version changes with the files that it loads.
type page struct {
	contents
	Name, Title, Version string
	Guides               []guide
	Group                *group // nil except on a page of endpoints
}

// Path returns the path at which a page is served.
func (p page) Path() string { return pagePath(p.Name) }

func pagePath(name string) string {
	if name == startPage {
		return contract.BasePath + "/docs"
	}
	return contract.BasePath + "/docs/" + name
}

// renderPages returns the pages and the files that they load, by name.
func renderPages() map[string][]byte {
	shown := template.Must(template.New("page").Funcs(template.FuncMap{
		"highlight": highlightCode, "lower": strings.ToLower, "anchor": valueAnchor,
	}).Parse(pageTemplate))
	guides := guideSections()
	code := bytes.Join([][]byte{script, searchScript, tryScript}, nil)
	version := fmt.Sprintf("%.8x", sha256.Sum256(append(code, style...)))
	c := readContents()
	pages := []page{{contents: c, Name: startPage}, {contents: c, Name: enumerationsPage, Title: "Enumerations"}}
	for i := range c.Groups {
		pages = append(pages, page{contents: c, Name: c.Groups[i].Name, Title: c.Groups[i].Title, Group: &c.Groups[i]})
	}
	texts := map[string]string{}
	for _, p := range pages {
		p.Version = version
		p.Guides = guides
		var out bytes.Buffer
		if err := shown.Execute(&out, p); err != nil {
			panic(err)
		}
		texts[p.Name] = out.String()
	}
	all := linkPages(texts)
	all["docs.css"] = style
	all["docs.js"] = code
	all["search.json"] = renderSearch(guides)
	return all
}

var (
	elementID = regexp.MustCompile(` id="([^"]+)"`)
	localLink = regexp.MustCompile(` href="#([^"]+)"`)
)

// linkPages returns the files of pages, in which links to an element of another page lead there.
func linkPages(texts map[string]string) map[string][]byte {
	pageOf := map[string]string{}
	for name, text := range texts {
		for _, found := range elementID.FindAllStringSubmatch(text, -1) {
			pageOf[found[1]] = name
		}
	}
	all := map[string][]byte{}
	for name, text := range texts {
		all[name+".html"] = []byte(localLink.ReplaceAllStringFunc(text, func(link string) string {
			id := localLink.FindStringSubmatch(link)[1]
			if strings.Contains(text, ` id="`+id+`"`) || pageOf[id] == "" {
				return link
			}
			return fmt.Sprintf(` href="%s#%s"`, pagePath(pageOf[id]), id)
		}))
	}
	return all
}

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
		found = append(found, guideFindings(g)...)
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
	title := openapi.Texts.Titles[e.Operation]
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
			text := f.Doc
			if f.Enum != "" {
				text += " One of " + f.Enum + "."
			}
			text += " " + strings.Join(append([]string{f.Type}, f.Rules...), "; ")
			all = append(all, finding{"field", f.ID, f.Name, place, strings.TrimSpace(text)})
		}
	}
	return all
}

var (
	guidePart = regexp.MustCompile(`(?s)<(p|li|pre|tr)[ >].*?</(?:p|li|pre|tr)>`)
	tag       = regexp.MustCompile(`<[^>]+>`)
)

// guideFindings returns a guide with its text, and the rows of its tables. A row without an id of its own leads to the guide.
func guideFindings(g guide) []finding {
	all := []finding{{"section", g.ID, plainText(g.Title), "", ""}}
	for _, found := range guidePart.FindAllStringSubmatch(string(g.HTML), -1) {
		part := found[0]
		switch {
		case found[1] != "tr":
			all[0].text = strings.TrimSpace(all[0].text + " " + plainText(part))
		case strings.Contains(part, "<td"):
			cells := strings.Split(part, "</td>")
			row := finding{"row", g.ID, plainText(cells[0]), all[0].label, ""}
			if strings.Contains(part, "<a class=a ") {
				row.kind = "code"
			}
			if id := elementID.FindStringSubmatch(part); id != nil {
				row.id = id[1]
			}
			var rest []string
			for _, cell := range cells[1 : len(cells)-1] {
				rest = append(rest, plainText(cell))
			}
			row.text = strings.ReplaceAll(strings.Join(rest, "; "), ".;", ".")
			all = append(all, row)
		}
	}
	return all
}

// plainText returns the text of HTML in one line.
func plainText(part string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(part, ""))), " ")
}
