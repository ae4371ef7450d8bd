package catalogue_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// outage fails the calls of a reader's process while the test lets it.
type outage struct {
	log, files atomic.Bool
	// asked counts the reads of the log.
	asked atomic.Int64
	lines bytes.Buffer
}

var errOut = errors.New("out")

// newHeldReader returns a reader of the embedded catalogue in a process whose calls fail during the outage.
func (b *testCatalogue) newHeldReader() (*catalogue.Catalogue, *outage) {
	b.t.Helper()
	h, o := b.newOutage()
	roles, _ := openStores(b.t, h)
	return catalogue.OpenEmbedded(h.Opener(), roles), o
}

// newOutage returns the host of a process whose calls fail during an outage.
func (b *testCatalogue) newOutage() (cloud.Host, *outage) {
	o := &outage{}
	h := b.host
	h.Log = cloud.NewLog(&o.lines, "roles")
	changes := h.Getenv(topology.Changes.Env)
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		query, isQuery := call.Input.(*dynamodb.QueryInput)
		isLog := isQuery && *query.TableName == changes
		if isLog {
			o.asked.Add(1)
		}
		if isLog && o.log.Load() || call.Service == "S3" && o.files.Load() {
			return errOut
		}
		return send()
	})
	return h, o
}

func (b *testCatalogue) wantRefusal(c catalogue.Source) {
	b.t.Helper()
	_, err := c.Current(b.t.Context(), b.now)
	if e := fault.As(err); err == nil || e.Kind != fault.Unavailable || e.RetryAfter <= 0 || !errors.Is(err, errOut) {
		b.t.Errorf("at %v: got %v, want a refusal with a time to wait", b.now, err)
	}
}

func (b *testCatalogue) wantFound(c catalogue.Source, want ...string) {
	b.t.Helper()
	if got := b.searchIDs(c, "carpenter"); !slices.Equal(got, want) {
		b.t.Errorf("at %v: found %v, want %v", b.now, got, want)
	}
}

// TestACatalogueIsHeldWhileTheLogFails fails unless a process serves what it holds for fifteen minutes, logs its age, then refuses, and
// finds what has changed when the log can be read again.
func TestACatalogueIsHeldWhileTheLogFails(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putRole("first", 1, "carpenter", "PUBLIC")
	reader, out := b.newHeldReader()
	b.wantFound(reader, "first")
	out.log.Store(true)
	begun := b.now
	b.now = begun.Add(2 * time.Second)
	b.putRole("second", 1, "carpenter", "PUBLIC")
	for _, age := range []time.Duration{2 * time.Second, time.Minute, 15 * time.Minute} {
		b.now = begun.Add(age)
		b.wantFound(reader, "first")
	}
	b.now = begun.Add(15*time.Minute + time.Second)
	b.wantRefusal(reader)
	for _, age := range []string{`"catalogue_age_s":2,`, `"catalogue_age_s":900,`, `"catalogue_age_s":901,`} {
		if !strings.Contains(out.lines.String(), age) {
			t.Errorf("the log has no %s", age)
		}
	}
	out.log.Store(false)
	b.wantFound(reader, "first", "second")
	out.lines.Reset()
	b.now = b.now.Add(time.Hour / 2)
	b.wantFound(reader, "first", "second")
	if strings.Contains(out.lines.String(), "catalogue_age_s") {
		t.Errorf("an age is logged of what is up to date: %s", &out.lines)
	}
}

// TestAnEmptyProcessRefusesWhileTheLogFails fails unless a process that holds nothing tells its callers to wait.
func TestAnEmptyProcessRefusesWhileTheLogFails(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	reader, out := b.newHeldReader()
	out.log.Store(true)
	b.wantRefusal(reader)
	out.log.Store(false)
	b.wantFound(reader)
}

// TestAnOldCopyIsBroughtUpToDateWithoutFiles fails unless a process that has had no request for two hours, and cannot read the newer
// base, finds what has changed in the log.
func TestAnOldCopyIsBroughtUpToDateWithoutFiles(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putRole("first", 1, "carpenter", "PUBLIC")
	b.publish(b.newReader(), "1")
	reader, out := b.newHeldReader()
	b.wantFound(reader, "first")
	b.now = b.now.Add(2 * time.Hour)
	b.putRole("second", 1, "carpenter", "PUBLIC")
	b.publish(b.newReader(), "2")
	out.files.Store(true)
	b.wantFound(reader, "first", "second")
	out.log.Store(true)
	b.now = b.now.Add(2 * time.Hour)
	b.wantRefusal(reader)
	out.log.Store(false)
	out.files.Store(false)
	b.wantFound(reader, "first", "second")
}

// TestAnAnnouncedBaseThatCannotBeRead fails unless a process serves what it holds for fifteen minutes when the files of a base are away
// that contains more than the log, and that base when they are back.
func TestAnAnnouncedBaseThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putRole("first", 1, "carpenter", "PUBLIC")
	b.publish(b.newReader(), "1")
	reader, out := b.newHeldReader()
	b.wantFound(reader, "first")
	out.files.Store(true)
	b.now = b.now.Add(time.Minute)
	b.putUnlogged("loaded", 1, "carpenter")
	_, err := b.newReader().Rebuild(t.Context(), b.clock, "2")
	must(t, err)
	b.now = b.now.Add(time.Minute)
	b.wantFound(reader, "first")
	b.now = b.now.Add(13 * time.Minute)
	b.wantFound(reader, "first")
	b.now = b.now.Add(time.Second)
	b.wantRefusal(reader)
	out.files.Store(false)
	b.wantFound(reader, "first", "loaded")
}

// TestSearchesDuringFiveMinutesWithoutTheLog fails if one of many concurrent searches fails, or if a process asks the log more than once a
// second.
func TestSearchesDuringFiveMinutesWithoutTheLog(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putRole("first", 1, "carpenter", "PUBLIC")
	reader, out := b.newHeldReader()
	b.wantFound(reader, "first")
	out.log.Store(true)
	out.asked.Store(0)
	const seconds = 300
	searches := 0
	for range seconds {
		b.now = b.now.Add(time.Second)
		b.wantFound(reader, "first") // the first of the second
		now := b.now
		var group errgroup.Group
		for range 8 {
			searches++
			group.Go(func() error {
				state, err := reader.Current(t.Context(), now)
				if err != nil {
					return err
				}
				page, err := state.Search(t.Context(), roleindex.Query{Text: "carpenter", Limit: 10}, nil)
				if len(page.Rows) != 1 {
					return errors.Join(err, errors.New("the role is not found"))
				}
				return err
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatalf("after %d searches: %v", searches, err)
		}
	}
	if asked := out.asked.Load(); asked > seconds*10 {
		t.Errorf("%d searches asked the log %d times", searches, asked)
	}
	t.Logf("%d searches, %d reads of the log", searches, out.asked.Load())
}
