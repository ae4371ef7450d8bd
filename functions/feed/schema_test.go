package feed_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	events "github.com/recruiting-marketplace/external-api/functions/feed/event"
)

// TestSchemasArePublished holds the published schemas to the code: `go generate`
// writes them anew.
func TestSchemasArePublished(t *testing.T) {
	t.Parallel()
	published, err := filepath.Glob("schemas/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range feed.Kinds() {
		want, err := k.Schema()
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile("schemas/" + k.Name + ".json")
		if diff := cmp.Diff(string(want), string(got)); diff != "" || err != nil {
			t.Errorf("%s is not as published; run make generate: %v\n%.500s", k.Name, err, diff)
		}
	}
	if len(published) != len(feed.Kinds()) {
		t.Errorf("%d schemas are published of %d", len(published), len(feed.Kinds()))
	}
}

// FuzzEvent reads anything as an event of each kind. What is accepted can be
// stored and read again as the same; what is not has a reason that can be sent.
func FuzzEvent(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for i, s := range samples {
		id, data := s.make(r)
		f.Add(uint8(2*i), id, marshal(data))
	}
	for _, tt := range invalid {
		f.Add(uint8(3), "r1/rec1", tt.body)
	}
	kinds := feed.Kinds()
	fetch := func(context.Context, string) ([]byte, error) { return []byte(`{}`), nil }
	f.Fuzz(func(t *testing.T, number uint8, id, data string) {
		kind := kinds[int(number)%len(kinds)]
		name := kind.Name
		whole := event(name, id, 1, nil)
		for _, body := range []string{data, whole[:len(whole)-1] + `,"data":` + data + "}"} {
			content, err := kind.Parse(t.Context(), body, fetch)
			var refused *events.InvalidError
			if err != nil && (!errors.As(err, &refused) || refused.Reason == "" || len(refused.Reason) > 100_000) {
				t.Fatalf("%s: %v", name, err)
			}
			if err != nil || content == nil {
				continue
			}
			again := reflect.New(reflect.TypeOf(content).Elem()).Interface()
			if err := json.Unmarshal([]byte(marshal(content)), again); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(content, again, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s changes when it is stored:\n%s", name, diff)
			}
		}
	})
}

func marshal(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(body)
}
