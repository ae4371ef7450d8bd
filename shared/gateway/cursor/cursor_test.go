package cursor_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
)

func acceptAll(string) bool { return true }

func readCursor(sent string, filters ...string) (position, warning string, err error) {
	call := &gateway.Call{}
	position, err = cursor.Read(call, &sent, acceptAll, filters...)
	return position, call.Header().Get("X-Cursor-Warning"), err
}

func isInvalidCursor(err error) bool {
	var e *fault.Error
	return errors.As(err, &e) && e.Kind == fault.Invalid && e.Code == contract.InvalidCursor && e.Fields["cursor"] != nil
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		position := rapid.StringN(1, 100, 400).Draw(t, "position")
		filters := rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "filters")
		got, warning, err := readCursor(cursor.New(position, filters...), filters...)
		if got != position || warning != "" || err != nil {
			t.Errorf("got %q, %q, %v; want %q", got, warning, err, position)
		}
	})
}

func TestOtherFiltersWarn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ made, sent []string }{
		{[]string{"a", ""}, []string{"", "a"}}, {[]string{"ab", "c"}, []string{"a", "bc"}},
		{nil, []string{""}}, {[]string{`a"`, "b"}, []string{"a", `"b`}},
	} {
		got, warning, err := readCursor(cursor.New("here", tt.made...), tt.sent...)
		if got != "here" || warning != "filters-changed" || err != nil {
			t.Errorf("%q read with %q: got %q, %q, %v", tt.made, tt.sent, got, warning, err)
		}
	}
}

func TestFirstPage(t *testing.T) {
	t.Parallel()
	if got, err := cursor.Read(&gateway.Call{}, nil, acceptAll); got != "" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	good := cursor.New("here")
	for _, sent := range []string{
		"", "x", "here", good + "A", good[1:], good[:len(good)-1], good + "=", good + "\n", good[:8] + "\r\n" + good[8:], " " + good,
		strings.Replace(good, good[:1], "B", 1), strings.Repeat("A", 2047), strings.Repeat("A", 3000), "★",
		cursor.New(""), cursor.New(strings.Repeat("a", 2048)),
	} {
		if _, _, err := readCursor(sent); !isInvalidCursor(err) {
			t.Errorf("%q: got %v", sent, err)
		}
	}
	none := func(string) bool { return false }
	if _, err := cursor.Read(&gateway.Call{}, &good, none); !isInvalidCursor(err) {
		t.Errorf("a position that is none: got %v", err)
	}
}

// Every cursor with one character changed is refused.
func TestEveryCharacterCounts(t *testing.T) {
	t.Parallel()
	good := cursor.New("8227000000000#cu_1", "on_market")
	for i := range good {
		for _, c := range "ABZaz019-_" {
			changed := good[:i] + string(c) + good[i+1:]
			if _, _, err := readCursor(changed, "on_market"); changed != good && !isInvalidCursor(err) {
				t.Errorf("%q: got %v", changed, err)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(cursor.New("here"))
	f.Add("")
	f.Fuzz(func(t *testing.T, sent string) {
		position, _, err := readCursor(sent)
		if err != nil {
			if !isInvalidCursor(err) || position != "" {
				t.Errorf("%q: got %q, %v", sent, position, err)
			}
			return
		}
		if len(sent) > cursor.MaxLength || position == "" {
			t.Errorf("%q was accepted as %q", sent, position)
		}
	})
}
