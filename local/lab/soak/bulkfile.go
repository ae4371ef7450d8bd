package soak

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/candidates"
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
	o      Options
	system *Child
	dir    string
	n      int
	begun  time.Time
}

// runFile submits a file of candidates with PDF resumes through the command line, kills the command
// twice, and compares its result with the system's data.
func runFile(ctx context.Context, o Options) error {
	return WithChild(ctx, o, func(c *Child) error {
		return RunFile(ctx, o, c.Dir, c.env, max(20, o.scale(fileCandidates)))
	})
}

// RunFile is [runFile] with n candidates on a running system, which has its data in dir and the
// address and keys of env. No other candidate is submitted meanwhile.
func RunFile(ctx context.Context, o Options, dir string, env map[string]string, n int) error {
	r := &fileRun{o: o, system: &Child{Dir: dir, env: env}, dir: filepath.Join(dir, "bulk"), n: n, begun: time.Now()}
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
	printf(o.Out, "changes follow printed each outcome once, the latest %s after it\n", follower.longest.Round(10*time.Millisecond))
	atBest := (r.n + r.n/100) / contract.WriteTier.Limit // an upload each, and a bulk for a hundred
	printf(o.Out, "%d candidates in %s; the rate of the key allows them in %d minutes at best\n", r.n, took.Round(time.Second), atBest)
	return errors.Join(r.checkResult(), r.checkSystem(ctx))
}

// runUntil runs the command until its journal has so many lines, and kills it, unless it ends before; with 0 it runs to its end.
func (r *fileRun) runUntil(ctx context.Context, lines int) error {
	file := filepath.Join(r.dir, "candidates.csv")
	command := r.newCommand(ctx, "bulk", file, "--resumes", filepath.Join(r.dir, "resumes"), "--on-market")
	command.Stdout = r.o.Out
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
			printf(r.o.Out, "killed after %d records, %s after the beginning\n", lines, time.Since(r.begun).Round(time.Second))
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
	command := exec.CommandContext(ctx, r.o.Program, append([]string{"api"}, args...)...)
	command.Env = append(append(os.Environ(), r.o.Settings...), "DATA_DIR="+r.system.Dir)
	command.Stderr = r.o.Out
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
	api := client.New(r.system.env["BASE_URL"], r.system.env["AGENCY_KEY"], client.WithPacing())
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
	printf(r.o.Out, "%d candidates in %d batches, each once\n", len(seen), batches)
	return nil
}
