package archtest

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// contractPage is the document that comments cite, as in (contract, Limits).
const contractPage = "docs/contract.md"

var (
	parenthesis = regexp.MustCompile(`\([^()]*\)`)
	// citation finds one in what stands between two semicolons of a parenthesis.
	citation = regexp.MustCompile(`(?:^|\s)contract, (.+)$`)
	link     = regexp.MustCompile(`\]\(#([^)]*)\)`)
	// dropped are the characters of a heading that its anchor does not have.
	dropped = regexp.MustCompile(`[^a-z0-9_ -]`)
)

// TestCitationsResolve fails for a citation of a heading that the contract does
// not have, in any Go file.
func TestCitationsResolve(t *testing.T) {
	t.Parallel()
	module := os.DirFS("../../..")
	var files []*file
	for _, name := range filesOf(t, module, ".go") {
		f, err := parseFile(token.NewFileSet(), module, name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	headings := headingsOf(readFile(t, module, contractPage))
	cited := rule{file: func(f *file) []finding { return findCitations(f) }}
	if len(cited.findViolations(files)) == 0 {
		t.Fatal("no citation was found at all")
	}
	if found := unresolvedCitations(headings).findViolations(files); len(found) > 0 {
		t.Errorf("cite a heading of %s, or write the rule there.\n%s", contractPage, strings.Join(found, "\n"))
	}
}

// TestCitationsAreRead plants citations and checks which of them are reported.
func TestCitationsAreRead(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][]string{
		"// X is 1 (contract, Limits).\npackage p":                                 nil,
		"// X is 1 (see contract, GET /a/{id}; contract, Limits).\npackage p":      nil,
		"package p\n\n// Where X stands is (contract,\n// Limits).\nvar x = 1":     nil,
		"package p\n\n// X is 1.\n//\n// Y is 2 (contract,\n// Limit).\nvar x = 1": {"x.go:5: Limit"},
		"package p\n\nvar x = 1 // (contract, Limits; contract, Sizes)":            {"x.go:3: Sizes"},
		"package p\n\n/* X\n(contract, limits) */\nvar x = 1":                      {"x.go:4: limits"},
		"package p\n\nconst x = `(contract, Sizes)`":                               nil,
	} {
		f, err := parseFile(token.NewFileSet(), fstest.MapFS{"x.go": {Data: []byte(source)}}, "x.go")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, unresolvedCitations([]string{"Limits", "GET /a/{id}"}).findViolations([]*file{f})); diff != "" {
			t.Errorf("%s\n%s", source, diff)
		}
	}
}

// TestContractHasOneMeaningForAHeading fails for a heading that occurs twice,
// or whose anchor is another's, and for a link inside the page that leads nowhere.
func TestContractHasOneMeaningForAHeading(t *testing.T) {
	t.Parallel()
	page := readFile(t, os.DirFS("../../.."), contractPage)
	anchors := map[string]string{}
	for _, h := range headingsOf(page) {
		anchor := strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h), ""), " ", "-")
		if other, ok := anchors[anchor]; ok {
			t.Errorf("%q and %q have the anchor %s", other, h, anchor)
		}
		anchors[anchor] = h
	}
	for _, l := range link.FindAllStringSubmatch(page, -1) {
		if _, ok := anchors[l[1]]; !ok {
			t.Errorf("no heading has the anchor %s", l[1])
		}
	}
}

// TestOneContract checks that rules are cited from the one page that callers can
// read: no file mentions another document.
func TestOneContract(t *testing.T) {
	t.Parallel()
	module := os.DirFS("../../..")
	const other = "supple" + "ment" // in two parts, or this file would mention it
	for _, name := range filesOf(t, module, ".go", ".md") {
		for i, line := range strings.Split(readFile(t, module, name), "\n") {
			if strings.Contains(strings.ToLower(line), other) {
				t.Errorf("%s:%d: mentions a %s; cite %s", name, i+1, other, contractPage)
			}
		}
	}
}

// unresolvedCitations returns the rule that a citation is one of the headings.
func unresolvedCitations(headings []string) rule {
	return rule{file: func(f *file) []finding {
		return slices.DeleteFunc(findCitations(f), func(c finding) bool { return slices.Contains(headings, c.what) })
	}}
}

// findCitations finds the headings that a file's comments cite. A citation may go on
// in the next line of a comment.
func findCitations(f *file) []finding {
	var found []finding
	for _, group := range f.tree.Comments {
		text, lines := joinComment(f, group)
		for _, at := range parenthesis.FindAllStringIndex(text, -1) {
			for part := range strings.SplitSeq(text[at[0]+1:at[1]-1], ";") {
				if m := citation.FindStringSubmatch(part); m != nil {
					found = append(found, finding{file: f.Path, line: lines[at[0]], what: m[1]})
				}
			}
		}
	}
	return found
}

// joinComment returns a comment's text on one line, with the line that every byte came from.
func joinComment(f *file, group *ast.CommentGroup) (text string, lines []int) {
	for _, c := range group.List {
		first := f.tokens.Position(c.Pos()).Line
		for i, line := range strings.Split(strings.Trim(c.Text, "/*"), "\n") {
			line = strings.TrimSpace(line) + " "
			text += line
			lines = append(lines, slices.Repeat([]int{first + i}, len(line))...)
		}
	}
	return text, lines
}

// headingsOf lists the headings of a Markdown page.
func headingsOf(page string) []string {
	var headings []string
	for line := range strings.Lines(page) {
		if level, heading, ok := strings.Cut(strings.TrimSpace(line), " "); ok && level != "" && strings.Trim(level, "#") == "" {
			headings = append(headings, heading)
		}
	}
	return headings
}

// filesOf lists the module's files with one of the suffixes, tests included.
func filesOf(t *testing.T, module fs.FS, suffixes ...string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(module, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && isSkipped(entry.Name()):
			return fs.SkipDir
		case !entry.IsDir() && slices.Contains(suffixes, path.Ext(name)):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func readFile(t *testing.T, module fs.FS, name string) string {
	t.Helper()
	text, err := fs.ReadFile(module, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
