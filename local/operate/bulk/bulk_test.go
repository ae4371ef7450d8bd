package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/operate/bulk"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// lineRecorder collects lines, refuses "bad" ones and fails as often as fail says.
type lineRecorder struct {
	mu    sync.Mutex
	lines []string
	fail  map[string]int
}

var errApply = errors.New("applying the line failed")

func (k *lineRecorder) applyLine(_ context.Context, line string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fail[line] > 0 {
		k.fail[line]--
		return "", errApply
	}
	k.lines = append(k.lines, line)
	if strings.HasPrefix(line, "bad") {
		return "it is bad", nil
	}
	return "", nil
}

func (k *lineRecorder) newLoad() bulk.Load {
	return bulk.Load{Apply: k.applyLine, Parallel: 4, Done: ignorePosition, Refused: func(int, string) {}}
}

func ignorePosition(bulk.Position) error { return nil }

func TestRun(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, source string
		want         []string
		place        bulk.Position
	}{
		{"nothing", "", nil, bulk.Position{}},
		{"blank lines", "\n  \r\n\n", nil, bulk.Position{Offset: 6, Line: 3}},
		{"line ends", "a\r\nbad b\n\nc", []string{"a", "bad b", "c"}, bulk.Position{Offset: 11, Lines: 3, Line: 4, Refused: 1}},
		{"a last line end", "a\n", []string{"a"}, bulk.Position{Offset: 2, Lines: 1, Line: 1}},
	}
	for _, tt := range tests {
		k := &lineRecorder{}
		place, err := k.newLoad().Run(t.Context(), strings.NewReader(tt.source), bulk.Position{})
		if slices.Sort(k.lines); err != nil || !slices.Equal(k.lines, tt.want) || place != tt.place {
			t.Errorf("%s: %q, %+v, %v; want %q, %+v", tt.name, k.lines, place, err, tt.want, tt.place)
		}
	}
}

// A run that stops at a line that keeps failing is resumed from the saved position:
// nothing is left out, and at most a window is repeated.
func TestResume(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 2200 {
		all = append(all, fmt.Sprintf("line %04d", i))
	}
	path := filepath.Join(t.TempDir(), "events.ndjson")
	if err := os.WriteFile(path, []byte(strings.Join(all, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	k := &lineRecorder{fail: map[string]int{"line 0003": 2, "line 1234": 5}}
	run := func() (start, end bulk.Position, err error) {
		source, err := bulk.FindSource(t.Context(), nil, path)
		if err != nil {
			t.Fatal(err)
		}
		noted, err := bulk.OpenCheckpoint(dir, source.Name, source.Version)
		if err != nil {
			t.Fatal(err)
		}
		start = noted.Position
		reader, err := source.Open(t.Context(), start.Offset)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = reader.Close() }()
		load := k.newLoad()
		load.Done = noted.Save
		end, err = load.Run(t.Context(), reader, start)
		return start, end, err
	}
	if _, end, err := run(); !errors.Is(err, errApply) || end.Lines != 1000 {
		t.Fatalf("stopped at %+v, %v", end, err)
	}
	start, end, err := run()
	if err != nil || start.Lines != 1000 || end.Lines != 2200 {
		t.Fatalf("from %+v to %+v, %v", start, end, err)
	}
	slices.Sort(k.lines)
	if repeated := len(k.lines) - len(all); repeated > 500 {
		t.Errorf("%d lines were repeated", repeated)
	}
	if diff := cmp.Diff(all, slices.Compact(k.lines)); diff != "" {
		t.Errorf("lines (-want +got):\n%.1000s", diff)
	}
}

// A checkpoint is at the beginning for other content, and after its deletion.
func TestCheckpoint(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made")
	open := func(version string) *bulk.Checkpoint {
		c, err := bulk.OpenCheckpoint(dir, "source", version)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if err := open("1").Save(bulk.Position{Offset: 7}); err != nil {
		t.Fatal(err)
	}
	if got := open("1").Position.Offset; got != 7 {
		t.Errorf("offset %d", got)
	}
	if got := open("2").Position.Offset; got != 0 {
		t.Errorf("offset %d of another version", got)
	}
	if err := errors.Join(open("1").Delete(), open("1").Delete()); err != nil || open("1").Position.Offset != 0 {
		t.Errorf("not forgotten: %v", err)
	}
}

// An error of the source is returned, and what was read of a line is not applied.
func TestBrokenSource(t *testing.T) {
	t.Parallel()
	k := &lineRecorder{}
	source := io.MultiReader(strings.NewReader("a\nb\nhalf"), broken{})
	if place, err := k.newLoad().Run(t.Context(), source, bulk.Position{}); !errors.Is(err, errApply) || place.Offset != 0 || slices.Contains(k.lines, "half") {
		t.Errorf("%+v, %v; applied %q", place, err, k.lines)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errApply }

// A line that is too long is cut, and the run continues.
func TestLongLine(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []int
	load := (&lineRecorder{}).newLoad()
	load.Parallel = 1
	load.Apply = func(_ context.Context, line string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, len(line))
		return "", nil
	}
	end, err := load.Run(t.Context(), strings.NewReader("a\n"+strings.Repeat("b", bulk.MaxLine+5)+"\nccc\n"), bulk.Position{})
	want := bulk.Position{Offset: bulk.MaxLine + 12, Lines: 3, Line: 3}
	if err != nil || end != want || !slices.Equal(got, []int{1, bulk.MaxLine, 3}) {
		t.Errorf("got lines of %v, %+v, %v; want %+v", got, end, err, want)
	}
}

// A source, whether a file or an object in S3, can be read from any offset, and has
// another version when its content is different.
func TestSources(t *testing.T) {
	t.Parallel()
	host := cloudtest.System(t, nil, time.Now)
	client := s3.NewFromConfig(host.AWS, func(o *s3.Options) { o.UsePathStyle = true })
	bucket := host.Getenv(topology.MarketplaceBucket.Env)
	key := "feed/a b.ndjson"
	file := filepath.Join(t.TempDir(), "a b.ndjson")
	inFile := func(text string) error { return os.WriteFile(file, []byte(text), 0o600) }
	inS3 := func(text string) error {
		_, err := client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: &bucket, Key: &key, Body: strings.NewReader(text)})
		return err
	}
	for name, put := range map[string]func(string) error{file: inFile, "s3://" + bucket + "/" + key: inS3} {
		if _, err := bulk.FindSource(t.Context(), client, name+"x"); err == nil {
			t.Errorf("%s: one that is not there is found", name)
		}
		const text = "one\ntwo\nthree\n"
		first := findTestSource(t, client, name, put, text)
		if first.Name != name || first.Size != int64(len(text)) {
			t.Errorf("got %s of %d bytes; want %s of %d", first.Name, first.Size, name, len(text))
		}
		for _, from := range []int{0, 4, len(text) - 1, len(text)} {
			if got := readFrom(t, first, from); got != text[from:] {
				t.Errorf("%s from %d: got %q; want %q", name, from, got, text[from:])
			}
		}
		if second := findTestSource(t, client, name, put, "four\n"); second.Version == first.Version {
			t.Errorf("%s: another content has the same version %s", name, first.Version)
		}
	}
}

func findTestSource(t *testing.T, client *s3.Client, name string, put func(string) error, text string) bulk.Source {
	t.Helper()
	if err := put(text); err != nil {
		t.Fatal(err)
	}
	source, err := bulk.FindSource(t.Context(), client, name)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func readFrom(t *testing.T, s bulk.Source, from int) string {
	t.Helper()
	body, err := s.Open(t.Context(), int64(from))
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	all, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}
