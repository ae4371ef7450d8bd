// Command measure prints the shape of Go repositories side by side: how long
// files and functions are, how functions are named, how doc comments speak.
//
//	go -C .tools run ./measure DIR…
//
// Tests, generated code and test data are left out, except in the last rows.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

type shape struct {
	packages                     map[string]bool
	files, functions             []int // lengths in lines
	lines, testLines, examples   int
	unexported, oneWord, letters int
	exported, documented         int
	tells, reports, returns      int
	oneWordNames                 map[string]int
}

var (
	tells   = regexp.MustCompile(`\btells? whether\b`)
	reports = regexp.MustCompile(`\b(reports?|returns?) (whether|true)\b`)
	returns = regexp.MustCompile(`^\S+ returns?\b`)
)

func main() {
	rows := []struct {
		name  string
		value func(*shape) string
	}{
		{"packages", func(s *shape) string { return fmt.Sprint(len(s.packages)) }},
		{"files", func(s *shape) string { return fmt.Sprint(len(s.files)) }},
		{"lines", func(s *shape) string { return fmt.Sprint(s.lines) }},
		{"file median/p90/max", func(s *shape) string { return quantiles(s.files) }},
		{"function median/p90/max", func(s *shape) string { return quantiles(s.functions) }},
		{"exported names documented %", func(s *shape) string { return percent(s.documented, s.exported) }},
		{"one-word unexported functions %", func(s *shape) string { return percent(s.oneWord, s.unexported) }},
		{"mean length of unexported names", func(s *shape) string { return fmt.Sprintf("%.1f", float64(s.letters)/float64(max(1, s.unexported))) }},
		{"docs: tells whether", func(s *shape) string { return fmt.Sprint(s.tells) }},
		{"docs: reports/returns whether/true", func(s *shape) string { return fmt.Sprint(s.reports) }},
		{"docs: Name returns", func(s *shape) string { return fmt.Sprint(s.returns) }},
		{"Example functions", func(s *shape) string { return fmt.Sprint(s.examples) }},
		{"test lines / lines", func(s *shape) string { return fmt.Sprintf("%.2f", float64(s.testLines)/float64(max(1, s.lines))) }},
	}
	var shapes []*shape
	fmt.Printf("| |")
	for _, dir := range os.Args[1:] {
		s := measure(dir)
		if os.Getenv("NAMES") != "" {
			for n, c := range s.oneWordNames {
				fmt.Fprintln(os.Stderr, c, n)
			}
		}
		shapes = append(shapes, s)
		fmt.Printf(" %s |", filepath.Base(dir))
	}
	fmt.Printf("\n|-|%s\n", strings.Repeat("-|", len(shapes)))
	for _, row := range rows {
		fmt.Printf("| %s |", row.name)
		for _, s := range shapes {
			fmt.Printf(" %s |", row.value(s))
		}
		fmt.Println()
	}
}

func measure(dir string) *shape {
	s := &shape{packages: map[string]bool{}, oneWordNames: map[string]int{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != dir && (strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "testdata", "vendor", "third_party", "build", "cdk.out"}, name)) {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") {
			return s.read(path)
		}
		return nil
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return s
}

func (s *shape) read(path string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	tokens := token.NewFileSet()
	file, err := parser.ParseFile(tokens, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil // another language version's test file
	}
	if ast.IsGenerated(file) {
		return nil
	}
	lines := bytes.Count(source, []byte("\n"))
	if strings.HasSuffix(path, "_test.go") {
		s.testLines += lines
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example") {
				s.examples++
			}
		}
		return nil
	}
	s.packages[filepath.Dir(path)] = true
	s.files = append(s.files, lines)
	s.lines += lines
	for _, d := range file.Decls {
		s.declaration(tokens, path, d)
	}
	return nil
}

func (s *shape) declaration(tokens *token.FileSet, path string, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		s.functions = append(s.functions, tokens.Position(d.End()).Line-tokens.Position(d.Pos()).Line+1)
		s.doc(d.Name.Name, d.Doc)
		if !d.Name.IsExported() && d.Name.Name != "main" && d.Name.Name != "init" {
			s.unexported++
			s.letters += len(d.Name.Name)
			if strings.IndexFunc(d.Name.Name, unicode.IsUpper) < 0 {
				s.oneWord++
				s.oneWordNames[filepath.Dir(path)]++
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.doc(spec.Name.Name, first(spec.Doc, d.Doc))
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					s.doc(n.Name, first(spec.Doc, spec.Comment, d.Doc))
				}
			}
		}
	}
}

func first(groups ...*ast.CommentGroup) *ast.CommentGroup {
	for _, g := range groups {
		if g != nil {
			return g
		}
	}
	return nil
}

func (s *shape) doc(name string, doc *ast.CommentGroup) {
	if ast.IsExported(name) {
		s.exported++
		if doc != nil {
			s.documented++
		}
	}
	if doc == nil {
		return
	}
	text := strings.ReplaceAll(doc.Text(), "\n", " ")
	s.tells += len(tells.FindAllString(text, -1))
	s.reports += len(reports.FindAllString(text, -1))
	if returns.MatchString(text) {
		s.returns++
	}
}

func quantiles(lengths []int) string {
	if len(lengths) == 0 {
		return "-"
	}
	slices.Sort(lengths)
	return fmt.Sprintf("%d/%d/%d", lengths[len(lengths)/2], lengths[len(lengths)*9/10], lengths[len(lengths)-1])
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", 100*float64(part)/float64(whole))
}
