package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
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
		"words": operationTitle, "highlight": highlightCode, "lower": strings.ToLower, "anchor": valueAnchor,
		"nest": func(id string, fields []field) nested { return nested{id, fields} },
	}).Parse(pageTemplate))
	guides := guideSections()
	code := bytes.Join([][]byte{script, searchScript, tryScript}, nil)
	version := fmt.Sprintf("%.8x", sha256.Sum256(append(code, style...)))
	texts := map[string]string{}
	for _, p := range listPages() {
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

// listPages returns the pages without their guides.
func listPages() []page {
	c := readContents()
	all := []page{{contents: c, Name: startPage}, {contents: c, Name: enumerationsPage, Title: "Enumerations"}}
	for i := range c.Groups {
		all = append(all, page{contents: c, Name: c.Groups[i].Name, Title: c.Groups[i].Title, Group: &c.Groups[i]})
	}
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
