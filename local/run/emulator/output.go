package emulator

import (
	"bytes"
	"regexp"
	"sync"
)

// output finds the URL that a child announces, and keeps the last lines that it prints for an error message.
type output struct {
	url chan string // receives the first URL printed

	mu    sync.Mutex
	found bool
	kept  []byte
}

// keptBytes is how many bytes of a child's output are kept.
const keptBytes = 2048

var loopback = regexp.MustCompile(`http://127\.0\.0\.1:\d+\s`)

// Write never returns an error.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.kept = append(o.kept, p...)
	if url := loopback.Find(o.kept); url != nil && !o.found {
		o.found = true
		o.url <- string(bytes.TrimSpace(url))
	}
	if len(o.kept) > keptBytes {
		o.kept = append([]byte(nil), o.kept[len(o.kept)-keptBytes:]...)
	}
	return len(p), nil
}

func (o *output) lastOutput() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(bytes.TrimSpace(o.kept))
}
