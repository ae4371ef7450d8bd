package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mutant is one change of one file.
type mutant struct {
	Package, File string
	Line, Column  int
	// Change describes what is changed into what.
	Change string

	pkg        *pkg
	path       string // absolute path of File
	source     []byte // content of File
	start, end int    // the bytes that text replaces
	text       string
}

// changed returns the content of the changed file.
func (m mutant) changed() []byte {
	return slices.Concat(m.source[:m.start], []byte(m.text), m.source[m.end:])
}

// swaps has the operator that takes the place of another.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
}

// finder collects the mutants of one file.
type finder struct {
	source  []byte
	tokens  *token.FileSet
	random  *rand.Rand
	mutants []mutant
}

// findMutants returns the changes of a source file: operators, conditions, integers, statements without a result, and returned values.
// An integer is changed in one way, which random draws. A generated file has none.
func findMutants(source []byte, random *rand.Rand) ([]mutant, error) {
	f := &finder{source: source, tokens: token.NewFileSet(), random: random}
	tree, err := parser.ParseFile(f.tokens, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		f.addExpressions(n)
		f.addStatements(n)
		return true
	})
	return f.mutants, nil
}

func (f *finder) addExpressions(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if !isText(n.X) && !isText(n.Y) {
			f.swap(n, n.OpPos, n.Op)
		}
	case *ast.BasicLit:
		if n.Kind == token.INT {
			f.changeInteger(n)
		}
	case *ast.FuncDecl:
		f.addReturns(n.Type.Results, n.Body)
	case *ast.FuncLit:
		f.addReturns(n.Type.Results, n.Body)
	}
}

func (f *finder) addStatements(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		if b, ok := n.Cond.(*ast.BinaryExpr); !ok || b.Op != token.EQL && b.Op != token.NEQ { // swapped already
			f.replace(n.Cond, "!("+f.text(n.Cond)+")")
		}
	case *ast.IncDecStmt:
		f.swap(n, n.TokPos, n.Tok)
	case *ast.AssignStmt:
		f.swap(n, n.TokPos, n.Tok)
		if n.Tok == token.ASSIGN && len(n.Lhs) == 1 && isElement(n.Lhs[0]) {
			f.replace(n, "_ = "+f.text(n.Rhs[0]))
		}
	case *ast.ExprStmt:
		f.replace(n, "if false { "+f.text(n)+" }")
	}
}

// swap replaces the operator at a position, if there is another for it.
func (f *finder) swap(n ast.Node, at token.Pos, operator token.Token) {
	if other, ok := swaps[operator]; ok {
		start := f.offset(at)
		end := f.offset(at) + len(operator.String())
		whole := f.text(n)
		before := start - f.offset(n.Pos())
		f.add(n, start, end, other.String(), whole[:before]+other.String()+whole[before+len(operator.String()):])
	}
}

func (f *finder) replace(n ast.Node, text string) {
	f.add(n, f.offset(n.Pos()), f.offset(n.End()), text, text)
}

func (f *finder) add(n ast.Node, start, end int, text, shown string) {
	at := f.tokens.Position(n.Pos())
	m := mutant{Line: at.Line, Column: at.Column, start: start, end: end, text: text}
	m.Change = shorten(f.text(n)) + " → " + shorten(shown)
	f.mutants = append(f.mutants, m)
}

// changeInteger replaces a number by one that is one more or less, double or half.
func (f *finder) changeInteger(n *ast.BasicLit) {
	value, err := strconv.ParseInt(n.Value, 0, 64)
	if err != nil {
		return
	}
	others := []int64{value + 1, max(value-1, 0), value * 2, value / 2}
	others = slices.DeleteFunc(others, func(other int64) bool { return other == value })
	f.replace(n, strconv.FormatInt(others[f.random.IntN(len(others))], 10))
}

// addReturns lets a function return zero values in place of others. What it returned stays in a branch that never runs, because Go
// refuses variables that are not used.
func (f *finder) addReturns(results *ast.FieldList, body *ast.BlockStmt) {
	if results == nil || body == nil {
		return
	}
	var zeros []string
	for _, field := range results.List {
		for range max(1, len(field.Names)) {
			zeros = append(zeros, "*new("+f.text(field.Type)+")")
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		r, ok := n.(*ast.ReturnStmt)
		if ok && slices.ContainsFunc(r.Results, func(e ast.Expr) bool { return !zero.MatchString(f.text(e)) }) {
			text := "{ if false { " + f.text(r) + " }; return " + strings.Join(zeros, ", ") + " }"
			f.add(r, f.offset(r.Pos()), f.offset(r.End()), text, "return zero")
		}
		_, isFunction := n.(*ast.FuncLit)
		return !isFunction
	})
}

func (f *finder) offset(at token.Pos) int { return f.tokens.Position(at).Offset }

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

func isText(e ast.Expr) bool {
	literal, ok := e.(*ast.BasicLit)
	return ok && literal.Kind == token.STRING
}

// isElement reports whether an expression is a field or an element, which can be left unset without being unused.
func isElement(e ast.Expr) bool {
	switch e.(type) {
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		return true
	}
	return false
}

// zero matches the zero values that have a text of their own.
var zero = regexp.MustCompile(`^(nil|false|0|""|[\w.]+{})$`)

// shorten returns the first line of a text, at most 70 characters.
func shorten(text string) string {
	line, _, isLong := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > 70 {
		return string(runes[:70]) + " …"
	}
	if isLong {
		return line + " …"
	}
	return line
}
