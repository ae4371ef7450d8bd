// Package bulk runs the lines of large files through a function, side by side,
// so that a run that stops can be taken up where it was.
//
// Lines are applied in windows: all lines of one are done before the place behind
// it is noted, so a resumed run repeats at most one window. What is applied must
// be safe to repeat and to reorder, as marketplace events are.
package bulk

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Load says what to run.
type Load struct {
	// Apply applies a line; refused says why it can never be applied. An error is
	// tried again a few times and then ends the run.
	Apply func(ctx context.Context, line string) (refused string, err error)
	// Parallel lines are applied at one time.
	Parallel int
	// Done, when not nil, is told the place behind each finished window.
	Done func(Position) error
	// Refused, when not nil, is told of each refused line.
	Refused func(line int, reason string)
}

// Position is how far a run has come.
type Position struct {
	// Offset is in bytes, behind the last finished line.
	Offset int64 `json:"offset"`
	// Lines counts lines that are not blank, Refused those of them that were refused.
	Lines   int `json:"lines"`
	Refused int `json:"refused"`
	// Line is the number of the last finished line, blank ones included.
	Line int `json:"line"`
}

const (
	// windowLines is how many lines are done between two notes of the place.
	windowLines = 500
	// MaxLine is how much of a line is read, in bytes.
	MaxLine = 32 << 20
	// maxAttempts is how often a line is tried.
	maxAttempts = 5
)

// Run applies the lines of a source, which begins at the place's offset.
func (l Load) Run(ctx context.Context, source io.Reader, at Position) (Position, error) {
	lines := bufio.NewReaderSize(source, 1<<20)
	for {
		next, end, err := l.applyWindow(ctx, lines, at)
		if err != nil {
			return at, err
		}
		if at = next; l.Done != nil {
			if err := l.Done(at); err != nil {
				return at, err
			}
		}
		if end {
			return at, nil
		}
	}
}

// applyWindow applies up to a window of lines; end tells that there are no more.
func (l Load) applyWindow(ctx context.Context, lines *bufio.Reader, at Position) (next Position, end bool, err error) {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(l.Parallel)
	var refused refusals
	for next = at; next.Lines-at.Lines < windowLines && !end && err == nil; {
		var line string
		if line, end, err = next.readLine(lines); line == "" {
			continue
		}
		next.Lines++
		number := next.Line
		g.Go(func() error {
			reason, err := l.applyWithRetry(gctx, line)
			if err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			refused.addRefusal(number, reason, l.Refused)
			return nil
		})
	}
	err = errors.Join(err, g.Wait())
	next.Refused += refused.count
	return next, end, err
}

// readLine moves the place behind the next line; a blank one is empty. A line that is too
// long is cut, for Apply to refuse.
func (p *Position) readLine(lines *bufio.Reader) (line string, end bool, err error) {
	var raw []byte
	begun := p.Offset
	for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		var part []byte
		part, err = lines.ReadSlice('\n')
		p.Offset += int64(len(part))
		raw = append(raw, part[:min(len(part), MaxLine-len(raw))]...)
	}
	if end = errors.Is(err, io.EOF); end {
		err = nil
	}
	if p.Offset > begun {
		p.Line++
	}
	return string(bytes.TrimSpace(raw)), end, err
}

// refusals counts the refused lines of a window.
type refusals struct {
	mu    sync.Mutex
	count int
}

func (r *refusals) addRefusal(line int, reason string, tell func(int, string)) {
	if reason == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count++; tell != nil {
		tell(line, reason)
	}
}

// applyWithRetry applies a line, again after a failure.
func (l Load) applyWithRetry(ctx context.Context, line string) (refused string, err error) {
	wait := 100 * time.Millisecond
	for n := range maxAttempts {
		if refused, err = l.Apply(ctx, line); err == nil || n == maxAttempts-1 {
			break
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(wait/2 + rand.N(wait/2)):
			wait *= 2
		}
	}
	return refused, err
}
