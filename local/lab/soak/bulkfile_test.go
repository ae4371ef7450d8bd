package soak

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/candidates"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The candidates of the file, and how often the command is killed.
const (
	fileCandidates = 1000
	fileKills      = 2
)

// fileRun submits the candidates of a file in dir with the command `api bulk`, on a running system.
type fileRun struct {
	out     io.Writer
	program string // local
	data    string // of the system
	env     map[string]string
	dir     string
	n       int
	begun   time.Time
}

// soakFile submits a file of a thousand candidates.
func soakFile(t *testing.T, out io.Writer) {
	p := startProcess(t, newSoakDir(t))
	if err := submitFile(t.Context(), out, p.dir, p.waitUntilReady(), max(20, scaled(fileCandidates))); err != nil {
		t.Error(err)
	}
	p.interrupt()
}

// A file of candidates is submitted, each once, by a command that is killed twice.
func TestFileIsSubmittedDespiteKills(t *testing.T) {
	t.Parallel()
	p := startProcess(t, t.TempDir())
	if err := submitFile(t.Context(), cloudtest.Output(t), p.dir, p.waitUntilReady(), 25); err != nil {
		t.Error(err)
	}
	p.interrupt()
}

// submitFile submits a file of n candidates with PDF resumes through the command line, kills the command
// twice, and compares its result with the data of the running system, which has its state in data and the
// address and keys of env. No other candidate is submitted meanwhile.
func submitFile(ctx context.Context, out io.Writer, data string, env map[string]string, n int) error {
	r := &fileRun{out: out, program: program, data: data, env: env, dir: filepath.Join(data, "bulk"), n: n, begun: time.Now()}
	if err := candidates.Write(r.dir, r.n); err != nil {
		return err
	}
	follower, err := r.startFollower(ctx)
	if err != nil {
		return err
	}
	for life := range fileKills {
		if err := r.runUntil(ctx, 1+(life+1)*r.n/(fileKills+1)); err != nil {
			return fmt.Errorf("life %d: %w", life, err)
		}
	}
	if err := r.runUntil(ctx, 0); err != nil {
		return fmt.Errorf("the last life: %w", err)
	}
	took := time.Since(r.begun)
	if err := follower.stop(ctx, r.n); err != nil {
		return err
	}
	printf(out, "changes follow printed each outcome once, the latest %s after it\n", follower.longest.Round(10*time.Millisecond))
	atBest := (r.n + r.n/100) / contract.WriteTier.Limit // an upload each, and a bulk for a hundred
	printf(out, "%d candidates in %s; the rate of the key allows them in %d minutes at best\n", r.n, took.Round(time.Second), atBest)
	return errors.Join(r.checkResult(), r.checkSystem(ctx))
}

