package system_test

import (
	"context"
	"errors"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// faultInjector is a hook that applies a fault to one attempt of an AWS call.
type faultInjector struct {
	mu    sync.Mutex
	match func(cloud.Call) bool
	fault func(send func() error) error
}

// injectAt applies the fault to the next attempt that matches.
func (s *faultInjector) injectAt(match func(cloud.Call) bool, fault func(send func() error) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.match = match
	s.fault = fault
}

// isPending reports whether no attempt has matched yet.
func (s *faultInjector) isPending() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.match != nil
}

// Hook is a [cloud.Hook].
func (s *faultInjector) Hook(_ context.Context, call cloud.Call, send func() error) error {
	s.mu.Lock()
	hit := s.match != nil && s.match(call)
	if hit {
		s.match = nil
	}
	s.mu.Unlock()
	if hit {
		return s.fault(send)
	}
	return send()
}

// errFinal is an error that no SDK retries.
var errFinal = errors.New("a test failed the call")

// callFaults are the ways in which a call can fail.
var callFaults = map[string]func(send func() error) error{
	"fails before":                   func(func() error) error { return errFinal },
	"happens, the answer is lost":    func(send func() error) error { return errors.Join(errFinal, send()) },
	"happens, and the SDK repeats":   func(send func() error) error { _ = send(); return cloudtest.Lost{} },
	"happens twice before an answer": func(send func() error) error { _ = send(); return send() },
}

// matchNth matches the n-th attempt of an operation; 1 is the first.
func matchNth(operation string, n int) func(cloud.Call) bool {
	return func(c cloud.Call) bool {
		if c.Operation == operation {
			n--
		}
		return c.Operation == operation && n == 0
	}
}

// matchUpdateOf matches the first UpdateItem of a table.
func matchUpdateOf(table string) func(cloud.Call) bool {
	return func(c cloud.Call) bool {
		in, ok := c.Input.(*dynamodb.UpdateItemInput)
		return ok && *in.TableName == table
	}
}
