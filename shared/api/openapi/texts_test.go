package openapi

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Every link names a value that the response's example has, and a parameter that the other
// operation takes.
func TestLinksLead(t *testing.T) {
	t.Parallel()
	for _, l := range Texts.Links {
		from := contract.FindRoute(l.From)
		raw, err := json.Marshal(exampleOf(contract.SchemaOf(from.Output), true))
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			t.Fatal(err)
		}
		for name := range strings.SplitSeq(l.Value[1:], "/") {
			if rows, ok := value.([]any); ok {
				value = rows[0]
				continue
			}
			value = valueAt(t, value, name)
		}
		if text, ok := value.(string); !ok || text == "" {
			t.Errorf("%s: %s is %v", l.From, l.Value, value)
		}
		for _, to := range l.To {
			input := contract.SchemaOf(contract.FindRoute(to).Input)
			if l.Parameter == "" {
				item := input.Fields[input.Field("items")].Schema.Items
				if resume := item.Fields[item.Field("resume")].Schema; resume.Field(l.Value[1:]) < 0 {
					t.Errorf("the resumes of %s have no %s", to, l.Value)
				}
			} else if !hasParameter(input, contract.InPath, l.Parameter) {
				t.Errorf("%s has no %s", to, l.Parameter)
			}
		}
	}
}

// TestTextsAreOfTheContract fails unless each operation, function and code of texts.yaml and examples.json is one of the contract, and each
// operation and each function with routes has its texts.
func TestTextsAreOfTheContract(t *testing.T) {
	t.Parallel()
	operations := map[string]bool{}
	functions := map[contract.Function]bool{}
	for _, r := range contract.Routes {
		operations[r.Operation] = true
		functions[r.Function] = true
	}
	all := readExamples()
	for _, names := range []iter.Seq[string]{
		maps.Keys(Texts.Media), maps.Keys(Texts.Titles),
		maps.Keys(all.Queries), maps.Keys(all.Keys), maps.Keys(all.Requests), maps.Keys(all.Responses),
	} {
		for name := range names {
			for operation := range strings.FieldsSeq(name) {
				if !operations[operation] {
					t.Errorf("%s is no operation", operation)
				}
			}
		}
	}
	for operation := range operations {
		if Texts.Titles[operation] == "" {
			t.Errorf("%s has no title", operation)
		}
	}
	for f, text := range Texts.Functions {
		if !functions[f] || text.Title == "" || text.Purpose == "" {
			t.Errorf("%s: %+v", f, text)
		}
	}
	for code := range Texts.Codes {
		if contract.Codes[code] == 0 {
			t.Errorf("%s is no code", code)
		}
	}
	if len(Texts.Functions) != len(functions) {
		t.Errorf("%d functions have texts, want %d", len(Texts.Functions), len(functions))
	}
}

// TestLinksOfOneResponse fails unless a response leads to the operations of each of its rows.
func TestLinksOfOneResponse(t *testing.T) {
	t.Parallel()
	rows := []link{
		{"listBatches", "batchId", "/batches/0/batchId", []string{"getBatch"}},
		{"listCalls", "callId", "/calls/0/callId", []string{"getCall"}},
		{"listBatches", "candidateUserId", "/batches/0/items/0/candidateUserId", []string{"getCandidate", "getPreferences"}},
	}
	got := slices.Sorted(maps.Keys(describeLinks(rows, "listBatches")))
	if diff := cmp.Diff([]string{"getBatch", "getCandidate", "getPreferences"}, got); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if none := describeLinks(rows, "getCall"); len(none) > 0 {
		t.Errorf("got %v, want none", none)
	}
}

// The document says of each type of key which scopes it may have.
func TestSecuritySchemesNameTheirScopes(t *testing.T) {
	t.Parallel()
	for _, keyType := range []contract.KeyType{contract.AgencyKey, contract.PersonalKey} {
		text, _ := Texts.SecuritySchemes[string(keyType)+"Key"]["description"].(string)
		want := "A key of type " + string(keyType) + ": "
		if scopes := "scopes are " + JoinScopes(keyType.Scopes()) + "."; !strings.HasPrefix(text, want) || !strings.Contains(text, scopes) {
			t.Errorf("%s is described as %q; want %q and %q", keyType, text, want, scopes)
		}
	}
	if len(Texts.SecuritySchemes) != 2 {
		t.Errorf("there are %d schemes", len(Texts.SecuritySchemes))
	}
}
