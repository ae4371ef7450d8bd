package archtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"strings"
)

// program is the packages of a module, type-checked when they are asked for. Packages of other modules are empty,
// so nothing has to be compiled for it, and what they declare has no type.
type program struct {
	folders map[string][]*file
	checked map[string]*unit
}

// unit is one package with the meaning of its names.
type unit struct {
	files []*file
	pkg   *types.Package
	info  *types.Info
}

func newProgram(files []*file) *program {
	p := &program{map[string][]*file{}, map[string]*unit{}}
	for _, f := range files {
		p.folders[f.Dir()] = append(p.folders[f.Dir()], f)
	}
	return p
}

func (p *program) check(dir string) *unit {
	if u := p.checked[dir]; u != nil {
		return u
	}
	u := &unit{files: p.folders[dir], info: &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
	}}
	var trees []*ast.File
	for _, f := range u.files {
		trees = append(trees, f.tree)
	}
	config := types.Config{Importer: p, Error: func(error) {}} // the compiler reports errors, and other modules are empty
	u.pkg, _ = config.Check(path.Join(modulePath, dir), u.files[0].tokens, trees, u.info)
	p.checked[dir] = u
	return u
}

var majorVersion = regexp.MustCompile(`[/.]v[0-9]+$`)

// Import implements types.Importer.
func (p *program) Import(name string) (*types.Package, error) {
	dir := strings.TrimPrefix(name, modulePath+"/")
	if p.folders[dir] != nil {
		return p.check(dir).pkg, nil
	}
	empty := types.NewPackage(name, path.Base(majorVersion.ReplaceAllString(name, "")))
	empty.MarkComplete()
	return empty, nil
}

// fileOf returns the base name of the file with a position.
func (u *unit) fileOf(at token.Pos) string { return path.Base(u.files[0].tokens.Position(at).Filename) }
