package entity

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDeflatedRowsAreReadAsTheyWere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		was := rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "content")
		item, err := Row{Body: was, Deflated: true}.newItem()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string][]string{}
		if err := (Item{body: item.Body}).Into(&got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(was, got); diff != "" {
			t.Fatal(diff)
		}
		for name, want := range was {
			var one []string
			if err := (Item{body: item.Body}).MemberInto(name, &one); err != nil || !cmp.Equal(one, want) {
				t.Fatalf("%q: %q, %v; want %q", name, one, err, want)
			}
		}
	})
}

func TestOneMemberIsRead(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``: "", `null`: "", `{}`: "", `{"b":"x"}`: "", `{"a":null}`: "",
		`{"b":{"a":"x"},"a":"y"}`: "y", `{"a":"y","b":"x` /* is not read */ : "y",
	} {
		var got string
		if err := (Item{body: []byte(body)}).MemberInto("a", &got); err != nil || got != want {
			t.Errorf("%s: %q, %v", body, got, err)
		}
	}
	var got string
	if err := (Item{body: []byte(`{"b":"x`)}).MemberInto("a", &got); err == nil {
		t.Error("a body that is cut before the member is read")
	}
}

func TestLongTextsAreShorterDeflated(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("You will build services in Go and measure them. ", 100)
	item, err := Row{Body: text, Deflated: true}.newItem()
	if err != nil || len(item.Body) > len(text)/4 {
		t.Errorf("%d bytes are stored as %d, %v", len(text), len(item.Body), err)
	}
	var got string
	for end := range item.Body {
		if err := (State{body: item.Body[:end]}).Into(&got); end > 0 && err == nil {
			t.Errorf("a body cut after %d of %d bytes is read", end, len(item.Body))
		}
	}
}

func TestRowsWithoutContentHaveNone(t *testing.T) {
	t.Parallel()
	if item, err := (Row{Deflated: true}).newItem(); err != nil || item.Body != nil {
		t.Errorf("%q, %v", item.Body, err)
	}
}

func BenchmarkDeflatedRow(b *testing.B) {
	content := map[string]string{"description": strings.Repeat("You will build services in Go and measure them. ", 70)}
	row := Row{Body: content, Deflated: true}
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := row.newItem(); err != nil {
				b.Fatal(err)
			}
		}
	})
	stored, err := row.newItem()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var out struct{}
			if err := (State{body: stored.Body}).Into(&out); err != nil {
				b.Fatal(err)
			}
		}
	})
}
