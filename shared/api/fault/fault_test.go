package fault_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// TestKindsAreComplete holds the kinds to each other, and to the published codes.
func TestKindsAreComplete(t *testing.T) {
	t.Parallel()
	statuses := map[int]bool{}
	types := map[string]bool{}
	for _, k := range fault.Kinds {
		if statuses[k.Status] || types[k.Type] && k != fault.Unavailable {
			t.Errorf("kind %+v occurs twice", k)
		}
		if k.Type == "" || k.Meaning == "" || k.Retry == "" {
			t.Errorf("kind %+v is incomplete", k)
		}
		statuses[k.Status] = true
		types[k.Type] = true
	}
	if declared := countKinds(t); declared != len(fault.Kinds) {
		t.Errorf("%d kinds are declared and %d listed", declared, len(fault.Kinds))
	}
	if !slices.IsSortedFunc(fault.Kinds, func(a, b *fault.Kind) int { return a.Status - b.Status }) {
		t.Error("the kinds are not in the order of their statuses")
	}
	for code, status := range contract.Codes {
		if !statuses[status] {
			t.Errorf("code %s comes with %d, which no kind has", code, status)
		}
	}
}

// countKinds returns the number of kinds that the source declares.
func countKinds(t *testing.T) (declared int) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if name, ok := literal.Type.(*ast.Ident); ok && name.Name == "Kind" {
				declared++
			}
			return true
		})
	}
	return declared
}

// GET /enumerations lists the types of errors, which are those of the kinds.
func TestTypesArePublished(t *testing.T) {
	t.Parallel()
	var got []string
	for _, k := range fault.Kinds {
		got = append(got, k.Type)
	}
	got = slices.Compact(got) // two statuses have api_error
	if want := contract.ErrorTypes.Values; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAs(t *testing.T) {
	t.Parallel()
	cause := errors.New("inner")
	missing := fault.Missing().Because(cause)
	if got := fault.As(errors.Join(missing)); got != missing || !errors.Is(got, cause) {
		t.Errorf("got %v, want the fault itself", got)
	}
	if got := fault.As(cause); got.Kind != fault.Internal || !errors.Is(got, cause) || got.Message == cause.Error() {
		t.Errorf("got %+v, want an internal error that hides its cause", got)
	}
	unkind := &fault.Error{Message: "of no kind", Cause: cause}
	if got := fault.As(errors.Join(unkind)); got.Kind != fault.Internal || got.Message == unkind.Message || !errors.Is(got, unkind) {
		t.Errorf("got %+v, want an internal error because of the one without a kind", got)
	}
	if !fault.IsFailure(unkind) || fault.IsMissing(unkind) {
		t.Error("an error without a kind is no failure")
	}
}
