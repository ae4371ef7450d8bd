package emulator

import (
	"context"
	"sync"
	"testing"
	"time"
)

// inTest is the one set of a test binary. It ends with the process, because its children cannot outlive it.
var inTest struct {
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
	inTest.Lock()
	defer inTest.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute) // what others started before takes none of it
	defer cancel()
	for _, service := range services {
		if inTest.has(service) {
			continue
		}
		if err := inTest.start(ctx, Options{}, service); err != nil {
			t.Fatal(err)
		}
	}
	set := inTest.Set
	return &set
}

func (s *Set) has(service Service) bool {
	return service == DynamoDB && s.DynamoDB != nil || service == SQS && s.SQS != nil || service == S3 && s.S3 != nil
}
