package contract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// typesOf are the Go types of enumerations that are not called as the enumeration.
var typesOf = map[string]string{"bulkError": "SubmissionError", "errorCode": "Code"}

func typeNameOf(enum string) string {
	if name, ok := typesOf[enum]; ok {
		return name
	}
	return strings.ToUpper(enum[:1]) + enum[1:]
}

// The type of an enumeration has a constant for each value that the server accepts and the OpenAPI document shows, or none at all.
func TestConstantsAreTheValuesOfTheTable(t *testing.T) {
	t.Parallel()
	want := map[string][]string{}
	for name, e := range enums {
		want[typeNameOf(name)] = append(want[typeNameOf(name)], e.Values...)
	}
	got := map[string][]string{}
	for _, c := range readConstants(t) {
		if want[c.typeName] != nil {
			got[c.typeName] = append(got[c.typeName], c.value)
		}
	}
	for name := range got {
		slices.Sort(got[name])
		slices.Sort(want[name])
		if diff := cmp.Diff(slices.Compact(want[name]), got[name]); diff != "" {
			t.Errorf("%s (-table +constants):\n%s", name, diff)
		}
	}
	if len(got) < 20 {
		t.Errorf("%d enumerations have constants", len(got))
	}
}

// A constant of values.go is called as its type and value: RoleStatusActive is ACTIVE.
func TestConstantsAreNamedAsTheirValues(t *testing.T) {
	t.Parallel()
	for _, c := range readConstants(t) {
		want := strings.Map(lettersAndDigits, c.typeName+c.value)
		if c.file == "values.go" && !strings.EqualFold(c.name, want) {
			t.Errorf("%s is %q; want a name like %s", c.name, c.value, want)
		}
	}
}

// lettersAndDigits drops all other characters, for [strings.Map].
func lettersAndDigits(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return r
	}
	return -1
}

// constant is a declared constant with a type and a text.
type constant struct{ file, name, typeName, value string }

// readConstants returns the package's constants of types of texts, without those of the empty text.
func readConstants(t *testing.T) (all []constant) {
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
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			typeName, isTyped := spec.Type.(*ast.Ident)
			value, isLiteral := spec.Values[0].(*ast.BasicLit)
			if isTyped && isLiteral && value.Kind == token.STRING && value.Value != `""` {
				text, _ := strconv.Unquote(value.Value) // it was parsed
				all = append(all, constant{path, spec.Names[0].Name, typeName.Name, text})
			}
			return true
		})
	}
	return all
}

// A code comes with a status, and so do all of the enumeration.
func TestEveryCodeHasAStatus(t *testing.T) {
	t.Parallel()
	codes := ConvertValues[string](slices.Sorted(maps.Keys(Codes)))
	if diff := cmp.Diff(codes, ErrorCodes.Values); diff != "" {
		t.Errorf("(-codes +enumeration):\n%s", diff)
	}
}

// A field with an enumeration has its type, in requests and responses.
func TestFieldsHaveTheTypeOfTheirEnumeration(t *testing.T) {
	t.Parallel()
	seen := map[reflect.Type]bool{}
	for _, route := range Routes {
		for _, wire := range []reflect.Type{route.Input, route.Output} {
			if wire != nil {
				checkEnumTypes(t, wire, seen)
			}
		}
	}
	if len(seen) < 50 {
		t.Errorf("%d types were seen", len(seen))
	}
}

func checkEnumTypes(t *testing.T, wire reflect.Type, seen map[reflect.Type]bool) {
	for wire.Kind() == reflect.Pointer || wire.Kind() == reflect.Slice {
		wire = wire.Elem()
	}
	if seen[wire] || wire.Kind() != reflect.Struct {
		return
	}
	seen[wire] = true
	for i := range wire.NumField() {
		field := wire.Field(i)
		checkEnumTypes(t, field.Type, seen)
		_, rule, found := strings.Cut(","+field.Tag.Get("check"), ",enum=")
		enum, _, _ := strings.Cut(rule, ",")
		kind := field.Type
		for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		if found && kind.Name() != typeNameOf(enum) {
			t.Errorf("%v.%s has the enumeration %s and the type %v", wire, field.Name, enum, kind)
		}
	}
}
