package gateway

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The log line of a request that no route matched has the length of its path and none of its words.
func TestUnmatchedPathIsNotLogged(t *testing.T) {
	t.Parallel()
	for _, sent := range []string{
		"/", "/x/vexil-thrumm", "/https://www.linkedin.com/in/vexil-thrumm", "/x/vexil@example.com?email=vexil@example.com",
		"/talent-network/vexil%20thrumm", "/vexil" + strings.Repeat("/thrumm", 500),
	} {
		g, log := testGateway(t, contract.Platform, nil)
		if w := sendRequest(g, http.MethodGet, sent, ""); w.Code != http.StatusNotFound {
			t.Errorf("%.80s: status %d", sent, w.Code)
		}
		path, _, _ := strings.Cut(sent, "?")
		want := fmt.Sprintf(`"path_length":%d`, len(contract.BasePath)+len(path))
		if line := log.String(); !strings.Contains(line, want) || strings.Contains(line, "vexil") || strings.Contains(line, "thrumm") {
			t.Errorf("%.80s: want %s in %s", sent, want, line)
		}
	}
}

// A request that a route matched has its pattern in the log and not its path.
func TestMatchedPathIsNotLogged(t *testing.T) {
	t.Parallel()
	g, log := testGateway(t, contract.Submissions, nil)
	sendRequest(g, http.MethodGet, "/talent-network/batches/7", "")
	if line := log.String(); strings.Contains(line, `"path_length"`) || !strings.Contains(line, `"route":"/talent-network/batches/{batchId}"`) {
		t.Error(line)
	}
}

// sampledIDs returns a function that makes every second request id one of those that have a line when one
// in two has one.
func sampledIDs() func() uuid.UUID {
	var made atomic.Uint32
	return func() uuid.UUID {
		id := uuid.MustParse(testID)
		binary.BigEndian.PutUint32(id[12:], made.Add(1))
		return id
	}
}

// With a sample of two, every second successful read has a line, which stands for two. What changes
// something, fails or is slow has one of its own, so that the sum of weights counts requests.
func TestSampledLines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		method, path, body string
		sample             int
		took               time.Duration
		weights            []int
	}{
		"all":          {"GET", "/talent-network/batches/" + testID, "", 1, 0, []int{0, 0, 0, 0}}, // without a weight
		"unset":        {"GET", "/talent-network/batches/" + testID, "", 0, 0, []int{0, 0, 0, 0}},
		"reads":        {"GET", "/talent-network/batches/" + testID, "", 2, 0, []int{2, 2}},
		"almost slow":  {"GET", "/talent-network/batches/" + testID, "", 2, slowRequest - 1, []int{2, 2}},
		"slow":         {"GET", "/talent-network/batches/" + testID, "", 2, slowRequest, []int{1, 1, 1, 1}},
		"failures":     {"GET", "/nothing", "", 2, 0, []int{1, 1, 1, 1}},
		"writes":       {"POST", "/resumes", "%PDF-1.4", 2, 0, []int{1, 1, 1, 1}},
		"wrong writes": {"POST", submitPath, "{", 2, 0, []int{1, 1, 1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int64
			g, log := testGateway(t, contract.Submissions, nil, func(c *Config) {
				newID := sampledIDs()
				c.LogSample = tt.sample
				c.NewID = func() uuid.UUID { // the first call of each request
					calls.Store(0)
					return newID()
				}
				c.Now = func() time.Time { return testNow.Add(min(time.Duration(calls.Add(1)-1), 1) * tt.took) }
			})
			for range 4 {
				sendRequest(g, tt.method, tt.path, tt.body)
			}
			var got []int
			for line := range strings.Lines(log.String()) {
				var fields struct{ Weight int }
				if err := json.Unmarshal([]byte(line), &fields); err != nil {
					t.Fatal(err)
				}
				got = append(got, fields.Weight)
			}
			if diff := cmp.Diff(tt.weights, got); diff != "" {
				t.Errorf("weights (-want +got):\n%s\n%s", diff, log)
			}
		})
	}
}

// Among ids as they are made, about one in the sample has a line.
func TestSampleIsFair(t *testing.T) {
	t.Parallel()
	const sample, ids = 20, 100_000
	lines := 0
	for range ids {
		if isSampled(uuid.Must(uuid.NewV7()), sample) {
			lines++
		}
	}
	if share := float64(lines) * sample / ids; share < 0.9 || share > 1.1 {
		t.Errorf("%d of %d have a line", lines, ids)
	}
}
