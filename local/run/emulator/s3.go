package emulator

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3bolt"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"go.etcd.io/bbolt"
)

// StartS3 starts S3 in this process. It checks neither signatures nor checksums.
func StartS3(_ context.Context, o Options) (*Process, error) {
	if p := externalService(S3); p != nil {
		return p, nil
	}
	backend, closeBackend, err := s3Backend(o.Dir)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		closeBackend()
		return nil, err
	}
	server := &http.Server{
		Handler:           gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server(),
		ReadHeaderTimeout: 10 * time.Second,
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l) // returns after Stop only
	}()
	stop := sync.OnceFunc(func() {
		_ = server.Close()
		<-served
		closeBackend()
	})
	return &Process{Endpoint: "http://" + l.Addr().String(), stop: stop}, nil
}

func s3Backend(dir string) (_ gofakes3.Backend, closeBackend func(), err error) {
	if dir == "" {
		return s3mem.New(), func() {}, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, err
	}
	file := filepath.Join(dir, "s3.bolt")
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		const advice = "stop the other program that uses this directory, or choose another directory"
		return nil, nil, fmt.Errorf("cannot open %s (%w): %s", file, err, advice)
	}
	return s3bolt.New(db), func() { _ = db.Close() }, nil
}
