package contract

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEveryTagParses builds the schema of every input and output of the table;
// a malformed tag or an unknown enumeration panics.
func TestEveryTagParses(t *testing.T) {
	t.Parallel()
	for _, r := range Routes {
		in := SchemaOf(r.Input)
		out := SchemaOf(r.Output)
		if in.Kind != KindObject || out.Kind != KindObject {
			t.Errorf("%s: input is %s, output is %s, want objects", r.Operation, in.Kind, out.Kind)
		}
		checkInput(t, r, in)
	}
}

// checkInput checks that an input fits its row's path and method.
func checkInput(t *testing.T, r Route, in *Schema) {
	t.Helper()
	if r.Input == nil {
		return
	}
	if r.Method == http.MethodGet && in.HasBody() {
		t.Errorf("%s: a GET reads a body", r.Operation)
	}
	var bound []string
	for _, f := range in.Fields {
		if f.Doc == "" {
			t.Errorf("%s: %s has no sentence", r.Operation, f.Name)
		}
		if f.In == InPath {
			bound = append(bound, "{"+f.Name+"}")
		}
	}
	inPath := slices.DeleteFunc(strings.Split(r.Path, "/"), func(s string) bool { return !strings.HasPrefix(s, "{") })
	if !slices.Equal(inPath, bound) {
		t.Errorf("%s: path has %v, input binds %v", r.Operation, inPath, bound)
	}
}

func TestSchemaIsBuiltOnce(t *testing.T) {
	t.Parallel()
	first := SchemaOf(typeOf[SubmitRequest]())
	if first != SchemaOf(typeOf[SubmitRequest]()) {
		t.Error("two schemas of one type")
	}
	if s := SchemaOf(nil); s.HasBody() || len(s.Fields) != 0 {
		t.Errorf("no input has schema %+v", s)
	}
}

// inner joins everything.
type inner struct {
	Flag *bool `json:"flag" check:"required,const=true" doc:"Must be true."`
}

type everything struct {
	inner
	ID     string    `path:"id" check:"required,min=1,max=128"`
	Where  []string  `query:"where" check:"enum=location,max=7"`
	Size   int       `query:"limit" check:"limit=20/50"`
	After  *int64    `query:"cursor" check:"nullable,min=0"`
	Key    string    `header:"Idempotency-Key" check:"format=printable"`
	Rate   float64   `json:"rate,omitempty"`
	At     *Time     `json:"at"`
	People []inner   `json:"people"`
	Tags   []KeyType `json:"tags"`
}

func TestSchemaOf(t *testing.T) {
	t.Parallel()
	n := func(v int64) *int64 { return &v }
	flag := Field{
		Name: "flag", In: InBody, Required: true, Pointer: true, Doc: "Must be true.",
		Schema: &Schema{Kind: KindBoolean, Const: "true"}, Index: []int{0, 0},
	}
	nested := flag
	nested.Index = []int{0}
	want := &Schema{Kind: KindObject, Name: "everything", Fields: []Field{
		flag,
		{Name: "id", In: InPath, Required: true, Schema: &Schema{Kind: KindString, Min: n(1), Max: n(128)}, Index: []int{1}},
		{Name: "where", In: InQuery, Schema: &Schema{Kind: KindArray, Max: n(7), Items: &Schema{Kind: KindString, Enum: Locations}}, Index: []int{2}},
		{Name: "limit", In: InQuery, Schema: &Schema{Kind: KindInteger, Page: &PageLimit{20, 50}}, Index: []int{3}},
		{Name: "cursor", In: InQuery, Nullable: true, Pointer: true, Schema: &Schema{Kind: KindInteger, Min: n(0)}, Index: []int{4}},
		{Name: "Idempotency-Key", In: InHeader, Schema: &Schema{Kind: KindString, Format: "printable"}, Index: []int{5}},
		{Name: "rate", In: InBody, Omitted: true, Schema: &Schema{Kind: KindNumber}, Index: []int{6}},
		{Name: "at", In: InBody, Pointer: true, Schema: &Schema{Kind: KindString, Format: "date-time"}, Index: []int{7}},
		{Name: "people", In: InBody, Schema: &Schema{Kind: KindArray, Max: n(MaxEntries), Items: &Schema{Kind: KindObject, Name: "inner", Fields: []Field{nested}}}, Index: []int{8}},
		{Name: "tags", In: InBody, Schema: &Schema{Kind: KindArray, Max: n(MaxEntries), Items: &Schema{Kind: KindString}}, Index: []int{9}},
	}}
	if diff := cmp.Diff(want, SchemaOf(typeOf[everything]())); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
}

