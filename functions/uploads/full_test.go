package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// taskMemory is the memory of the deployed task, memoryLimit the GOMEMLIMIT of its Dockerfile.
const (
	taskMemory  = 1 << 30
	memoryLimit = "850MiB"
)

// gate is the end of a body: Read returns nothing until open is closed.
type gate struct {
	reached sync.Once
	waiting *sync.WaitGroup
	open    chan struct{}
}

func (g *gate) Read([]byte) (int, error) {
	g.reached.Do(g.waiting.Done)
	<-g.open
	return 0, io.EOF
}

// The largest bodies in all places, without a length, end at the same time: the task's memory
// suffices.
func TestMemoryOfAFullTask(t *testing.T) {
	t.Parallel()
	p := startProcess(t, "GOMEMLIMIT="+memoryLimit)
	body := pdfSubmissionBody(contract.MaxBodyBytes)
	var waiting, ended sync.WaitGroup
	open := make(chan struct{})
	for i := range maxPlaces / maxOwnPlaces {
		key := p.newAgency(fmt.Sprint("agy_full", i))
		for range maxOwnPlaces {
			waiting.Add(1)
			ended.Go(func() {
				whole := io.MultiReader(strings.NewReader(body), &gate{waiting: &waiting, open: open})
				response, answer := p.postWith(t.Context(), whole, -1, "Authorization", "Bearer "+key)
				// A machine that is slow lets some wait for their slots too long.
				if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusTooManyRequests {
					t.Errorf("got %d %s", response.StatusCode, answer)
				}
			})
		}
	}
	waiting.Wait()
	received := p.peakMemory(t)
	close(open)
	ended.Wait()
	peak := p.peakMemory(t)
	t.Logf("%d MB with all bodies received, %d MB at most", received>>20, peak>>20)
	if received < maxPlaces*contract.MaxBodyBytes || peak > taskMemory {
		t.Errorf("the process had %d bytes with all bodies received and %d at most; want all bodies, and at most %d", received, peak, taskMemory)
	}
}
