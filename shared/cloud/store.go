package cloud

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// Bucket is one S3 bucket.
type Bucket struct {
	client *s3.Client
	name   string
}

// Put stores an object whole.
func (b Bucket) Put(ctx context.Context, key, contentType string, content []byte) error {
	_, err := b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.name, Key: &key, Body: bytes.NewReader(content), ContentType: &contentType,
	})
	return err
}

// ErrTooLarge is the error of an object that is larger than its reader accepts. No retry
// helps.
var ErrTooLarge = errors.New("the object is larger")

// Get returns an object of at most limit bytes; it fails with [ErrTooLarge] if it has more.
func (b Bucket) Get(ctx context.Context, key string, limit int64) ([]byte, error) {
	out, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.name, Key: &key})
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Body.Close() }()
	content, err := readAll(io.LimitReader(out.Body, limit+1), min(aws.ToInt64(out.ContentLength), limit+1))
	if err == nil && int64(len(content)) > limit {
		return nil, fmt.Errorf("%w than %d bytes", ErrTooLarge, limit)
	}
	return content, err
}

// Delete removes an object; one that is not there is no error.
func (b Bucket) Delete(ctx context.Context, key string) error {
	_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.name, Key: &key})
	return err
}

// Queue is one SQS queue.
type Queue struct {
	client *sqs.Client
	url    string
	delay  time.Duration
}

// Delayed returns the queue with a delay, of at most 15 minutes, on what Send sends.
func (q Queue) Delayed(d time.Duration) Queue {
	q.delay = d
	return q
}

// MaxBatch is how many messages one SQS call accepts.
const MaxBatch = 10

// ErrRefused is a message's error when SQS accepted the call but not the message.
var ErrRefused = errors.New("the queue refused the message")

// Send sends up to MaxBatch messages in one call and returns each one's error, aligned
// with messages. A call that fails as a whole fails every message.
func (q Queue) Send(ctx context.Context, messages []Message) []error {
	entries := make([]sqstypes.SendMessageBatchRequestEntry, len(messages))
	for i, m := range messages {
		entries[i] = m.toBatchEntry(ctx, fmt.Sprint(i), q.delay)
	}
	out, err := q.client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &q.url, Entries: entries})
	errs := make([]error, len(messages))
	for i := range errs {
		errs[i] = err
		if err == nil {
			errs[i] = ErrRefused
		}
	}
	if err != nil {
		return errs
	}
	for _, ok := range out.Successful {
		var i int
		if _, scanErr := fmt.Sscan(aws.ToString(ok.Id), &i); scanErr == nil && i < len(errs) {
			errs[i] = nil
		}
	}
	return errs
}
