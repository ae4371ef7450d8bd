package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// modulePath is the path that our own imports start with.
const modulePath = "github.com/recruiting-marketplace/external-api"

// file is one parsed source file.
type file struct {
	// Path is relative to the module's root, with slashes.
	Path string
	// Lines is its length.
	Lines int

	source []string // by line
	tree   *ast.File
	tokens *token.FileSet
}

// Dir returns the package's directory, relative to the module's root.
func (f *file) Dir() string { return path.Dir(f.Path) }

// liesIn reports whether the file lies in one of the directories or below it.
func (f *file) liesIn(dirs ...string) bool { return slices.ContainsFunc(dirs, f.below) }

func (f *file) below(dir string) bool { return isWithin(f.Dir(), dir) }

// isWithin reports whether a slash-separated path is dir or lies below it.
func isWithin(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

// Imports returns the imported paths, those of this module relative to its root.
func (f *file) Imports() []string {
	var paths []string
	for _, spec := range f.tree.Imports {
		paths = append(paths, importPath(spec))
	}
	return paths
}

func importPath(spec *ast.ImportSpec) string {
	name, _ := strconv.Unquote(spec.Path.Value) // the parser accepted it
	return strings.TrimPrefix(name, modulePath+"/")
}

// findUses finds the mentions of a package's names, such as time.Now. The package is
// identified by its import path, under any name that the file gives it.
func (f *file) findUses(imported string, names ...string) []finding {
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
			found = append(found, f.findingAt(selector, path.Base(imported)+"."+selector.Sel.Name))
		}
		return true
	})
	return found
}

func (f *file) localName(imported string) string {
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

func (f *file) findingAt(n ast.Node, what string) finding {
	return finding{file: f.Path, line: f.tokens.Position(n.Pos()).Line, what: what}
}

// loadFiles parses every source file of a module except tests, which may import
// anything, and generated trees.
func loadFiles(module fs.FS) ([]*file, error) {
	return loadSources(module, func(name string) bool { return !isTest(name) })
}

// loadTests parses the files of tests.
func loadTests(module fs.FS) ([]*file, error) { return loadSources(module, isTest) }

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// loadSources parses the source files of a module whose names are wanted.
func loadSources(module fs.FS, isWanted func(name string) bool) ([]*file, error) {
	var files []*file
	tokens := token.NewFileSet() // one for all, because packages are type-checked together
	err := fs.WalkDir(module, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && isSkipped(entry.Name()) {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || !isWanted(name) {
			return nil
		}
		f, err := parseFile(tokens, module, name)
		files = append(files, f)
		return err
	})
	return files, err
}

func isSkipped(dir string) bool {
	return dir != "." && strings.HasPrefix(dir, ".") ||
		slices.Contains([]string{"node_modules", "testdata", "build", "cdk.out"}, dir)
}

func parseFile(tokens *token.FileSet, module fs.FS, name string) (*file, error) {
	source, err := fs.ReadFile(module, name)
	if err != nil {
		return nil, err
	}
	tree, err := parser.ParseFile(tokens, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(source), "\n")
	return &file{Path: name, Lines: len(lines) - 1, source: lines, tree: tree, tokens: tokens}, nil
}
