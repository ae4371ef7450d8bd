package feed_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const (
	childVariable = "FEED_TEST_APPLIES_STDIN"
	// largest is the size in bytes of the largest object that a dataRef may name.
	largest = 16 << 20
)

// A batch of ten events with objects of the largest size, of every content that is known to be
// costly, is applied within three quarters of the function's memory.
func TestBatchOfTheLargestEventsFitsTheFunction(t *testing.T) {
	t.Parallel()
	if resumetest.RanPlain(t, "functions/feed") {
		return
	}
	b := newTestFeed(t)
	bucket := objectstore.Open(b.host.Opener(), topology.MarketplaceBucket)
	var batch events.SQSEvent
	for _, tt := range []struct {
		kind, object string
		times        int
	}{
		{"call.upserted", newLargeCall(), 6},
		{"intakeTranscript.upserted", newLargeIntake(), 1},
		{"call.upserted", newLargeKeys(), 1},
		{"call.upserted", `{"transcript":{"segments":[` + strings.Repeat(`{},`, largest/3-20) + `{}]}}`, 2},
	} {
		key := fmt.Sprint("feed/", len(batch.Records))
		if err := bucket.Put(t.Context(), key, "application/json", []byte(tt.object)); err != nil {
			t.Fatal(err)
		}
		for range tt.times {
			n := fmt.Sprint(len(batch.Records))
			body := strings.TrimSuffix(event(tt.kind, "e"+n, 1, nil), "}") + `,"dataRef":"` + key + `"}`
			batch.Records = append(batch.Records, events.SQSMessage{MessageId: n, Body: body})
		}
	}
	response, peak := applyInChild(t, b.host, batch)
	if dead := len(b.deadLetters(t)); len(response.BatchItemFailures) > 0 || dead != 3 {
		t.Errorf("%v are delivered again, and %d are dead letters; want only the three that are no calls, as dead letters", response.BatchItemFailures, dead)
	}
	if most := int64(topology.Feed.Memory*3/4) << 20; peak > most {
		t.Errorf("the peak is %d MB; want at most %d, three quarters of the function's memory", peak>>20, most>>20)
	}
}

// applyInChild applies a batch in a child process, and returns the response and the child's peak
// memory in bytes.
func applyInChild(t *testing.T, host cloud.Host, batch events.SQSEvent) (response events.SQSEventResponse, peak int64) {
	t.Helper()
	f := topology.Feed
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = []string{childVariable + "=1", fmt.Sprintf("GOMEMLIMIT=%dMiB", f.Memory*9/10), topology.SettingFunction + "=" + f.Name}
	names := []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_SQS", "AWS_ENDPOINT_URL_S3"}
	for _, name := range slices.AppendSeq(names, maps.Keys(f.Environment())) {
		child.Env = append(child.Env, name+"="+host.Getenv(name))
	}
	input, err := json.Marshal(batch)
	if err != nil {
		t.Fatal(err)
	}
	child.Stdin = bytes.NewReader(input)
	child.Stderr = os.Stderr
	output, err := child.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, &response); err != nil {
		t.Fatal(err)
	}
	usage := child.ProcessState.SysUsage().(*syscall.Rusage)
	peak = usage.Maxrss << 10
	if runtime.GOOS == "darwin" {
		peak = usage.Maxrss
	}
	t.Logf("%d MB, %v of a processor", peak>>20, time.Duration(usage.Utime.Nano()+usage.Stime.Nano()))
	return response, peak
}

// applyStdin is the child process: it applies the batch on its standard input.
func applyStdin() {
	var batch events.SQSEvent
	host := cloud.FromEnvironment()
	host.Log = slog.New(slog.DiscardHandler)
	err := json.NewDecoder(os.Stdin).Decode(&batch)
	response, applyErr := cloud.Must(feed.New(context.Background(), host)).Handle(context.Background(), batch)
	if err := errors.Join(err, applyErr, json.NewEncoder(os.Stdout).Encode(response)); err != nil {
		panic(err)
	}
}

// newLargeCall returns a call with the maximum number of segments.
func newLargeCall() string {
	const segments = 50_000
	one := `{"speaker":"Ada","speakerEmail":"ada@example.com","startSeconds":1.5,"endSeconds":2,"text":""},`
	text := strings.Repeat("<", (largest-1000)/segments-len(one))
	one = strings.Replace(one, `"text":""`, `"text":"`+text+`"`, 1)
	return `{"recruiterId":"rec1","scheduledAt":"2026-03-01T00:00:00Z","url":"https://app.example.com/c","updatedAt":"2026-03-01T00:00:00Z",` +
		`"transcript":{"segments":[` + strings.TrimSuffix(strings.Repeat(one, segments), ",") + `]}}`
}

// newLargeIntake returns a transcript with the longest text, in which every character is escaped.
func newLargeIntake() string {
	return `{"roleId":"r1","updatedAt":"2026-03-01T00:00:00Z","readers":{},"text":"` + strings.Repeat(`\u00e9`, (largest-1000)/6) + `"}`
}

// newLargeKeys returns an object of unknown keys, which the parser compares with each other.
func newLargeKeys() string {
	var b strings.Builder
	for i := 0; b.Len() < largest-100; i++ {
		fmt.Fprintf(&b, `,"%x":0`, i)
	}
	return "{" + b.String()[1:] + "}"
}
