// Package objectstore reads and writes objects in S3. It is a package of its own so that a
// function without objects starts without the client of S3.
package objectstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Bucket is one S3 bucket.
type Bucket struct {
	client *s3.Client
	name   string
}

// Open opens a bucket by its deployed name.
func Open(o *cloud.Opener, b topology.Bucket) Bucket {
	return Bucket{client: NewClient(o.Host), name: o.RequireSetting(b.Env)}
}

// NewClient returns a client for operations that [Bucket] lacks, and for buckets outside the topology.
func NewClient(h cloud.Host) *s3.Client {
	return s3.NewFromConfig(h.AWS, func(o *s3.Options) { o.UsePathStyle = h.ReplacesEndpoint("S3") })
}

// Put stores an object whole.
func (b Bucket) Put(ctx context.Context, key, contentType string, content []byte) (err error) {
	defer fault.Wrap(&err, "objectstore.Put(key)")

	_, err = b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.name, Key: &key, Body: bytes.NewReader(content), ContentType: &contentType,
	})
	return err
}

// ErrTooLarge is the error of an object that is larger than its reader accepts. No retry helps.
var ErrTooLarge = errors.New("the object is larger")

// Get returns an object of at most limit bytes; it fails with [ErrTooLarge] if it has more.
func (b Bucket) Get(ctx context.Context, key string, limit int64) (_ []byte, err error) {
	defer fault.Wrap(&err, "objectstore.Get(key)")

	out, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.name, Key: &key})
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Body.Close() }()
	content, err := cloud.ReadAll(io.LimitReader(out.Body, limit+1), min(aws.ToInt64(out.ContentLength), limit+1))
	if err == nil && int64(len(content)) > limit {
		return nil, fmt.Errorf("%w than %d bytes", ErrTooLarge, limit)
	}
	return content, err
}

// Delete removes an object; a missing one is not an error.
func (b Bucket) Delete(ctx context.Context, key string) (err error) {
	defer fault.Wrap(&err, "objectstore.Delete(key)")

	_, err = b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.name, Key: &key})
	return err
}
