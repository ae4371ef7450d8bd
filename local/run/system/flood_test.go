package system_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// flooder sends requests of many kinds at a time, some of which it aborts.
type flooder struct {
	*testSystem
	keys   []string // each has a rate of its own
	client *http.Client
}

// kinds of requests are sent, and atOnce requests at a time.
const (
	kinds  = 4
	atOnce = 16
)

// flood sends n requests and ends its connections.
func (f *flooder) flood(n int) {
	runConcurrently(atOnce, func(worker int) any {
		for i := worker; i < n; i += atOnce {
			switch key := f.keys[i%len(f.keys)]; i / len(f.keys) % kinds {
			case 0:
				f.send(f.t.Context(), key, "GET", "/talent-network/candidates", "")
			case 1:
				f.send(f.t.Context(), key, "POST", uploadPath, `{"contentBase64": "QWRhIEV4YW1wbGU="}`)
			case 2:
				f.leaveWhileWaiting(key)
			case 3:
				f.leaveWhileSending(key)
			}
		}
		return nil
	})
	f.client.CloseIdleConnections()
}

func (f *flooder) send(ctx context.Context, key, method, path, body string) {
	r, err := http.NewRequestWithContext(ctx, method, f.BaseURL+path, strings.NewReader(body))
	if err != nil {
		f.t.Error(err)
		return
	}
	r.Header.Set("Authorization", "Bearer "+key)
	response, err := f.client.Do(r)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			f.t.Error(err)
		}
		return
	}
	_, _ = io.Copy(io.Discard, response.Body) // an answer that is cut off is one of the aborted
	_ = response.Body.Close()
}

// leaveWhileWaiting ends a request when it has been sent, or a little later.
func (f *flooder) leaveWhileWaiting(key string) {
	ctx, leave := context.WithCancel(f.t.Context())
	go leave()
	f.send(ctx, key, "GET", "/agency/roles", "")
}

// leaveWhileSending ends a connection in the middle of a body.
func (f *flooder) leaveWhileSending(key string) {
	address, _, _ := strings.Cut(strings.TrimPrefix(f.BaseURL, "http://"), "/")
	connection, err := net.Dial("tcp", address)
	if err != nil {
		f.t.Error(err)
		return
	}
	_, _ = fmt.Fprintf(connection, "POST %s%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: 1000\r\n\r\n{", contract.BasePath, uploadPath, key)
	_ = connection.Close()
}

// waitForAtMost waits until no more goroutines and open files are left, and returns their numbers.
func waitForAtMost(goroutines, files int) (int, int) {
	for guard := time.Now().Add(3 * time.Minute); time.Now().Before(guard); time.Sleep(20 * time.Millisecond) {
		if runtime.NumGoroutine() <= goroutines && countOpenFiles() <= files {
			break
		}
	}
	return runtime.NumGoroutine(), countOpenFiles()
}

// countOpenFiles returns the number of open files of this process, or 0 where there is no /proc.
func countOpenFiles() int {
	files, _ := os.ReadDir("/proc/self/fd")
	return len(files)
}

// Requests leave neither a goroutine nor an open file behind, whether they are answered or
// aborted. The test is not parallel: no other one runs while it counts.
func TestAFloodLeavesNothingBehind(t *testing.T) {
	const requests, pools = 2000, 300 // pools bounds the connections to the emulators that are kept, two goroutines each
	sys := startSystem(t, nil)
	f := &flooder{testSystem: sys, client: &http.Client{Transport: &http.Transport{}}}
	for range 20 {
		f.keys = append(f.keys, sys.newAgencyKey())
	}
	goroutines := runtime.NumGoroutine()
	files := countOpenFiles()
	f.flood(requests)
	leftGoroutines, leftFiles := waitForAtMost(goroutines+pools, files+pools)
	t.Logf("%d goroutines and %d files before, %d and %d after", goroutines, files, leftGoroutines, leftFiles)
	if leftGoroutines > goroutines+pools || leftFiles > files+pools {
		var stacks strings.Builder
		_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1) // writing to memory cannot fail
		t.Errorf("%d goroutines and %d files are left of %d and %d:\n%s", leftGoroutines, leftFiles, goroutines, files, &stacks)
	}
}
