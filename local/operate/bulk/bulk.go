// Package bulk applies a function to the lines of large files, many lines at a time,
// and can resume a run that was stopped.
//
// Lines are applied in windows. The position after a window is saved when all of its
// lines are done, so a resumed run repeats at most one window. The function must
// therefore tolerate repeated and reordered lines, as marketplace events do.
//
// The package does not know what a line means.
package bulk

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"golang.org/x/sync/errgroup"
)

// Load is the configuration of a run.
type Load struct {
	// Apply applies a line. A non-empty refused is the reason why the line can never be
	// applied. After an error the line is retried a few times; then the run ends.
	Apply func(ctx context.Context, line string) (refused string, err error)
	// Parallel is how many lines are applied at one time.
	Parallel int
	// Done, if not nil, is called with the position behind each finished window.
	Done func(Position) error
	// Refused, if not nil, is called for each refused line.
	Refused func(line int, reason string)
}

// Position is how far a run has got.
type Position struct {
	// Offset is in bytes, after the last finished line.
	Offset int64 `json:"offset"`
	// Lines counts the lines that are not blank, Refused those among them that were refused.
	Lines   int `json:"lines"`
	Refused int `json:"refused"`
	// Line is the number of the last finished line, blank ones included.
	Line int `json:"line"`
}

const (
	// windowLines is the number of lines in a window.
	windowLines = 500
	// MaxLine is the number of bytes after which a line is cut.
	MaxLine = 32 << 20
	// maxAttempts is how often a line is applied before its error ends the run.
	maxAttempts = 5
)

// Run applies the lines of a source and returns the position after the last finished
// window. The source must begin at the offset of the given position.
func (l Load) Run(ctx context.Context, source io.Reader, at Position) (Position, error) {
	lines := bufio.NewReaderSize(source, 1<<20)
	for {
		next, end, err := l.applyWindow(ctx, lines, at)
		if err != nil {
			return at, err
		}
		at = next
		if l.Done != nil {
			if err := l.Done(at); err != nil {
				return at, err
			}
		}
		if end {
			return at, nil
		}
	}
}

// applyWindow applies up to windowLines lines; end reports whether they were the last.
func (l Load) applyWindow(ctx context.Context, lines *bufio.Reader, at Position) (next Position, end bool, err error) {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(l.Parallel)
	var mu sync.Mutex
	refused := 0
	for next = at; next.Lines-at.Lines < windowLines && !end && err == nil; {
		var line string
		line, end, err = next.readLine(lines)
		if line == "" || err != nil { // of a source that failed, the line may have no end
			continue
		}
		next.Lines++
		number := next.Line
		g.Go(func() error {
			reason, err := l.applyWithRetry(gctx, line)
			if err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			if reason == "" {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			refused++
			if l.Refused != nil {
				l.Refused(number, reason)
			}
			return nil
		})
	}
	err = errors.Join(err, g.Wait())
	next.Refused += refused
	return next, end, err
}

// readLine returns the next line without surrounding white space and advances p behind
// it. A line longer than MaxLine is cut, and left to Apply to refuse.
func (p *Position) readLine(lines *bufio.Reader) (line string, end bool, err error) {
	var raw []byte
	begun := p.Offset
	for err = bufio.ErrBufferFull; errors.Is(err, bufio.ErrBufferFull); {
		var part []byte
		part, err = lines.ReadSlice('\n')
		p.Offset += int64(len(part))
		raw = append(raw, part[:min(len(part), MaxLine-len(raw))]...)
	}
	end = errors.Is(err, io.EOF)
	if end {
		err = nil
	}
	if p.Offset > begun {
		p.Line++
	}
	return string(bytes.TrimSpace(raw)), end, err
}

// applyWithRetry applies a line and retries after an error, with growing pauses.
func (l Load) applyWithRetry(ctx context.Context, line string) (refused string, err error) {
	wait := 100 * time.Millisecond
	for n := range maxAttempts {
		refused, err = l.Apply(ctx, line)
		if err == nil || n == maxAttempts-1 {
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

// WithoutTokens returns a configuration that sends transactions without the client
// token that the SDK adds. The writes of a load are conditional on a version, so a
// repeat changes nothing; and the emulator searches all tokens of the last ten minutes
// in every transaction, which takes more time in a long load than all of its writes.
func WithoutTokens(cfg aws.Config) aws.Config {
	drop := func(
		ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
	) (middleware.InitializeOutput, middleware.Metadata, error) {
		if tx, ok := in.Parameters.(*dynamodb.TransactWriteItemsInput); ok {
			tx.ClientRequestToken = nil
		}
		return next.HandleInitialize(ctx, in)
	}
	cfg.APIOptions = append(slices.Clone(cfg.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("WithoutTokens", drop), middleware.After)
	})
	return cfg
}
