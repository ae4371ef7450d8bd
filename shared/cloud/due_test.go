package cloud_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// A shard whose page was not begun is walked in the next turn, one whose page could not be used goes on behind that page, and
// one whose page cannot be read is left to the next walk. Act gets no empty page.
func TestTurnsOfAWalk(t *testing.T) {
	t.Parallel()
	u := newUnwell(t)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		const next = `,"LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"S":"a"},"shard":{"S":"a"},"due":{"N":"1"}}`
		switch text := string(body); {
		case strings.Contains(text, "unreadable"):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprint(w, malformed)
		case strings.Contains(text, "ExclusiveStartKey"):
			_, _ = fmt.Fprint(w, `{"Items":[{"pk":{"S":"last"}}]}`)
		case strings.Contains(text, "empty"):
			_, _ = fmt.Fprint(w, `{"Items":[]`+next+`}`)
		default:
			_, _ = fmt.Fprint(w, `{"Items":[{"pk":{"S":"first"}}]`+next+`}`)
		}
	})
	u.response.Store(&handler)
	walk := cloud.DueQuery{
		Table: u.db.Table("t"), Shards: []string{"full", "unreadable", "empty", "late"}, Now: time.Unix(0, 0), Page: 1, Parallel: 1,
	}.Begin()
	errUnused := errors.New("the page cannot be used")
	turn := func(mayBegin int64) (acted []string, left bool, err error) {
		var begun atomic.Int64
		left, err = walk.Turn(t.Context(), func() bool { return begun.Add(1) <= mayBegin },
			func(_ context.Context, page []cloud.DueKey) error {
				acted = append(acted, page[0].PK)
				if page[0].PK == "first" {
					return errUnused
				}
				return nil
			})
		return acted, left, err
	}
	for n, want := range []struct {
		mayBegin int64
		acted    string
		left     bool
		isUnused bool
	}{
		{3, "first", true, true},            // of full; unreadable and empty give none
		{1, "first", true, true},            // of late, which waited
		{9, "last last last", false, false}, // of full, empty and late
	} {
		acted, left, err := turn(want.mayBegin)
		if got := strings.Join(acted, " "); got != want.acted || left != want.left || errors.Is(err, errUnused) != want.isUnused {
			t.Errorf("turn %d: acted on %q, left %t, error %v; want %+v", n, got, left, err, want)
		}
	}
}
