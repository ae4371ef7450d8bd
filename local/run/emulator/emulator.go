// Package emulator starts and stops the DynamoDB, SQS and S3 that the local system and the tests talk to.
//
//   - DynamoDB is a child process: dynoxide, which with a directory keeps its tables in dynamodb.sqlite there, or
//     DynamoDB Local on Java, in shared-local-instance.db; see [EmulatorVariable].
//   - SQS is fauxqs, a child process on Node; always in memory, so queues and messages are lost when it ends.
//   - S3 is gofakes3 in this process; with a directory it keeps its objects in s3.bolt there.
//
// All three listen on loopback, except DynamoDB Local, which cannot: it listens on all interfaces. A child never outlives
// this process, however this process ends.
//
// An endpoint that the environment already names in the AWS SDK's own variables (AWS_ENDPOINT_URL_DYNAMODB,
// AWS_ENDPOINT_URL_SQS, AWS_ENDPOINT_URL_S3, or AWS_ENDPOINT_URL for all of them) is used instead, unchecked: that is
// how DynamoDB Local and real AWS take an emulator's place. [LocalStackVariable] names a LocalStack.
//
// Only dynoxide is bound to a platform. The others run wherever Go, Node and Java do.
//
// The package knows no table, queue or bucket of the system, and creates none. The children are installed by npm ci in
// local/, see local/package.json, and by .ci/java.
//
// # DynamoDB Local
//
// make dynamodb, of which make check runs most, repeats the tests that use DynamoDB on DynamoDB Local, AWS's own emulator. A test
// must pass on both, so no test relies on what only one of them does. Where DynamoDB Local is stricter, it behaves as AWS
// documents; dynoxide alone would not have shown such a mistake.
//
//   - Dynoxide accepts, and DynamoDB Local refuses: an empty string in a key condition, a start key outside the key
//     condition, a projection of attributes that a global index lacks, and IN with more than 100 operands.
//   - Dynoxide charges a GetItem or a TransactGetItems with a projection for its result; DynamoDB Local charges for
//     the whole item. No code uses projections.
//   - DynamoDB Local counts several small items of one table in a transaction as one, and charges nothing for a read that
//     finds nothing. AWS and dynoxide charge for each. Tests that count units use one item of each table in a transaction.
//   - DynamoDB Local deletes expired items within seconds, by its machine's clock; AWS within days, dynoxide never.
//     Tables of a test, which has another clock, have no time to live.
//   - A page of a query ends before the item that exceeds a megabyte on dynoxide, after it on DynamoDB Local, which
//     does not count what a filter drops. Items with the same sort key in a global index are in the order of their keys
//     on dynoxide, of their hashes on DynamoDB Local.
//   - The texts of errors differ, as does the code of a wrong operand in a transaction: TransactionCanceledException on
//     dynoxide, ValidationException on DynamoDB Local.
//
// Neither has conflicts of transactions, throttling or stale reads; tests inject them with hooks (package cloudtest).
package emulator

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// Service is one AWS service, by the name that the SDK's endpoint variables use.
type Service string

// The services that can be started.
const (
	DynamoDB Service = "DYNAMODB"
	SQS      Service = "SQS"
	S3       Service = "S3"
)

// Variable returns the SDK's environment variable for the service's endpoint, such as AWS_ENDPOINT_URL_DYNAMODB.
func (s Service) Variable() string { return "AWS_ENDPOINT_URL_" + string(s) }

// Set holds the started services; a service that was not requested has no endpoint.
type Set struct {
	DynamoDB, SQS, S3 Process

	accessKey string // replaces the environment's
}

// Start starts the services, or all three if none is named. Their state survives a restart in the directory dir, which is created
// if missing; without a name it is in memory. ctx bounds only the start; [Set.Stop] ends the services. On an error nothing is left
// running.
func Start(ctx context.Context, dir string, services ...Service) (*Set, error) {
	if len(services) == 0 {
		services = []Service{S3, DynamoDB, SQS} // S3 first: its file lock detects a second program on the same directory
	}
	if err := checkLocalStack(ctx, services); err != nil {
		return nil, err
	}
	set := &Set{}
	for _, service := range services {
		if err := set.startService(ctx, dir, service); err != nil {
			set.Stop()
			return nil, err
		}
	}
	return set, nil
}

// starters start a service with its state in a directory that is there, or in memory for "", and return once it serves requests.
var starters = map[Service]func(ctx context.Context, dir string) (Process, error){DynamoDB: startDynamoDB, SQS: startSQS, S3: startS3}

