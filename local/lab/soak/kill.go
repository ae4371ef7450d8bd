package soak

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
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
	// preferences holds, for each candidate, the salary of the last acknowledged preferences.
	preferences map[string]int64
	retries     int
}

// runKills kills the whole system again and again while clients repeat unanswered requests, and
// compares the responses with what is stored.
func runKills(ctx context.Context, o Options) error {
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	k := &killRun{o: o, dir: dir, preferences: map[string]int64{}}
	begun := time.Now()
	if err := k.runLives(ctx, o.scale(kills)); err != nil {
		return fmt.Errorf("%w (state and log: %s)", err, dir)
	}
	printf(o.Out, "%d kills in %s\n", o.scale(kills), time.Since(begun).Round(time.Second))
	c, err := startChild(ctx, o, dir)
	if err != nil {
		return err
	}
	defer c.stop()
	k.baseURL.Store(new(c.env["BASE_URL"]))
	if err := k.checkEnd(ctx, c); err != nil {
		return fmt.Errorf("%w (state and log: %s)", err, dir)
	}
	return os.RemoveAll(dir)
}

// runLives starts the system with its clients, and kills it, n times. The clients that put
// preferences run through all lives.
func (k *killRun) runLives(ctx context.Context, n int) error {
	over := make(chan struct{})
	defer close(over)
	for life := range n {
		c, err := startChild(ctx, k.o, k.dir)
		if err != nil {
			return fmt.Errorf("life %d: %w", life, err)
		}
		k.baseURL.Store(new(c.env["BASE_URL"]))
		if life == 0 {
			err = k.startPreferenceClients(ctx, c, over)
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

// startPreferenceClients creates keys and starts the clients that put preferences.
func (k *killRun) startPreferenceClients(ctx context.Context, c *child, over <-chan struct{}) error {
	m, err := newAccountMaker(ctx, c)
	if err != nil {
		return err
	}
	k.keys, err = m.createKeys(ctx, contract.AgencyKey, demo.AgencyID, demo.OwnerID, 12)
	if err != nil {
		return err
	}
	found, err := c.client(k.keys[0]).Candidates(ctx, contract.ListCandidatesRequest{})
	if err != nil {
		return err
	}
	if len(found.Candidates) < 4 {
		return errors.New("the demo has no candidates")
	}
	for i, row := range found.Candidates[:4] {
		k.clients.Go(func() { k.putPreferences(ctx, k.keys[i], row.CandidateUserID, over) })
	}
	return nil
}

// putPreferences puts new preferences, each until it is answered, and records the last salary.
func (k *killRun) putPreferences(ctx context.Context, key, candidate string, over <-chan struct{}) {
	for salary := int64(50_001); ; salary++ {
		p := newPreferences()
		p.SalaryMin = salary
		k.sendUntilAnswered(ctx, key, func(s sender) error {
			_, err := s.SetPreferences(ctx, candidate, p)
			return err
		})
		k.mu.Lock()
		k.preferences[candidate] = salary
		k.mu.Unlock()
		select {
		case <-over:
			return
		case <-time.After(1500 * time.Millisecond): // within the key's rate
		}
	}
}

// startOperations starts a life's submissions, each at a random moment.
func (k *killRun) startOperations(ctx context.Context, life int) {
	keys := k.keys[4:]
	key := func(n int) string { return keys[(life*(singlesPerLife+1)+n)%len(keys)] }
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
