package bulk

import (
	"context"
	"fmt"
	"io"
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
