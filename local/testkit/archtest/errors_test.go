package archtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// leastWraps is the least number of wraps for each bare return of an error.
const leastWraps = 0.5

// TestErrorsAreWrapped fails if the module's programs have too few wraps for their bare returns of an error. It counts the
// files of functions, shared, infra and local that are no tests. A wrap is fmt.Errorf with %w, or fault.Wrap. A bare return
// is a return whose last value is the variable err, in a function that does not defer fault.Wrap itself: such a function
// wraps each of its returns.
func TestErrorsAreWrapped(t *testing.T) {
	t.Parallel()
	files, err := loadFiles(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	wraps, bare := 0, 0
	for _, f := range files {
		if !f.liesIn("functions", "shared", "infra", "local") {
			continue
		}
		w, b := countWraps(f.tree, false)
		wraps += w
		bare += b
	}
	ratio := float64(wraps) / float64(bare)
	t.Logf("%d wraps, %d bare returns: %.2f", wraps, bare, ratio)
	if ratio < leastWraps {
		t.Errorf("%d wraps for %d bare returns of an error are fewer than %.1f each: name the step that failed", wraps, bare, leastWraps)
	}
}

// countWraps counts the wraps and the bare returns below a node. isWrapped says that the function around it wraps.
func countWraps(within ast.Node, isWrapped bool) (wraps, bare int) {
	ast.Inspect(within, func(n ast.Node) bool {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncDecl:
			body = n.Body
		case *ast.FuncLit:
			body = n.Body
		case *ast.CallExpr:
			if isWrap(n) {
				wraps++
			}
		case *ast.ReturnStmt:
			if !isWrapped && len(n.Results) > 0 && types.ExprString(n.Results[len(n.Results)-1]) == "err" {
				bare++
			}
		}
		if body == nil {
			return true
		}
		w, b := countWraps(body, slices.ContainsFunc(body.List, defersWrap))
		wraps += w
		bare += b
		return false
	})
	return wraps, bare
}

func isWrap(call *ast.CallExpr) bool {
	switch types.ExprString(call.Fun) {
	case "fault.Wrap":
		return true
	case "fmt.Errorf":
		return strings.Contains(types.ExprString(call.Args[0]), "%w")
	}
	return false
}

func defersWrap(s ast.Stmt) bool {
	deferred, ok := s.(*ast.DeferStmt)
	return ok && types.ExprString(deferred.Call.Fun) == "fault.Wrap"
}

// TestWrapsAreCounted shows what TestErrorsAreWrapped counts.
func TestWrapsAreCounted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body        string
		wraps, bare int
	}{
		{"\treturn err", 0, 1},
		{"\treturn nil, err", 0, 1},
		{"\treturn nil, nil", 0, 0},
		{"\treturn fmt.Errorf(\"read: %w\", err)", 1, 0},
		{"\treturn fmt.Errorf(\"%d\", n)", 0, 0},
		{"\tdefer fault.Wrap(&err, \"x.F\")\n\treturn err", 1, 0},
		{"\tdefer fault.Wrap(&err, \"x.F\")\n\treturn each(func() error { return err })", 1, 1},
		{"\treturn each(func() (err error) {\n\t\tdefer fault.Wrap(&err, \"x.F\")\n\t\treturn err\n\t}), err", 1, 1},
	} {
		source := "package x\nfunc f() {\n" + c.body + "\n}"
		f, err := parseFile(token.NewFileSet(), fstest.MapFS{"x.go": {Data: []byte(source)}}, "x.go")
		if err != nil {
			t.Fatal(err)
		}
		wraps, bare := countWraps(f.tree, false)
		if wraps != c.wraps || bare != c.bare {
			t.Errorf("%s: %d wraps, %d bare returns; want %d, %d", c.body, wraps, bare, c.wraps, c.bare)
		}
	}
}
