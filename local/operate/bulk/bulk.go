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
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/middleware"
	"golang.org/x/sync/errgroup"
)

// Load is the configuration of a run. All fields are required.
type Load struct {
	// Apply applies a line. A non-empty refused is the reason why the line can never be
	// applied. After an error the line is retried a few times; then the run ends.
	Apply    func(ctx context.Context, line string) (refused string, err error)
	Parallel int                           // how many lines are applied at one time
	Done     func(Position) error          // is called with the position behind each finished window; its error ends the run
	Refused  func(line int, reason string) // is called for each refused line, by one goroutine at a time
}

// Position is how far a run has got.
type Position struct {
	Offset  int64 `json:"offset"`  // in bytes, after the last finished line
	Lines   int   `json:"lines"`   // those that are not blank
	Refused int   `json:"refused"` // of them
	Line    int   `json:"line"`    // number of the last finished line, blank ones included
}

// The bounds of a run.
const (
	windowLines = 500
	MaxLine     = 32 << 20 // bytes after which a line is cut
	maxAttempts = 5        // of a line, before its error ends the run
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
		if err := l.Done(at); err != nil || end {
			return at, err
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
			l.Refused(number, reason)
			return nil
		})
	}
	err = errors.Join(err, g.Wait())
	next.Refused += refused
	return next, end, err
}

// readLine returns the next line without space around it, and advances p. One above MaxLine is cut, for Apply to refuse.
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

// Source is a file to load, local or in S3.
type Source struct {
	Name    string // an absolute path or an s3:// URL
	Size    int64
	Version string                                                       // is different for different content
	Open    func(ctx context.Context, from int64) (io.ReadCloser, error) // from an offset on
}

// FindSource returns the source with a name: the path of a file, or s3://bucket/key.
func FindSource(ctx context.Context, client *s3.Client, name string) (Source, error) {
	if rest, ok := strings.CutPrefix(name, "s3://"); ok {
		bucket, key, _ := strings.Cut(rest, "/")
		return findInS3(ctx, client, name, bucket, key)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return Source{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Source{}, err
	}
	open := func(_ context.Context, from int64) (io.ReadCloser, error) {
		f, err := os.Open(path)
		if err == nil {
			_, err = f.Seek(from, io.SeekStart)
		}
		return f, err
	}
	return Source{path, info.Size(), fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano()), open}, nil
}

func findInS3(ctx context.Context, client *s3.Client, name, bucket, key string) (Source, error) {
	head, err := client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &bucket, Key: &key})
	if err != nil {
		return Source{}, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	open := func(ctx context.Context, from int64) (io.ReadCloser, error) {
		in := &s3.GetObjectInput{Bucket: &bucket, Key: &key, IfMatch: head.ETag}
		if from > 0 && from >= aws.ToInt64(head.ContentLength) {
			return io.NopCloser(strings.NewReader("")), nil // S3 refuses a range after the end
		}
		if from > 0 {
			in.Range = aws.String(fmt.Sprintf("bytes=%d-", from))
		}
		out, err := client.GetObject(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("read the object of the load: %w", err)
		}
		return out.Body, nil
	}
	return Source{name, aws.ToInt64(head.ContentLength), aws.ToString(head.ETag), open}, nil
}

// Checkpoint is a file with the position up to which a source was loaded.
type Checkpoint struct {
	path string
	// Source and Version identify the content that Position is in; another version is loaded from its beginning.
	Source   string   `json:"source"`
	Version  string   `json:"version"`
	Position Position `json:"place"`
}

// OpenCheckpoint reads the checkpoint of a source in a directory. Without a file for
// this version of the source it returns one at the beginning.
func OpenCheckpoint(dir, source, version string) (*Checkpoint, error) {
	sum := sha256.Sum256([]byte(source))
	c := &Checkpoint{path: filepath.Join(dir, hex.EncodeToString(sum[:8])+".json"), Source: source, Version: version}
	content, err := os.ReadFile(c.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var saved Checkpoint
	if json.Unmarshal(content, &saved) == nil && saved.Source == source && saved.Version == version {
		c.Position = saved.Position
	}
	return c, nil
}

// Save stores a position. The file is replaced atomically: a killed process leaves the previous one.
func (c *Checkpoint) Save(at Position) error {
	c.Position = at
	content, _ := json.Marshal(c) // of texts and numbers
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return fmt.Errorf("save the checkpoint: %w", err)
	}
	if err := os.WriteFile(c.path+".new", content, 0o600); err != nil {
		return fmt.Errorf("save the checkpoint: %w", err)
	}
	return os.Rename(c.path+".new", c.path)
}

// Delete deletes the checkpoint, once its source is loaded.
func (c *Checkpoint) Delete() error {
	if err := os.Remove(c.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
