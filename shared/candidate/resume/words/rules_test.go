package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPatternHasTheWordsOfItsList(t *testing.T) {
	t.Parallel()
	pattern := Pattern(`^<department> <department-of> \p{Lu}`)
	for text, want := range map[string]bool{"dept. for the Sea": true, "department of Sea": true, "deptx of Sea": false, "office of Sea": false} {
		if got := pattern().MatchString(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
	if set := Listed("own-account")(); !set["selbständig"] || set["selbstandig"] {
		t.Error("words are not as they are written")
	}
}

// A list that no rule has would be filled in vain, and one that rules.txt lacks matches nothing, or anything. Words that
// are compared with tokens must be folded as these are.
func TestEveryListHasItsRule(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, file := range readerFiles(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			callee := types.ExprString(call.Fun)
			if !slices.Contains([]string{"words.Pattern", "words.Listed", "isWord"}, callee) {
				return true
			}
			for _, text := range literals(call.Args[len(call.Args)-1]) {
				if callee != "words.Pattern" {
					used[text] = true
				}
				if words := Vocabulary().Rules[text]; callee == "isWord" && Fold(strings.Join(words, "|")) != strings.Join(words, "|") {
					t.Errorf("%s has words that are not folded: %q", text, words)
				}
				for _, name := range regexp.MustCompile(`<([a-z-]+)>`).FindAllStringSubmatch(text, -1) {
					used[name[1]] = true
				}
			}
			return true
		})
	}
	known := slices.Sorted(maps.Keys(Vocabulary().Rules))
	if rules := slices.Sorted(maps.Keys(used)); !slices.Equal(rules, known) || len(known) < 50 {
		t.Errorf("rules name the lists\n%q, rules.txt has\n%q", rules, known)
	}
}

// Words of a language are in this package's lists alone: no text in Go has a letter outside ASCII but for tables of
// forms of letters and of the first bytes of files, and sets of words are of mark-up.
func TestWordsAreInListsAlone(t *testing.T) {
	t.Parallel()
	for path, file := range readerFiles(t) {
		if path == "words/line.go" || path == "pdf/glyph.go" || path == "filetype/filetype.go" {
			continue
		}
		for _, text := range literals(file) {
			if at := strings.IndexFunc(text, isForeign); at >= 0 {
				t.Errorf("%s: %q has words of a language", path, text[at:])
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			name, ok := n.(*ast.SelectorExpr)
			if ok && name.Sel.Name == "Set" && !strings.HasPrefix(path, "office/") {
				t.Errorf("%s has a set of words beside the lists", path)
			}
			return true
		})
	}
}

func isForeign(r rune) bool {
	return r >= utf8.RuneSelf && unicode.IsLetter(r) && !unicode.Is(unicode.Lm, r)
} // "ー" is a dash

// literals returns the texts in a piece of source.
func literals(n ast.Node) []string {
	var texts []string
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			texts = append(texts, text)
		}
		return true
	})
	return texts
}

// readerFiles returns the source of the reader by path below its folder, without tests.
func readerFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		content, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		files[path], err = parser.ParseFile(token.NewFileSet(), path, content, 0)
		return err
	})
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}