type otherInner struct {
	Flag *bool `json:"otherFlag"`
}

// Fields of two embedded structs are in the JSON, and so in the schema, also where their Go names are the same.
func TestSchemaHasFieldsOfOneGoName(t *testing.T) {
	t.Parallel()
	s := SchemaOf(typeOf[struct {
		inner
		otherInner
	}]())
	for i, want := range []string{"flag", "otherFlag"} {
		if at := s.Field(want); at != i || !slices.Equal(s.Fields[at].Index, []int{i, 0}) {
			t.Errorf("%s is field %d of %+v", want, at, s.Fields)
		}
	}
}

func TestMalformedTagsPanic(t *testing.T) {
	t.Parallel()
	for name, typ := range map[string]reflect.Type{
		"unknown rule": typeOf[struct {
			A string `json:"a" check:"requird"`
		}](),
		"empty rule": typeOf[struct {
			A string `json:"a" check:""`
		}](),
		"unknown enum": typeOf[struct {
			A string `json:"a" check:"enum=locations"`
		}](),
		"enum of an integer": typeOf[struct {
			A int `json:"a" check:"enum=location"`
		}](),
		"unknown format": typeOf[struct {
			A string `json:"a" check:"format=url"`
		}](),
		"format of a number": typeOf[struct {
			A float64 `json:"a" check:"format=uri"`
		}](),
		"unknown encoding": typeOf[struct {
			A string `json:"a" check:"encoding=hex"`
		}](),
		"encoding of a number": typeOf[struct {
			A int `json:"a" check:"encoding=base64"`
		}](),
		"min of no number": typeOf[struct {
			A string `json:"a" check:"min=x"`
		}](),
		"min of a boolean": typeOf[struct {
			A bool `json:"a" check:"min=1"`
		}](),
		"const of a number": typeOf[struct {
			A int `json:"a" check:"const=1"`
		}](),
		"const no boolean": typeOf[struct {
			A bool `json:"a" check:"const=yes"`
		}](),
		"limit of a string": typeOf[struct {
			A string `json:"a" check:"limit=1/2"`
		}](),
		"limit upside down": typeOf[struct {
			A int `json:"a" check:"limit=3/2"`
		}](),
		"limit with a text behind": typeOf[struct {
			A int `json:"a" check:"limit=20/50x"`
		}](),
		"limit of three": typeOf[struct {
			A int `json:"a" check:"limit=20/50/9"`
		}](),
		"limit of one": typeOf[struct {
			A int `json:"a" check:"limit=20"`
		}](),
		"limit of a pointer": typeOf[struct {
			A *int `json:"a" check:"limit=1/2"`
		}](),
		"no name": typeOf[struct{ A string }](),
		"empty name": typeOf[struct {
			A string `json:",omitempty"`
		}](),
		"two names": typeOf[struct {
			A string `json:"a" query:"a"`
		}](),
		"a channel": typeOf[struct {
			A chan int `json:"a"`
		}](),
		"an embedded pointer": typeOf[struct{ *inner }](),
		"an embedded text":    typeOf[struct{ KeyType }](),
	} {
		if !didPanic(func() { SchemaOf(typ) }) {
			t.Errorf("%s: accepted", name)
		}
	}
}

func didPanic(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return
}

func TestEnumsHaveNoDuplicates(t *testing.T) {
	t.Parallel()
	for name, e := range enums {
		if e.Name != name || len(e.Values) == 0 {
			t.Errorf("%s: %+v", name, e)
		}
		sorted := slices.Sorted(slices.Values(e.Values))
		if len(slices.Compact(sorted)) != len(e.Values) {
			t.Errorf("%s has a value twice", name)
		}
	}
	for e, want := range map[*Enum]int{Locations: 21, RoleTypes: 83, Industries: 39, CompanySizes: 5} {
		if len(e.Values) != want {
			t.Errorf("%s has %d values, want %d", e.Name, len(e.Values), want)
		}
	}
}
