package soak

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

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
		pause(ctx, 10*time.Millisecond)
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
