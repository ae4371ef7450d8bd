package emulator

import (
	"context"
	"crypto/rand"
	"sync"
	"testing"
	"time"
)

// testSet holds the services of this test binary. They end with the process, because its children cannot outlive it.
// All test binaries may share one DynamoDB Local, which keeps a separate database for each access key.
var testSet = struct {
	sync.Mutex
	Set
}{Set: Set{accessKey: rand.Text()}}

// ForTest returns the named services, DynamoDB alone if none is named. All tests of one test binary share them, each
// service started in memory at its first use, so a test creates tables, queues and buckets under unique names. If an
// emulator is not installed, the test fails with the command that installs it.
func ForTest(t testing.TB, services ...Service) *Set {
	t.Helper()
	if len(services) == 0 {
		services = []Service{DynamoDB}
	}
	testSet.Lock()
	defer testSet.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute) // per call: services started before do not count
	defer cancel()
	for _, service := range services {
		if *testSet.process(service) != nil {
			continue
		}
		if err := testSet.startService(ctx, Options{}, service); err != nil {
			t.Fatal(err)
		}
	}
	set := testSet.Set
	return &set
}
