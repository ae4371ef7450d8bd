package conform

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Test is where differences are reported; a *testing.T is one.
type Test interface {
	Errorf(format string, args ...any)
	Cleanup(func())
}

// watcher wraps a transport and checks the API's responses.
type watcher struct {
	base  http.RoundTripper
	tests sync.Map // host → Test

	mu sync.Mutex
	// unowned are the differences of systems that no test watches.
	unowned []error
}

var watching = &watcher{}

// Run watches the default transport, which every client of the tests uses, while
// the tests run: os.Exit(conform.Run(m.Run)). The result is not 0 if an answer
// differed that belongs to no watched system.
func Run(tests func() int) int {
	watching.base = http.DefaultTransport
	http.DefaultTransport = watching
	code := tests()
	for _, err := range watching.unowned {
		fmt.Fprintln(os.Stderr, "not as published:", err)
		code = max(code, 1)
	}
	return code
}

// Watch fails the test for every response of a system that differs from the document.
// It takes effect below [Run].
func Watch(t Test, baseURL string) {
	if u, err := url.Parse(baseURL); err != nil {
		t.Errorf("conform: %v", err)
	} else {
		watching.tests.Store(u.Host, t)
		t.Cleanup(func() { watching.tests.Delete(u.Host) })
	}
}

// RoundTrip makes the request and checks its response, if there is one.
func (w *watcher) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := w.base.RoundTrip(r)
	path, isAPI := strings.CutPrefix(r.URL.EscapedPath(), contract.BasePath)
	if err != nil || !isAPI {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	if closeErr := response.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	w.checkAnswer(r.URL.Host, Response{r.Method, path, response.StatusCode, response.Header, body})
	return response, nil
}

func (w *watcher) checkAnswer(host string, a Response) {
	document, err := Published()
	if err == nil {
		err = document.Check(a)
	}
	if err == nil {
		return
	}
	if t, ok := w.tests.Load(host); ok {
		t.(Test).Errorf("not as published: %v", err)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unowned = append(w.unowned, err)
}
