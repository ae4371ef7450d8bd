package bulk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// Source is a file to load, local or in S3.
type Source struct {
	// Name is an absolute path or an s3:// URL.
	Name string
	Size int64
	// Version is different for different content.
	Version string
	// Open returns a reader of the source from an offset on.
	Open func(ctx context.Context, from int64) (io.ReadCloser, error)
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
			return nil, err
		}
		return out.Body, nil
	}
	return Source{name, aws.ToInt64(head.ContentLength), aws.ToString(head.ETag), open}, nil
}

// Checkpoint is a file with the position up to which a source was loaded.
type Checkpoint struct {
	path string
	// Source and Version identify the content that Position is in; another version is
	// loaded from its beginning.
	Source   string   `json:"source"`
	Version  string   `json:"version"`
	Position Position `json:"place"`
}

// OpenCheckpoint reads the checkpoint of a source in a directory. Without a file for
// this version of the source it returns one at the beginning.
func OpenCheckpoint(dir, source, version string) (*Checkpoint, error) {
	sum := sha256.Sum256([]byte(source))
	fresh := &Checkpoint{path: filepath.Join(dir, hex.EncodeToString(sum[:8])+".json"), Source: source, Version: version}
	content, err := os.ReadFile(fresh.path)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	if err != nil {
		return nil, err
	}
	c := *fresh
	if json.Unmarshal(content, &c) != nil || c.Source != source || c.Version != version {
		return fresh, nil
	}
	return &c, nil
}

// Save stores a position. The file is replaced atomically: a killed process leaves the
// previous one.
func (c *Checkpoint) Save(at Position) error {
	c.Position = at
	content, _ := json.Marshal(c) // of texts and numbers
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(c.path+".new", content, 0o600); err != nil {
		return err
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