// startService starts a service, or takes the one that the environment names.
func (s *Set) startService(ctx context.Context, dir string, service Service) (err error) {
	p := s.process(service)
	p.Endpoint = cmp.Or(os.Getenv(service.Variable()), localStackEndpoint(), os.Getenv("AWS_ENDPOINT_URL"))
	if p.Endpoint == "" && dir != "" {
		err = os.MkdirAll(dir, 0o700)
	}
	if p.Endpoint == "" && err == nil {
		*p, err = starters[service](ctx, dir)
	}
	return err
}

func (s *Set) process(service Service) *Process {
	return map[Service]*Process{DynamoDB: &s.DynamoDB, SQS: &s.SQS, S3: &s.S3}[service]
}

// Stop ends every service of the set that this process started, and waits until all have ended. It is safe to call more than once
// and from any goroutine.
func (s *Set) Stop() {
	for _, p := range []Process{s.SQS, s.DynamoDB, s.S3} {
		if p.stop != nil {
			p.stop()
		}
	}
}

// Wait waits until ctx ends, and returns nil, or until the child of a service has ended, and returns an error with its
// last output.
func (s *Set) Wait(ctx context.Context) error {
	const ended = "the emulator of %s has ended by itself; it printed last: %s"
	select {
	case <-ctx.Done():
		return nil
	case <-s.DynamoDB.done:
		return fmt.Errorf(ended, DynamoDB, s.DynamoDB.out.lastOutput())
	case <-s.SQS.done:
		return fmt.Errorf(ended, SQS, s.SQS.out.lastOutput())
	}
}

// Env returns the AWS SDK's environment for the set: the endpoint of each started service, and a region and
// credentials if the environment has none of its own.
func (s *Set) Env() map[string]string {
	// A busy machine is not an outage, and a poll of SQS takes 20 seconds.
	env := map[string]string{"AWS_REGION": cmp.Or(os.Getenv("AWS_REGION"), "us-east-1"), "AWS_RESPONSE_TIMEOUT": "1m"}
	if s.accessKey != "" || os.Getenv("AWS_ACCESS_KEY_ID") == "" && os.Getenv("AWS_PROFILE") == "" {
		env["AWS_ACCESS_KEY_ID"] = cmp.Or(s.accessKey, "local")
		env["AWS_SECRET_ACCESS_KEY"] = "local"
	}
	if localStackEndpoint() != "" {
		maps.Copy(env, localStackCredentials)
	}
	for service := range starters {
		if p := s.process(service); p.Endpoint != "" {
			env[service.Variable()] = p.Endpoint
		}
	}
	return env
}

// LocalStackVariable is the environment variable with the address of a LocalStack, which then takes the place of the
// emulators of all services with their own variable unset. It is sent no credentials but LocalStack's own.
const LocalStackVariable = "LOCALSTACK"

// localStackCredentials replace those of the environment, which can be an account's.
var localStackCredentials = map[string]string{"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_SESSION_TOKEN": "test"}

func localStackEndpoint() string { return strings.TrimSuffix(os.Getenv(LocalStackVariable), "/") }

// checkLocalStack reports as an error if the LocalStack that the environment names does not run one of the services
// for which it is used.
func checkLocalStack(ctx context.Context, services []Service) error {
	endpoint := localStackEndpoint()
	if endpoint == "" {
		return nil
	}
	if address, err := url.Parse(endpoint); err != nil || address.Host == "" {
		return fmt.Errorf("%s=%s is not an address such as http://localhost:4566", LocalStackVariable, endpoint)
	}
	request, _ := http.NewRequestWithContext(ctx, http.MethodGet, endpoint+"/_localstack/health", nil) // the endpoint is a URL
	response, err := http.DefaultClient.Do(request)
	var health struct{ Services map[string]string } // their states; an available one starts at its first request
	if err == nil {
		err = json.NewDecoder(response.Body).Decode(&health)
		_ = response.Body.Close()
	}
	if err != nil {
		return fmt.Errorf("no LocalStack answers at %s; start one: docker run --rm -p 4566:4566 localstack/localstack:4.14.0 (%w)", endpoint, err)
	}
	var missing []string
	for _, service := range services {
		name := strings.ToLower(string(service))
		isRunning := health.Services[name] == "available" || health.Services[name] == "running"
		if os.Getenv(service.Variable()) == "" && !isRunning {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the LocalStack at %s runs no %s", endpoint, strings.Join(missing, ", "))
	}
	return nil
}

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
		if testSet.process(service).Endpoint != "" {
			continue
		}
		if err := testSet.startService(ctx, "", service); err != nil {
			t.Fatal(err)
		}
	}
	set := testSet.Set
	return &set
}
