package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// mostOperators is how many of &&, || and ! a line or a condition has at most. A
	// larger condition is a predicate with a name.
	mostOperators = 3
	// widestLine is how many columns a line has at most, a tab counting as one.
	widestLine = 140
)

// headerRule is the name of the rule that holds for tests too.
const headerRule = "assignments have lines of their own"

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
	name:   headerRule,
	reason: "what a header with = or ++ changes outside of its block is overlooked",
	file:   findHeaderAssignments,
}, {
	name:   "one variable an assignment",
	reason: "a reader of a paired assignment has to count to find which value a variable gets",
	file:   findPairs,
}}

// findPairs finds the assignments of several values to as many variables that are no swap of these
// variables. The headers of for count several variables.
func findPairs(f *file) []finding {
	var found []finding
	counting := map[ast.Stmt]bool{}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.ForStmt:
			counting[x.Init] = true
			counting[x.Post] = true
		case *ast.AssignStmt:
			if len(x.Lhs) > 1 && len(x.Lhs) == len(x.Rhs) && !counting[x] && !isSwap(x) {
				found = append(found, f.findingAt(x, fmt.Sprintf("an assignment of %d values", len(x.Rhs))))
			}
		}
		return true
	})
	return found
}

// isSwap reports whether an assignment gives variables each other's values.
func isSwap(a *ast.AssignStmt) bool {
	var left, right []string
	for i := range a.Lhs {
		left = append(left, types.ExprString(a.Lhs[i]))
		right = append(right, types.ExprString(a.Rhs[i]))
	}
	slices.Sort(left)
	slices.Sort(right)
	return slices.Equal(left, right)
}

// findHeaderAssignments finds the headers of if and switch that assign to a variable of outside.
func findHeaderAssignments(f *file) []finding {
	var found []finding
	note := func(init ast.Stmt) {
		switch x := init.(type) {
		case *ast.IncDecStmt:
			found = append(found, f.findingAt(x, "an assignment in a header"))
		case *ast.AssignStmt:
			if x.Tok != token.DEFINE {
				found = append(found, f.findingAt(x, "an assignment in a header"))
			}
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
	raw := f.rawLines()
	var found []finding
	for i, text := range f.source {
		if n := utf8.RuneCountInString(text); n > widestLine && !raw[i+1] {
			found = append(found, finding{f.Path, i + 1, fmt.Sprintf("%d columns, above %d", n, widestLine)})
		}
	}
	return found
}

// rawLines returns the lines that have part of a raw string, such as the tag of a field.
func (f *file) rawLines() map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if x, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(x.Value, "`") {
			for line := f.lineOf(x.Pos()); line <= f.lineOf(x.End()); line++ {
				lines[line] = true
			}
		}
		return true
	})
	return lines
}

func (f *file) lineOf(at token.Pos) int { return f.tokens.Position(at).Line }
