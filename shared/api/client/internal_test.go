package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// TestPlacement shows where each tag puts a field; no route sends a
// query yet. Fields of an embedded struct are the struct's own.
func TestPlacement(t *testing.T) {
	t.Parallel()
	limit := 5
	type tags struct {
		Tags []string `query:"tag"`
	}
	in := struct {
		tags
		ID     string `path:"id"`
		Limit  *int   `query:"limit"`
		Cursor string `query:"cursor"`
		Key    string `header:"Idempotency-Key"`
		On     bool   `json:"on"`
	}{tags: tags{[]string{"x", "y"}}, ID: "a b", Limit: &limit, Key: "k"}
	query := url.Values{}
	header := http.Header{}
	path := bindParameters(reflect.ValueOf(in), "/things/{id}", query, header)
	if path != "/things/a%20b" || query.Encode() != "limit=5&tag=x&tag=y" || header.Get("Idempotency-Key") != "k" {
		t.Errorf("got %q, %q, %v", path, query.Encode(), header)
	}
}

// A body has fields of the body alone, and leaves out those that are not set: the API distinguishes null from absent and accepts null
// for some fields only.
func TestBodiesLeaveOutWhatIsNotSet(t *testing.T) {
	t.Parallel()
	types := []reflect.Type{reflect.TypeFor[contract.BulkItem](), reflect.TypeFor[contract.CandidateReference]()}
	for _, route := range contract.Routes {
		if route.Method != http.MethodGet {
			types = append(types, route.Input)
		}
	}
	for _, of := range types {
		text, err := json.Marshal(reflect.Zero(of).Interface())
		if err != nil {
			t.Fatal(err)
		}
		var body map[string]any
		if err := json.Unmarshal(text, &body); err != nil || strings.Contains(string(text), "null") {
			t.Errorf("%v: got %s, %v", of, text, err)
		}
		for name := range body {
			if contract.SchemaOf(of).Field(name) < 0 {
				t.Errorf("%v: %s is no field of the body", of, name)
			}
		}
		for name := range setEmpty(t, of) {
			t.Errorf("%v: %s is set to an empty value, and is left out", of, name)
		}
	}
}

// setEmpty sets every list of a type to an empty one and every pointer to a zero value, and returns the names of those
// that are in no body.
func setEmpty(t *testing.T, of reflect.Type) map[string]bool {
	t.Helper()
	v := reflect.New(of).Elem()
	left := map[string]bool{}
	for _, f := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		field := v.FieldByIndex(f.Index)
		switch {
		case f.Anonymous || name == "-" || name == "":
			continue
		case f.Type.Kind() == reflect.Slice:
			field.Set(reflect.MakeSlice(f.Type, 0, 0))
		case f.Type.Kind() == reflect.Pointer:
			field.Set(reflect.New(f.Type.Elem()))
		default:
			continue
		}
		left[name] = true
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	var body map[string]any
	if err := json.Unmarshal(text, &body); err != nil {
		t.Fatal(err)
	}
	for name := range body {
		delete(left, name)
	}
	return left
}

// TestBackoff holds the bounds of every pause.
func TestBackoff(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		attempt := rapid.IntRange(1, 1000).Draw(t, "attempt")
		if got := backoffPause(attempt); got < firstPause/2 || got > longestPause {
			t.Errorf("attempt %d waits %v", attempt, got)
		}
	})
}

func TestSleep(t *testing.T) {
	t.Parallel()
	if err := sleepContext(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleepContext(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
