package objectstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// An object comes whole up to the limit, and not at all beyond it.
func TestGetIsLimited(t *testing.T) {
	t.Parallel()
	bucket := objectstore.Open(cloudtest.System(t, nil, time.Now).Opener(), topology.Resumes)
	const limit = 100
	for _, size := range []int{0, 1, limit, limit + 1, 50 * limit} {
		key := fmt.Sprint("uploads/", size)
		content := bytes.Repeat([]byte("x"), size)
		if err := bucket.Put(t.Context(), key, "text/plain", content); err != nil {
			t.Fatal(err)
		}
		got, err := bucket.Get(t.Context(), key, limit)
		if size > limit {
			if !errors.Is(err, objectstore.ErrTooLarge) {
				t.Errorf("%d bytes: got %v; want ErrTooLarge", size, err)
			}
		} else if err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
	}
}

// A function that cannot start names the bucket that it lacks.
func TestOpenRecordsWhatIsMissing(t *testing.T) {
	t.Parallel()
	o := cloud.NewHost(func(string) string { return "" }, time.Now, slog.New(slog.DiscardHandler)).Opener()
	objectstore.Open(o, topology.Resumes)
	if err := o.Err(); err == nil || !strings.Contains(err.Error(), topology.Resumes.Env) {
		t.Errorf("%s is not named in: %v", topology.Resumes.Env, err)
	}
}
