package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// TestCurrent fails while what is served differs from the contract.
func TestCurrent(t *testing.T) {
	t.Parallel()
	for name, write := range files {
		got, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if want := write(); !bytes.Equal(want, got) {
			t.Errorf("%s is not what the contract says; run make generate", name)
		}
	}
	served, err := os.ReadDir("../pages")
	if err != nil {
		t.Fatal(err)
	}
	want := renderOnce()
	for _, file := range served {
		name := strings.TrimSuffix(file.Name(), ".gz")
		got := readPacked(t, "../pages/"+file.Name())
		if !bytes.Equal(want[name], got) {
			want = renderPages() // again: the highlighter gives up a token after 250 ms, as it may have on a starved machine
		}
		if !bytes.Equal(want[name], got) {
			t.Errorf("pages/%s is not what the contract says; run make generate", file.Name())
		}
	}
	if len(served) != len(want) {
		t.Errorf("%d files are served, want %d; run make generate", len(served), len(want))
	}
}

func readPacked(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestEveryRow holds that each row of the table stands in the page with all
// that is true of it.
func TestEveryRow(t *testing.T) {
	t.Parallel()
	rows := pageRows()
	for _, r := range contract.Routes {
		row, ok := rows[r.Method+" "+r.Path]
		if !ok {
			t.Errorf("%s %s is missing", r.Method, r.Path)
			continue
		}
		want := []string{r.Summary}
		for _, s := range r.Scopes {
			want = append(want, "<code>"+string(s)+"</code>")
		}
		switch {
		case r.Public():
			want = append(want, ">none<", "no per-key limit")
		case r.KeyType == contract.AnyKey:
			want = append(want, ">any<")
		default:
			want = append(want, ">"+string(r.KeyType)+"<")
		}
		if r.Tier.Limit > 0 {
			want = append(want, fmt.Sprintf(">%s, %d a minute<", r.Tier.Name, r.Tier.Limit))
		}
		for _, text := range want {
			if !strings.Contains(row, text) {
				t.Errorf("%s %s lacks %q:\n%s", r.Method, r.Path, text, row)
			}
		}
	}
	if len(rows) != len(contract.Routes) {
		t.Errorf("got %d rows, want %d", len(rows), len(contract.Routes))
	}
}

// pageRows finds the rows of the route tables by method and path.
func pageRows() map[string]string {
	text := string(renderOnce()["index.html"])
	rows := map[string]string{}
	for _, table := range strings.Split(text, `<table class="routes">`)[1:] {
		table, _, _ = strings.Cut(table, "</table>")
		for _, row := range strings.Split(table, "<tr>")[2:] {
			_, method, _ := strings.Cut(row, `<b class="`)
			_, path, _ := strings.Cut(row, "<code>")
			path, _, _ = strings.Cut(path, "</code>")
			method, _, _ = strings.Cut(method, `"`)
			rows[method+" "+path] = html.UnescapeString(row)
		}
	}
	return rows
}

// renderOnce returns the pages and what they load.
var renderOnce = sync.OnceValue(renderPages)

// renderedPages returns the pages alone, by name.
func renderedPages() map[string]string {
	all := map[string]string{}
	for name, content := range renderOnce() {
		if name, ok := strings.CutSuffix(name, ".html"); ok {
			all[name] = string(content)
		}
	}
	return all
}

// TestComplete holds that every code, change, enumerated value and field is shown, in a place that
// can be linked to.
func TestComplete(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, page := range renderedPages() {
		all.WriteString(page)
	}
	text := html.UnescapeString(all.String())
	for code := range contract.Codes {
		expectAnchor(t, text, "error-codes-"+string(code))
	}
	for _, code := range itemErrorCodes() {
		expectAnchor(t, text, "item-errors-"+code)
	}
	for _, status := range contract.EnumByName("resultStatus").Values {
		expectAnchor(t, text, "result-statuses-"+status)
	}
	for _, c := range openapi.Texts.Changes {
		if !strings.Contains(text, c.Version+"</strong>, "+c.Date+": "+c.What[:20]) {
			t.Errorf("the change %q is missing", c.What)
		}
	}
	for _, e := range usedEnums() {
		expectAnchor(t, text, "enum-"+e.Name)
		for _, v := range e.Values {
			expectAnchor(t, text, valueAnchor(e.Name, v))
		}
	}
	for _, r := range contract.Routes {
		expectAnchor(t, text, r.Operation)
		for _, fields := range [][]field{requestFields(r), responseFields(r)} {
			for _, f := range flattenFields(fields) {
				expectAnchor(t, text, f.ID)
			}
		}
	}
}

// TestRowsHaveIDs holds that results of the search can lead to each row of the guides.
func TestRowsHaveIDs(t *testing.T) {
	t.Parallel()
	bare := 0
	for _, g := range guideSections() {
		bare += strings.Count(strings.ReplaceAll(string(g.HTML), "<thead>\n<tr>", ""), "<tr>")
		if strings.Contains(string(g.HTML), "<h3") {
			t.Errorf("%s has a heading below its own, which cannot be linked to", g.ID)
		}
	}
	if want := 1; bare != want { // the second row of pre_excluded
		t.Errorf("%d rows have no id, want %d", bare, want)
	}
	for cell, want := range map[string]string{
		"JSON nesting depth": "json-nesting-depth", "<code>…/in/sandbox-slow</code>": "in-sandbox-slow", "<code>&quot;salaryMin&quot;: 0</code>": "salarymin-0", "…": "",
	} {
		if got := wordsAnchor(cell); got != want {
			t.Errorf("wordsAnchor(%q) = %q, want %q", cell, got, want)
		}
	}
}

// expectAnchor fails unless there is one element of that id, and a visible link to it.
func expectAnchor(t *testing.T, page, id string) {
	t.Helper()
	if strings.Count(page, ` id="`+id+`"`) != 1 || !strings.Contains(page, ` href="#`+id+`"`) {
		t.Errorf("%s cannot be linked to", id)
	}
}

// itemErrorCodes returns the codes of batch items and of rejected bulk items.
func itemErrorCodes() []string {
	all := slices.Concat(contract.EnumByName("submissionError").Values, contract.EnumByName("bulkError").Values)
	slices.Sort(all)
	return slices.Compact(all)
}

// TestEverySubmissionErrorHasACause holds the item errors and result statuses to the contract's.
func TestEverySubmissionErrorHasACause(t *testing.T) {
	t.Parallel()
	var codes []string
	for _, e := range openapi.Texts.ItemErrors {
		codes = append(codes, string(e.Code))
		if e.Cause == "" || e.Advice == "" {
			t.Errorf("%s has no cause or no advice", e.Code)
		}
	}
	slices.Sort(codes)
	if diff := cmp.Diff(itemErrorCodes(), codes); diff != "" {
		t.Errorf("codes (-contract +page):\n%s", diff)
	}
	for _, s := range openapi.Texts.ResultStatuses {
		if !contract.EnumByName("resultStatus").Has(string(s.Status)) {
			t.Errorf("%s is no status", s.Status)
		}
	}
}

// TestAdviceNamesEveryAcceptedType fails unless the advice of the errors that ask for another file names all types that are accepted.
func TestAdviceNamesEveryAcceptedType(t *testing.T) {
	t.Parallel()
	advice := map[string]string{}
	for _, e := range openapi.Texts.ItemErrors {
		advice[string(e.Code)] = e.Advice
	}
	for _, e := range openapi.Errors() {
		for _, c := range e.Codes {
			advice[string(c.Code)] = c.Advice
		}
	}
	_, types, _ := strings.Cut(filetype.AcceptedAdvice, " as ")
	for name := range strings.SplitSeq(strings.ReplaceAll(types, " or ", ", "), ", ") {
		for _, code := range []string{string(contract.UnsupportedFileType), string(contract.ResumeParseFailed)} {
			if !strings.Contains(advice[code], name) {
				t.Errorf("%s: %q has no %s", code, advice[code], name)
			}
		}
	}
}

// TestSamples holds that each route has a sample in each language, and each with JSON a response.
func TestSamples(t *testing.T) {
	t.Parallel()
	for _, g := range readContents().Groups {
		for _, e := range g.Routes {
			var languages []string
			for _, s := range e.Samples {
				languages = append(languages, s.Language)
			}
			want := []string{"curl", "Go", "Python", "TypeScript"}
			if e.Output == nil {
				want = []string{"curl", "Python", "TypeScript"}
			}
			if diff := cmp.Diff(want, languages); diff != "" || (e.Example == "") != (e.Output == nil) {
				t.Errorf("%s has the response %q and the samples (-want +got):\n%s", e.Operation, e.Example, diff)
			}
		}
	}
}

// TestErrorsOfEndpoints holds that each endpoint lists the errors that it can respond with, and
// shows one as the service writes it.
func TestErrorsOfEndpoints(t *testing.T) {
	t.Parallel()
	pages := renderedPages()
	for _, r := range contract.Routes {
		text := pages[string(r.Function)]
		_, article, _ := strings.Cut(text, `<article id="`+r.Operation+`"`)
		article, _, _ = strings.Cut(article, "</article>")
		article = html.UnescapeString(article)
		for _, e := range openapi.RouteErrors(r) {
			want := []string{fmt.Sprint(e.Status)}
			for _, c := range e.Codes {
				want = append(want, `href="`+contract.BasePath+`/docs#error-codes-`+string(c.Code)+`"`)
			}
			for _, text := range want {
				if !strings.Contains(article, text) {
					t.Errorf("the errors of %s lack %s", r.Operation, text)
				}
			}
		}
		refused := sampleRefusal(r)
		isCertain := r.Public() && !strings.Contains(r.Path, "{") // no caller can make a mistake
		if (refused.JSON == "") != isCertain || strings.Contains(refused.JSON, "null") {
			t.Errorf("%s has the sample %q of an error", r.Operation, refused.JSON)
		}
	}
}

// TestFeed holds that the changelog is a feed that readers accept.
func TestFeed(t *testing.T) {
	t.Parallel()
	var got struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Updated string   `xml:"updated"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Summary string `xml:"summary"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(files["changes.atom"](), &got); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range got.Entries {
		if _, err := time.Parse(time.RFC3339, e.Updated); err != nil || e.ID == "" || seen[e.ID] || e.Title == "" || e.Summary == "" {
			t.Errorf("got the entry %+v", e)
		}
		seen[e.ID] = true
	}
	if len(got.Entries) != len(openapi.Texts.Changes) || got.Updated != got.Entries[0].Updated {
		t.Errorf("got %d entries, updated %s", len(got.Entries), got.Updated)
	}
}

// TestTextFormsAreComplete holds that every route, field and code stands in the Markdown form, and
// every route in llms.txt.
func TestTextFormsAreComplete(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{"docs.md": slices.Concat(routePaths(), itemErrorCodes(), contract.RoleTypes.Values), "llms.txt": routePaths()} {
		raw := files[name]()
		for _, text := range append(want, contract.ExampleURL) {
			if !bytes.Contains(raw, []byte(text)) {
				t.Errorf("%s lacks %s", name, text)
			}
		}
		if bytes.Contains(raw, []byte("<no value>")) || bytes.Contains(raw, []byte("\n\n\n")) {
			t.Errorf("%s has holes", name)
		}
	}
}

func routePaths() (all []string) {
	for _, r := range contract.Routes {
		all = append(all, r.Path)
	}
	return all
}

// TestSelfContained holds that pages load their own style and script and nothing else, and have no markup
// that their content security policy refuses.
func TestSelfContained(t *testing.T) {
	t.Parallel()
	for name, text := range renderedPages() {
		for _, outside := range []string{"<img", "@import", "url(", "<style", " style=", " onclick", "ZgotmplZ", "https://fonts"} {
			if strings.Contains(text, outside) {
				t.Errorf("the page %s holds %q", name, outside)
			}
		}
		for _, own := range []string{`<link rel="stylesheet" href="/api/external/v1/docs/docs.css?v=`, `<script src="/api/external/v1/docs/docs.js?v=`} {
			kind, _, _ := strings.Cut(own, "=")
			if !strings.Contains(text, own) || strings.Count(text, "<script") != 1 || strings.Count(text, "stylesheet") != 1 {
				t.Errorf("the page %s has no or several %s", name, kind)
			}
		}
	}
}

// TestWeight holds a page with all that it loads, and the index of the search, to the size at which they show
// quickly on a telephone.
func TestWeight(t *testing.T) {
	t.Parallel()
	files := renderOnce()
	weigh := func(content []byte) int { return len(compressFile(content)) }
	shared := weigh(files["docs.css"]) + weigh(files["docs.js"])
	for name := range files {
		size := weigh(files[name])
		if strings.HasSuffix(name, ".html") {
			size += shared
		}
		if most := 60_000; size > most {
			t.Errorf("%s has %d bytes in gzip with what it loads, more than %d", name, size, most)
		}
	}
}

// TestLinks holds that every link of a page leads to something on it, to something on another page, or to another
// public route.
func TestLinks(t *testing.T) {
	t.Parallel()
	pages := renderedPages()
	leads := map[string]bool{contract.ExampleURL + contract.BasePath + "/docs": true}
	for _, r := range contract.Routes {
		leads[contract.BasePath+r.Path] = r.Public()
	}
	for name, text := range pages {
		leads[contract.ExampleURL+pagePath(name)] = true
		for _, id := range elementID.FindAllStringSubmatch(text, -1) {
			target := pagePath(name) + "#" + id[1]
			if leads[target] {
				t.Errorf("%s has two elements of the id %s", name, id[1])
			}
			leads[target] = true
		}
	}
	for name, text := range pages {
		for _, link := range strings.Split(text, `href="`)[1:] {
			target, _, _ := strings.Cut(link, `"`)
			if strings.HasPrefix(target, "#") {
				target = pagePath(name) + target
			}
			isOwnFile := strings.HasPrefix(target, "data:image/svg+xml,") || strings.HasPrefix(target, contract.BasePath+"/docs/docs.css?v=")
			if !isOwnFile && !leads[target] {
				t.Errorf("the link %q on %s leads nowhere", target, name)
			}
		}
	}
}

// TestLinksOfTheFormerPage holds that without scripts, the links to what /docs once held show the link to where it is.
func TestLinksOfTheFormerPage(t *testing.T) {
	t.Parallel()
	start := renderedPages()["index"]
	want := map[string]string{"enumerations": "/docs/enumerations", "enum-roleType": "/docs/enumerations", "network": "/docs/network"}
	for _, r := range contract.Routes {
		want[r.Operation] = "/docs/" + string(r.Function)
	}
	for id, page := range want {
		if link := fmt.Sprintf(`<a name="%[1]s" href="%[2]s#%[1]s">`, id, contract.BasePath+page); !strings.Contains(start, link) {
			t.Errorf("the start has no %s", link)
		}
	}
}

// TestSearchIndex holds that the search finds every element that can be linked to, on its page.
func TestSearchIndex(t *testing.T) {
	t.Parallel()
	var index []struct {
		Page     string      `json:"page"`
		Findings [][5]string `json:"findings"`
	}
	if err := json.Unmarshal(renderOnce()["search.json"], &index); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, s := range index {
		for _, f := range s.Findings {
			found[pagePath(s.Page)+"#"+f[1]] = true
			if f[2] == "" || strings.Contains(f[2]+f[4], "\n") {
				t.Errorf("%s has the finding %q", s.Page, f)
			}
		}
	}
	frame := []string{"top", "search", "results", "theme", "contents", "main"}
	for name, text := range renderedPages() {
		for _, id := range elementID.FindAllStringSubmatch(text, -1) {
			target := pagePath(name) + "#" + id[1]
			if !found[target] && !slices.Contains(frame, id[1]) && !strings.HasSuffix(id[1], "-errors") {
				t.Errorf("the search does not find %s", target)
			}
			delete(found, target)
		}
	}
	if len(found) > 0 {
		t.Errorf("the search leads to what is not there: %v", found)
	}
}

func requestFields(r contract.Route) []field {
	return fieldsOf(contract.SchemaOf(r.Input), r.Operation+"-request-", "", false)
}

func responseFields(r contract.Route) []field {
	return fieldsOf(contract.SchemaOf(r.Output), r.Operation+"-response-", "", true)
}

func TestFields(t *testing.T) {
	t.Parallel()
	route := func(operation string) contract.Route {
		for _, r := range contract.Routes {
			if r.Operation == operation {
				return r
			}
		}
		t.Fatalf("no operation %s", operation)
		return contract.Route{}
	}
	find := func(all []field, path string) field {
		for _, f := range flattenFields(all) {
			if f.Path == path {
				return f
			}
		}
		t.Errorf("no field %s", path)
		return field{}
	}
	submit := requestFields(route("submitCandidate"))
	batch := responseFields(route("getBatch"))
	identity := responseFields(route("identity"))
	for got, want := range map[string]string{
		find(batch, "items[].updatedAt").ID:                   "getBatch-response-items.updatedAt",
		find(requestFields(route("getBatch")), "batchId").ID:  "getBatch-request-path.batchId",
		find(requestFields(route("listBatches")), "limit").ID: "listBatches-request-limit",
	} {
		if got != want {
			t.Errorf("got the id %s, want %s", got, want)
		}
	}
	cases := []struct{ got, want field }{
		{find(submit, "name"), field{In: "body", Type: "string", Required: true, Rules: []string{"one line", "1 to 300 characters"}, Doc: "The candidate's full name."}},
		{find(submit, "preferences.ote"), field{In: "body", Type: "integer or null", Rules: []string{"1 to 9007199254740991"}, Doc: "On-target earnings, whole units."}},
		{find(submit, "preferences.locations"), field{In: "body", Type: "string[]", Required: true, Rules: []string{"1 to 100 entries"}, Enum: "location", Doc: "Where the candidate wants to work."}},
		{find(submit, "resume.contentBase64"), field{In: "body", Type: "string", Required: true, Rules: []string{"not empty"}, Doc: "The file's bytes in base64."}},
		{find(batch, "items"), field{In: "body", Type: "object[]", Doc: "Ordered by index; items rejected on submission are omitted."}},
		{find(batch, "items[].updatedAt"), field{In: "body", Type: "string", Rules: []string{"RFC 3339, UTC"}, Doc: "Time of the last transition."}},
		{find(batch, "items[].errorCode"), field{In: "body", Type: "string", Optional: true, Enum: "submissionError", Doc: "Set on failure; treat unknown codes as final."}},
		{find(identity, "agency"), field{In: "body", Type: "object or null", Doc: "Set for agency keys."}},
		{find(identity, "key.expiresAt"), field{In: "body", Type: "string or null", Rules: []string{"RFC 3339, UTC"}, Doc: "Null when the key does not expire."}},
	}
	for _, tc := range cases {
		tc.got.ID = ""
		tc.got.Path = ""
		tc.got.Name = ""
		tc.got.Fields = nil
		if len(tc.got.Rules) == 0 {
			tc.got.Rules = nil
		}
		if diff := cmp.Diff(tc.want, tc.got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	cases := []struct {
		schema contract.Schema
		want   []string
	}{
		{contract.Schema{Kind: contract.KindBoolean, Const: "true"}, []string{"always true"}},
		{contract.Schema{Kind: contract.KindInteger, Page: &contract.PageLimit{Default: 20, Max: 50}}, []string{"20 when not given, at most 50"}},
		{contract.Schema{Kind: contract.KindString, Max: new(int64(9))}, []string{"at most 9 characters"}},
		{contract.Schema{Kind: contract.KindArray, Min: new(int64(2)), Items: &contract.Schema{Kind: contract.KindString, Format: "email"}}, []string{"an e-mail address", "at least 2 entries"}},
		{contract.Schema{Kind: contract.KindObject}, nil},
	}
	for _, tc := range cases {
		if diff := cmp.Diff(tc.want, rulesOf(&tc.schema)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