// runUntil runs the command until its journal has so many lines, and kills it, unless it ends before; with 0 it runs to its end.
func (r *fileRun) runUntil(ctx context.Context, lines int) error {
	file := filepath.Join(r.dir, "candidates.csv")
	command := r.newCommand(ctx, "bulk", file, "--resumes", filepath.Join(r.dir, "resumes"), "--on-market")
	command.Stdout = r.out
	if lines == 0 {
		return command.Run()
	}
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for {
		if content, _ := os.ReadFile(file + ".journal"); bytes.Count(content, []byte("\n")) >= lines {
			_ = command.Process.Kill()
			<-ended
			printf(r.out, "killed after %d records, %s after the beginning\n", lines, time.Since(r.begun).Round(time.Second))
			return nil
		}
		select {
		case err := <-ended:
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// newCommand returns a command of `local api` on the system.
func (r *fileRun) newCommand(ctx context.Context, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, r.program, append([]string{"api"}, args...)...)
	command.Env = append(os.Environ(), "DATA_DIR="+r.data)
	command.Stderr = r.out
	return command
}

// checkResult returns an error unless the file of outcomes has every candidate once, succeeded.
func (r *fileRun) checkResult() error {
	file, err := os.Open(filepath.Join(r.dir, "candidates.csv.result.csv"))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		if row[2] != string(contract.Succeeded) || row[3] == "" {
			return fmt.Errorf("the outcome of %s is %q", row[1], row)
		}
		seen[row[1]] = true
	}
	if len(seen) != r.n || len(rows) != r.n+1 {
		return fmt.Errorf("the result has %d rows of %d candidates; want %d", len(rows)-1, len(seen), r.n)
	}
	return nil
}

// checkSystem returns an error unless the batches of the system have each candidate once.
func (r *fileRun) checkSystem(ctx context.Context) error {
	api := client.New(r.env["BASE_URL"], r.env["AGENCY_KEY"], client.WithPacing())
	seen := map[string]int{}
	batches := 0
	for summary, err := range api.AllBatches(ctx, contract.ListBatchesRequest{}) {
		if err != nil {
			return err
		}
		batch, err := api.Batch(ctx, summary.BatchID)
		if err != nil {
			return err
		}
		for _, item := range batch.Items {
			if strings.HasPrefix(item.ClientReferenceID, "candidate-") {
				seen[item.ClientReferenceID]++
			}
		}
		batches++
	}
	for reference, times := range seen {
		if times != 1 {
			return fmt.Errorf("%s was submitted %d times", reference, times)
		}
	}
	if len(seen) != r.n {
		return fmt.Errorf("the batches have %d candidates; want %d", len(seen), r.n)
	}
	printf(r.out, "%d candidates in %d batches, each once\n", len(seen), batches)
	return nil
}

// longestDelay is how late the command `api changes follow` may print an outcome.
const longestDelay = 5 * time.Second

// follower is a running `api changes follow`.
type follower struct {
	command *exec.Cmd
	done    chan struct{}
	count   atomic.Int64   // lines
	seen    map[string]int // outcomes by submission, complete once done
	longest time.Duration  // between an outcome and its line
}

// startFollower starts the command, which prints outcomes from now on.
func (r *fileRun) startFollower(ctx context.Context) (*follower, error) {
	f := &follower{done: make(chan struct{}), seen: map[string]int{}}
	f.command = r.newCommand(ctx, "changes", "follow", "--json", "--type", "submission.succeeded,submission.failed")
	out, err := f.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := f.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(f.done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			change := contract.Change{}
			if json.Unmarshal(lines.Bytes(), &change) == nil {
				f.seen[change.SubmissionID]++
				f.longest = max(f.longest, time.Since(change.OccurredAt.Time))
				f.count.Add(1)
			}
		}
	}()
	return f, nil
}

// stop waits until the command can have printed the last outcome, ends it, and returns an error
// unless it printed n outcomes, each once and in time.
func (f *follower) stop(ctx context.Context, n int) error {
	for late := time.Now().Add(longestDelay); f.count.Load() < int64(n) && time.Now().Before(late) && ctx.Err() == nil; {
		time.Sleep(10 * time.Millisecond)
	}
	_ = f.command.Process.Signal(os.Interrupt)
	<-f.done
	if err := f.command.Wait(); err != nil {
		return err
	}
	for id, times := range f.seen {
		if times != 1 {
			return fmt.Errorf("changes follow printed the outcome of %s %d times", id, times)
		}
	}
	if len(f.seen) != n || f.longest > longestDelay {
		return fmt.Errorf("changes follow printed %d outcomes, the latest after %s; want %d within %s", len(f.seen), f.longest, n, longestDelay)
	}
	return nil
}

// A command that ends before it can be killed is waited for no longer.
func TestCommandThatEndsByItself(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	r := &fileRun{out: io.Discard, program: "go", dir: t.TempDir()} // go knows no command "api"
	if err := r.runUntil(ctx, 1); err == nil || ctx.Err() != nil {
		t.Errorf("got %v; want the error of the command, at once", err)
	}
}
