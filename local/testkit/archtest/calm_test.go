package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// mostOperators is how many of &&, || and ! a line or a condition has at most. A
	// larger condition is a predicate with a name.
	mostOperators = 3
	// widestLine is how many columns a line has at most, a tab counting as one, and
	// widestRow a line of a literal that lists several, such as a row of a table.
	widestLine, widestRow = 140, 180
)

// calmRules hold lines that are read in one glance.
var calmRules = []rule{{
	name:   "few boolean operators",
	reason: "a condition of five parts is a puzzle; a predicate says what it means",
	file:   findDense,
}, {
	name:   "lines fit the screen",
	reason: "the end of a wide line is not read",
	file:   findWide,
}, {
	name:   "assignments have lines of their own",
	reason: "what a header with = changes outside of its block is overlooked",
	file:   findHeaderAssignments,
}}

// findHeaderAssignments finds the headers of if and switch that assign to a variable of outside.
func findHeaderAssignments(f *file) []finding {
	var found []finding
	note := func(init ast.Stmt) {
		if a, ok := init.(*ast.AssignStmt); ok && a.Tok != token.DEFINE {
			found = append(found, finding{f.Path, f.lineOf(a.Pos()), "an assignment in a header"})
		}
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.IfStmt:
			note(x.Init)
		case *ast.SwitchStmt:
			note(x.Init)
		case *ast.TypeSwitchStmt:
			note(x.Init)
		}
		return true
	})
	return found
}

// findDense finds the lines, and the first lines of conditions, with too many boolean
// operators.
func findDense(f *file) []finding {
	if ast.IsGenerated(f.tree) {
		return nil
	}
	operators := map[int]int{} // by line
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if at := operatorPosition(n); at.IsValid() {
			operators[f.lineOf(at)]++
		}
		return true
	})
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			first := f.lineOf(e.Pos())
			operators[first] = max(operators[first], countOperators(e))
		}
		return true
	})
	var found []finding
	for _, line := range slices.Sorted(maps.Keys(operators)) {
		if n := operators[line]; n > mostOperators {
			found = append(found, finding{f.Path, line, fmt.Sprintf("%d boolean operators, above %d", n, mostOperators)})
		}
	}
	return found
}

// operatorPosition returns the position of the boolean operator that a node is, if it is one.
func operatorPosition(n ast.Node) token.Pos {
	switch x := n.(type) {
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			return x.OpPos
		}
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return x.OpPos
		}
	}
	return token.NoPos
}

// countOperators returns how many boolean operators join a condition, over all its lines.
// What is between the brackets of a call is another condition.
func countOperators(e ast.Expr) int {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return countOperators(x.X)
	case *ast.BinaryExpr:
		if operatorPosition(x).IsValid() {
			return 1 + countOperators(x.X) + countOperators(x.Y)
		}
	case *ast.UnaryExpr:
		if operatorPosition(x).IsValid() {
			return 1 + countOperators(x.X)
		}
	}
	return 0
}

// findWide finds the lines that are too wide. Tags of fields and raw strings cannot be
// broken everywhere, and have any width.
func findWide(f *file) []finding {
	if ast.IsGenerated(f.tree) {
		return nil
	}
	var found []finding
	limits := f.columnLimits()
	for i, text := range f.source {
		limit, isLimited := limits[i+1]
		if !isLimited {
			limit = widestLine
		}
		if n := utf8.RuneCountInString(text); limit > 0 && n > limit {
			found = append(found, finding{f.Path, i + 1, fmt.Sprintf("%d columns, above %d", n, limit)})
		}
	}
	return found
}

// columnLimits returns how wide lines may be that may be wider than others; 0 is any width.
func (f *file) columnLimits() map[int]int {
	limits := map[int]int{}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CompositeLit:
			for _, row := range x.Elts {
				if first := f.lineOf(row.Pos()); first > f.lineOf(x.Lbrace) && first == f.lineOf(row.End()) && limits[first] == 0 {
					limits[first] = widestRow
				}
			}
		case *ast.BasicLit: // tags of fields are raw strings
			if strings.HasPrefix(x.Value, "`") {
				for line := f.lineOf(x.Pos()); line <= f.lineOf(x.End()); line++ {
					limits[line] = 0
				}
			}
		}
		return true
	})
	return limits
}

func (f *file) lineOf(at token.Pos) int { return f.tokens.Position(at).Line }
