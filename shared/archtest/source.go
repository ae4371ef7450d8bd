// Package archtest holds the rules that keep the house in order, as tests: who
// may import whom, and what every source file owes its reader. Each rule stands
// in a table with its reason, which is printed when the rule is broken; a rule
// that has become wrong is changed there, in the open.
//
// It reads source text alone. It knows no types, builds nothing and imports
// nothing of this project, so it stays fast and cannot be broken by what it checks.
package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Module is the path that our own imports start with.
const Module = "github.com/recruiting-marketplace/external-api"

// File is one parsed source file.
type File struct {
	// Path is relative to the module's root, with slashes.
	Path string
	// Lines is its length.
	Lines int

	tree   *ast.File
	tokens *token.FileSet
}

// Dir is the package's directory, relative to the module's root.
func (f *File) Dir() string { return path.Dir(f.Path) }

// in tells whether the file lies in one of the directories or below it.
func (f *File) in(dirs ...string) bool { return slices.ContainsFunc(dirs, f.below) }

func (f *File) below(dir string) bool { return within(f.Dir(), dir) }

// within tells whether a slash-separated path is dir or lies below it.
func within(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// Imports lists the imported paths; our own are relative to the module's root.
func (f *File) Imports() []string {
	var paths []string
	for _, spec := range f.tree.Imports {
		paths = append(paths, importPath(spec))
	}
	return paths
}

func importPath(spec *ast.ImportSpec) string {
	name, _ := strconv.Unquote(spec.Path.Value) // the parser accepted it
	return strings.TrimPrefix(name, Module+"/")
}

// uses finds the mentions of a package's names, such as time.Now, with their
// lines. The package is told by its import, whatever it is called in the file.
func (f *File) uses(imported string, names ...string) []finding {
	local := f.localName(imported)
	if local == "" {
		return nil
	}
	var found []finding
	ast.Inspect(f.tree, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == local && slices.Contains(names, selector.Sel.Name) {
			found = append(found, f.at(selector, path.Base(imported)+"."+selector.Sel.Name))
		}
		return true
	})
	return found
}

func (f *File) localName(imported string) string {
	for _, spec := range f.tree.Imports {
		if importPath(spec) != imported {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(imported)
	}
	return ""
}

func (f *File) at(n ast.Node, what string) finding {
	return finding{file: f.Path, line: f.tokens.Position(n.Pos()).Line, what: what}
}

// Load parses every source file of a module, tests and generated trees aside:
// tests may import anything.
func Load(module fs.FS) ([]*File, error) {
	var files []*File
	err := fs.WalkDir(module, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && skipped(entry.Name()) {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parse(module, name)
		files = append(files, f)
		return err
	})
	return files, err
}

func skipped(dir string) bool {
	return dir != "." && strings.HasPrefix(dir, ".") ||
		slices.Contains([]string{"node_modules", "testdata", "build", "cdk.out"}, dir)
}

func parse(module fs.FS, name string) (*File, error) {
	source, err := fs.ReadFile(module, name)
	if err != nil {
		return nil, err
	}
	tokens := token.NewFileSet()
	tree, err := parser.ParseFile(tokens, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &File{Path: name, Lines: bytes.Count(source, []byte("\n")), tree: tree, tokens: tokens}, nil
}
