package emulator

import (
	"context"
	"sync"
	"testing"
	"time"
)

// testSet is the one set of a test binary. It ends with the process, because its children cannot outlive it.
var testSet struct {
	sync.Mutex
	Set
}

// ForTest returns the services asked for, DynamoDB alone when none is named. Every test of one test binary gets the
// same ones, each started in memory at its first use, so a test makes tables, queues and buckets under names of its
// own. What is not installed fails the test with the line that installs it.
func ForTest(t testing.TB, services ...Service) *Set {
	t.Helper()
	if len(services) == 0 {
		services = []Service{DynamoDB}
	}
	testSet.Lock()
	defer testSet.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute) // what others started before takes none of it
	defer cancel()
	for _, service := range services {
		if testSet.hasService(service) {
			continue
		}
		if err := testSet.startService(ctx, Options{}, service); err != nil {
			t.Fatal(err)
		}
	}
	set := testSet.Set
	return &set
}

func (s *Set) hasService(service Service) bool {
	return service == DynamoDB && s.DynamoDB != nil || service == SQS && s.SQS != nil || service == S3 && s.S3 != nil
}
