package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

//go:embed page.tmpl
var layout string

//go:embed docs.css
var style template.CSS

// page is the data of the template.
type page struct {
	Style         template.CSS
	PublicURL     string
	Base          string
	Tiers         []contract.Tier
	Window        int
	Groups        []group
	Errors        []openapi.Error
	Changes       []openapi.Change
	Enums         []*contract.Enum
	Total         int
	AgencyScopes  []contract.Scope
	PersonalScope []contract.Scope
}

// group is the routes of one function.
type group struct {
	Name, Title string
	Routes      []endpoint
}

// endpoint is a route with its fields spelled out.
type endpoint struct {
	contract.Route
	Request, Response []field
	// Body reports whether the request has a JSON body.
	Body bool
}

// renderPage returns the whole page.
func renderPage() ([]byte, error) {
	shown, err := template.New("page").Funcs(template.FuncMap{"words": operationTitle}).Parse(layout)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = shown.Execute(&out, pageContents())
	return out.Bytes(), err
}

func pageContents() page {
	p := page{
		Style:         style,
		PublicURL:     contract.ExampleURL,
		Base:          contract.BasePath,
		Tiers:         []contract.Tier{contract.DefaultTier, contract.WriteTier},
		Window:        contract.WindowSeconds,
		Groups:        groupRoutes(),
		Errors:        openapi.Errors(),
		Changes:       openapi.Changes,
		Total:         len(contract.Routes),
		AgencyScopes:  contract.AgencyKey.Scopes(),
		PersonalScope: contract.PersonalKey.Scopes(),
	}
	used := map[*contract.Enum]bool{}
	for _, r := range contract.Routes {
		collectEnums(contract.SchemaOf(r.Input), used)
		collectEnums(contract.SchemaOf(r.Output), used)
	}
	p.Enums = slices.SortedFunc(maps.Keys(used), func(a, b *contract.Enum) int { return strings.Compare(a.Name, b.Name) })
	return p
}

// groupRoutes returns the routes by function, in the order of the table.
func groupRoutes() []group {
	var all []group
	at := map[contract.Function]int{}
	for _, r := range contract.Routes {
		if _, ok := at[r.Function]; !ok {
			at[r.Function] = len(all)
			all = append(all, group{Name: string(r.Function), Title: openapi.Title(r.Function)})
		}
		g := &all[at[r.Function]]
		g.Routes = append(g.Routes, endpoint{
			Route: r, Request: requestFields(r), Response: responseFields(r),
			Body: contract.SchemaOf(r.Input).HasBody(),
		})
	}
	return all
}

// operationTitle returns an operation's name as a heading: "Get batch" for "getBatch",
// "List CRM candidates" for "listCRMCandidates".
func operationTitle(operation string) string {
	var all []string
	start := 0
	for i := 1; i <= len(operation); i++ {
		if i < len(operation) && !startsWord(operation, i) {
			continue
		}
		word := operation[start:i]
		if word != strings.ToUpper(word) {
			word = strings.ToLower(word)
		}
		all = append(all, word)
		start = i
	}
	heading := strings.ToUpper(all[0][:1]) + strings.Join(all, " ")[1:]
	return strings.Replace(heading, "Openapi", "OpenAPI", 1) // as it is spelt
}

func startsWord(s string, i int) bool {
	upper := func(i int) bool { return i < len(s) && s[i] >= 'A' && s[i] <= 'Z' }
	return upper(i) && (!upper(i-1) || i+1 < len(s) && !upper(i+1))
}
