package cursor_test

import (
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
)

// TestSentCursorsStayReadable reads a cursor that an earlier version of the code has sent: clients keep them.
func TestSentCursorsStayReadable(t *testing.T) {
	t.Parallel()
	const sent = "Aa4GHB6idPLkGzPdVDIwMjYtMDUtMDYjY3VfMQ"
	if got := cursor.New("2026-05-06#cu_1", "on_market"); got != sent {
		t.Errorf("got %q, want %q", got, sent)
	}
	if position, warning, err := readCursor(sent, "on_market"); position != "2026-05-06#cu_1" || warning != "" || err != nil {
		t.Errorf("got %q, %q, %v", position, warning, err)
	}
}

// TestLongestCursor fails unless a cursor of 2048 characters is read, and a longer one is refused.
func TestLongestCursor(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("a", 2048/4*3-13)
	sent := cursor.New(longest)
	if position, _, err := readCursor(sent); len(sent) != 2048 || position != longest || err != nil {
		t.Errorf("%d characters: got %q, %v", len(sent), position, err)
	}
	if _, _, err := readCursor(cursor.New(longest + "a")); !isInvalidCursor(err) {
		t.Errorf("a longer one: got %v", err)
	}
}
