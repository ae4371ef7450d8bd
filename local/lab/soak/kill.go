package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
)

// The number of times the system is killed, and what its clients do in each of its lives.
const (
	kills            = 40
	singlesPerLife   = 3
	bulkItemsPerLife = 20
	longestLife      = 2 * time.Second
	endTime          = 4 * time.Minute // within which every request is answered and every item ends
)

// killRun is a system that is killed repeatedly, with its clients.
type killRun struct {
	o       Options
	dir     string
	keys    []string
	baseURL atomic.Pointer[string]
	clients sync.WaitGroup

	mu          sync.Mutex
	submissions []*repeatedSubmission
	failed      []error
	retries     int
}

// runKills kills the whole system again and again while clients repeat unanswered requests, and
// compares the responses with the stored data.
func runKills(ctx context.Context, o Options) error {
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	k := &killRun{o: o, dir: dir}
	begun := time.Now()
	if err := k.runLives(ctx, o.scale(kills)); err != nil {
		return fmt.Errorf("%w (state and log: %s)", err, dir)
	}
	printf(o.Out, "%d kills in %s\n", o.scale(kills), time.Since(begun).Round(time.Second))
	c, err := startChild(ctx, o, dir)
	if err != nil {
		return err
	}
	k.baseURL.Store(new(c.env["BASE_URL"]))
	err = k.checkEnd(ctx, c)
	c.stop()
	if err != nil {
		return fmt.Errorf("%w (state and log: %s)", err, dir)
	}
	return os.RemoveAll(dir)
}

// runLives starts the system with its clients, and kills it, n times.
func (k *killRun) runLives(ctx context.Context, n int) error {
	for life := range n {
		c, err := startChild(ctx, k.o, k.dir)
		if err != nil {
			return fmt.Errorf("life %d: %w", life, err)
		}
		k.baseURL.Store(new(c.env["BASE_URL"]))
		if life == 0 {
			k.keys, err = c.createKeys(ctx, demo.AgencyID, demo.OwnerID)
		}
		if err == nil {
			k.startOperations(ctx, life)
			pause(ctx, rand.N(longestLife))
		}
		c.kill()
		_ = os.Rename(filepath.Join(k.dir, "env"), filepath.Join(k.dir, "env.last"))
		if err != nil {
			return err
		}
	}
	return nil
}

// startOperations starts a life's submissions, each at a random moment.
func (k *killRun) startOperations(ctx context.Context, life int) {
	key := func(n int) string { return k.keys[(life*(singlesPerLife+1)+n)%len(k.keys)] }
	for n := range singlesPerLife {
		slug := fmt.Sprintf("kill-%d-%d", life, n)
		of := samples[n%2] // without the PDF: compiling its reader takes longer than a life
		in := newSubmission(slug, of, of.readFile())
		k.startOperation(ctx, &repeatedSubmission{key: key(n), slugs: []string{slug}, send: func(ctx context.Context, s sender) (string, error) {
			out, err := s.Submit(ctx, in)
			return out.BatchID, err
		}})
	}
	prefix := fmt.Sprintf("kill-%d", life)
	content := append(samples[0].readFile(), prefix...) // an upload of its own
	bulk := &repeatedSubmission{key: key(singlesPerLife), send: func(ctx context.Context, s sender) (string, error) {
		upload, err := s.Upload(ctx, newSubmission(prefix, samples[0], content).Resume)
		if err != nil {
			return "", err
		}
		out, err := s.SubmitBulk(ctx, newBulk(prefix+"-bulk", bulkItemsPerLife, samples[0], upload.ResumeFileID))
		if err == nil {
			err = checkBulk(out)
		}
		return out.BatchID, err
	}}
	for n := range bulkItemsPerLife {
		bulk.slugs = append(bulk.slugs, fmt.Sprintf("%s-bulk-%d", prefix, n))
	}
	k.startOperation(ctx, bulk)
}
