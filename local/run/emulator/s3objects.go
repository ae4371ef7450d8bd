package emulator

import (
	"bytes"
	"io"
	"sync"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3bolt"
)

// safeObjects has objects that stay as they were read while others are written. Those of s3bolt lie in pages of
// the database, which a write uses again, or moves, while a response is still being sent.
type safeObjects struct {
	*s3bolt.Backend
	mu sync.RWMutex // held for writing by what changes the database
}

// GetObject implements gofakes3.Backend.
func (s *safeObjects) GetObject(bucket, name string, part *gofakes3.ObjectRangeRequest) (*gofakes3.Object, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return copyObject(s.Backend.GetObject(bucket, name, part))
}

// HeadObject implements gofakes3.Backend.
func (s *safeObjects) HeadObject(bucket, name string) (*gofakes3.Object, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return copyObject(s.Backend.HeadObject(bucket, name))
}

func copyObject(o *gofakes3.Object, err error) (*gofakes3.Object, error) {
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(o.Contents)
	if err != nil {
		return nil, err
	}
	o.Contents = io.NopCloser(bytes.NewReader(content))
	o.Hash = bytes.Clone(o.Hash)
	return o, nil
}

// PutObject implements gofakes3.Backend. It receives the content before others have to wait.
func (s *safeObjects) PutObject(
	bucket, name string, meta map[string]string, input io.Reader, size int64, conditions *gofakes3.PutConditions,
) (gofakes3.PutObjectResult, error) {
	content, err := gofakes3.ReadAll(input, size)
	if err != nil {
		return gofakes3.PutObjectResult{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Backend.PutObject(bucket, name, meta, bytes.NewReader(content), size, conditions)
}

// CopyObject implements gofakes3.Backend.
func (s *safeObjects) CopyObject(fromBucket, from, toBucket, to string, meta map[string]string) (gofakes3.CopyObjectResult, error) {
	return gofakes3.CopyObject(s, fromBucket, from, toBucket, to, meta)
}

// DeleteObject implements gofakes3.Backend.
func (s *safeObjects) DeleteObject(bucket, name string) (gofakes3.ObjectDeleteResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Backend.DeleteObject(bucket, name)
}

// DeleteMulti implements gofakes3.Backend.
func (s *safeObjects) DeleteMulti(bucket string, names ...string) (gofakes3.MultiDeleteResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Backend.DeleteMulti(bucket, names...)
}

// CreateBucket implements gofakes3.Backend.
func (s *safeObjects) CreateBucket(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Backend.CreateBucket(name)
}

// DeleteBucket implements gofakes3.Backend.
func (s *safeObjects) DeleteBucket(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Backend.DeleteBucket(name)
}

// ForceDeleteBucket implements gofakes3.Backend.
func (s *safeObjects) ForceDeleteBucket(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Backend.ForceDeleteBucket(name)
}
