// Package emulator starts and stops the DynamoDB, SQS and S3 that the local system and the tests talk to.
//
//   - DynamoDB is dynoxide, a child process; with a directory it keeps its tables in dynamodb.sqlite there.
//   - SQS is fauxqs, a child process on Node; always in memory, so queues and messages are gone with it.
//   - S3 is gofakes3 in this process; with a directory it keeps its objects in s3.bolt there.
//
// All three listen on loopback, on ports that are free. A child never outlives this process, however it ends.
//
// An endpoint that the environment already names in the AWS SDK's own variables (AWS_ENDPOINT_URL_DYNAMODB,
// AWS_ENDPOINT_URL_SQS, AWS_ENDPOINT_URL_S3, or AWS_ENDPOINT_URL for all of them) is used instead, unchecked: that is
// how DynamoDB Local, LocalStack and real AWS take an emulator's place.
//
// The package knows no table, queue or bucket of the system, and makes none. The children are installed by npm ci in
// local/, see local/package.json.
package emulator

import (
	"context"
	"io"
	"os"
)

// Service is one AWS service, by the name that the SDK's endpoint variables use.
type Service string

// The services that can be started.
const (
	DynamoDB Service = "DYNAMODB"
	SQS      Service = "SQS"
	S3       Service = "S3"
)

// Variable names the SDK's environment variable for the service's endpoint, as AWS_ENDPOINT_URL_DYNAMODB.
func (s Service) Variable() string { return "AWS_ENDPOINT_URL_" + string(s) }

// Options say where the emulators keep their state and find their programs. The zero value is right for tests.
type Options struct {
	// Dir is the directory for state that survives a restart; it is made when missing. Empty keeps all in memory.
	Dir string
	// NodeModules is the directory that npm ci filled. Empty finds local/node_modules from the working directory.
	NodeModules string
	// Log receives what the children print; it must be safe for use by several at once. Nil drops it.
	Log io.Writer
}

// Set is the started services; a service that was not asked for is nil.
type Set struct {
	DynamoDB, SQS, S3 *Process
}

// Start starts the services, or all three when none is named. ctx bounds only the start; Stop ends what runs.
// On an error nothing is left running.
func Start(ctx context.Context, o Options, services ...Service) (*Set, error) {
	if len(services) == 0 {
		services = []Service{S3, DynamoDB, SQS} // S3 first: its file lock tells of a second program on the same Dir
	}
	set := &Set{}
	for _, service := range services {
		if err := set.startService(ctx, o, service); err != nil {
			set.Stop()
			return nil, err
		}
	}
	return set, nil
}

func (s *Set) startService(ctx context.Context, o Options, service Service) (err error) {
	switch service {
	case DynamoDB:
		s.DynamoDB, err = StartDynamoDB(ctx, o)
	case SQS:
		s.SQS, err = StartSQS(ctx, o)
	case S3:
		s.S3, err = StartS3(ctx, o)
	}
	return err
}

// Stop ends every service of the set that this process started, and waits for their end.
func (s *Set) Stop() {
	for _, p := range []*Process{s.SQS, s.DynamoDB, s.S3} {
		if p != nil {
			p.Stop()
		}
	}
}

// Env returns the AWS SDK's environment for the set: the endpoint of each started service, and a region and
// credentials where the environment has none of its own.
func (s *Set) Env() map[string]string {
	env := map[string]string{"AWS_REGION": "us-east-1"}
	if region := os.Getenv("AWS_REGION"); region != "" {
		env["AWS_REGION"] = region
	}
	if os.Getenv("AWS_ACCESS_KEY_ID") == "" && os.Getenv("AWS_PROFILE") == "" {
		env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"] = "local", "local"
	}
	for service, p := range map[Service]*Process{DynamoDB: s.DynamoDB, SQS: s.SQS, S3: s.S3} {
		if p != nil {
			env[service.Variable()] = p.Endpoint
		}
	}
	return env
}

// externalService returns the service's endpoint as the environment names it, or nil.
func externalService(service Service) *Process {
	for _, name := range []string{service.Variable(), "AWS_ENDPOINT_URL"} {
		if endpoint := os.Getenv(name); endpoint != "" {
			return &Process{Endpoint: endpoint}
		}
	}
	return nil
}
