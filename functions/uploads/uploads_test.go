package main

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// submissionBody is a valid request of exactly so many bytes, most of them the file, a text.
func submissionBody(size int) string { return submissionOf("", size) }

// pdfSubmissionBody is submissionBody whose file begins as a PDF does. Its type is found at once, while a text is
// searched to its end.
func pdfSubmissionBody(size int) string { return submissionOf("%PDF-1.7\n", size) }

// submissionOf is a valid request of exactly so many bytes, most of them a file that begins with head.
func submissionOf(head string, size int) string {
	request := func(file string) string {
		return `{"name": "Priya Raman", "email": "priya.raman@example.com", "linkedinUrl": "https://www.linkedin.com/in/priya-raman-demo",
			"preferences": {"locations": ["europe"], "workplaceTypes": ["REMOTE"], "salaryMin": 90000,
				"idealFundingRounds": ["SERIES_A"], "visaAuthorization": "HAS_VISA_AUTHORIZATION"},
			"resume": {"contentBase64": "` + base64.StdEncoding.EncodeToString([]byte(file)) + `"}}`
	}
	const line = "Priya Raman, engineer.\n"
	room := size - len(request(""))
	body := request((head + strings.Repeat(line, room/len(line)+1))[:room/4*3])
	return body + strings.Repeat(" ", size-len(body))
}

func TestBodiesUpToTheContractsLimitPass(t *testing.T) {
	t.Parallel()
	p := startProcess(t)
	body := pdfSubmissionBody(contract.MaxBodyBytes)
	for name, length := range map[string]int64{"with a length": contract.MaxBodyBytes, "chunked": -1} {
		response, answer := p.post(strings.NewReader(body), length)
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: got %d %s; want 200", name, response.StatusCode, answer)
		}
	}
}

func TestOneByteMoreIsThePlain413(t *testing.T) {
	t.Parallel()
	p := startProcess(t)
	body := pdfSubmissionBody(contract.MaxBodyBytes + 1)
	for name, length := range map[string]int64{"with a length": contract.MaxBodyBytes + 1, "chunked": -1} {
		response, answer := p.post(strings.NewReader(body), length)
		if response.StatusCode != http.StatusRequestEntityTooLarge || strings.Contains(answer, "{") || response.Header.Get("X-Request-Id") != "" {
			t.Errorf("%s: got %d %q %v; want 413, plain, without a request id", name, response.StatusCode, answer, response.Header)
		}
		if kind := response.Header.Get("Content-Type"); kind != "text/plain; charset=utf-8" {
			t.Errorf("%s: got %s", name, kind)
		}
	}
}

// perMB is how much memory a MB of body may cost.
const perMB = 5

func TestMemoryOfALargeBody(t *testing.T) {
	t.Parallel()
	p := startProcess(t)
	p.post(strings.NewReader(submissionBody(4<<10)), 4<<10) // the first request opens connections
	before := p.peakMemory(t)
	if response, answer := p.post(strings.NewReader(submissionBody(contract.MaxBodyBytes)), contract.MaxBodyBytes); response.StatusCode != http.StatusOK {
		t.Fatalf("got %d %s", response.StatusCode, answer)
	}
	grown := float64(p.peakMemory(t)-before) / contract.MaxBodyBytes
	t.Logf("%.2f MB per MB of body", grown)
	if grown <= 0 || grown >= perMB {
		t.Errorf("memory grew by %.2f MB per MB of body; want less than %d", grown, perMB)
	}
}

// peakMemory is the most memory that the process has had, in bytes.
func (p *process) peakMemory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.Process.Pid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}

// A request that is being sent when the process is told to stop is still answered.
func TestStopsWhenTheRequestsInFlightAreAnswered(t *testing.T) {
	t.Parallel()
	p := startProcess(t)
	body := submissionBody(1 << 20)
	sent, rest := io.Pipe()
	asked := make(chan struct{})
	answered := make(chan struct{})
	go func() {
		// The body is asked for by the handler, which tells that it runs.
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got100Continue: func() { close(asked) }})
		response, answer := p.postWith(ctx, sent, int64(len(body)), "Expect", "100-continue")
		if response.StatusCode != http.StatusOK {
			t.Errorf("the request in flight was answered %d %s", response.StatusCode, answer)
		}
		close(answered)
	}()
	if _, err := io.WriteString(rest, body[:len(body)/2]); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case <-answered: // with an error
	}
	p.stop()
	wantRefusals(t, p)
	if _, err := io.WriteString(rest, body[len(body)/2:]); err != nil {
		t.Fatal(err)
	}
	_ = rest.Close()
	<-answered
	<-p.ended
	if p.end != nil {
		t.Errorf("the process ended with %v", p.end)
	}
}

// wantRefusals waits until the process takes no further connections.
func wantRefusals(t *testing.T, p *process) {
	t.Helper()
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		response, err := fresh.Get(p.url + "/healthz")
		if err != nil {
			return
		}
		_ = response.Body.Close()
	}
	t.Fatal("the process still takes connections")
}
