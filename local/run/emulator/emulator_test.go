package emulator_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
)

func TestForTestAnswersTheRealAPIs(t *testing.T) {
	t.Parallel()
	set := emulator.ForTest(t, emulator.DynamoDB, emulator.SQS, emulator.S3)
	name := "answers-" + strings.ToLower(rand.Text()) // go test -count runs this again on the same set

	db := dynamoClient(set.DynamoDB.Endpoint)
	createTable(t, db, name)
	putItem(t, db, name, "a")
	if !hasItem(t, db, name, "a") || hasItem(t, db, name, "b") {
		t.Error("DynamoDB does not hold exactly what was put")
	}

	queues := sqsClient(set.SQS.Endpoint)
	queue, err := queues.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := queues.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: queue.QueueUrl, MessageBody: aws.String("hello")}); err != nil {
		t.Fatal(err)
	}
	got, err := queues.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: queue.QueueUrl})
	if err != nil || len(got.Messages) != 1 || *got.Messages[0].Body != "hello" {
		t.Errorf("received %v, %v; want one message hello", got, err)
	}

	object := bytes.Repeat([]byte{0, 0xff, '\r', '\n'}, 1<<18)
	putObject(t, s3Client(set.S3.Endpoint), name, object)
	if !bytes.Equal(getObject(t, s3Client(set.S3.Endpoint), name), object) {
		t.Error("S3 gave other bytes than were put")
	}
}

func putObject(t *testing.T, c *s3.Client, bucket string, body []byte) {
	t.Helper()
	if _, err := c.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	in := &s3.PutObjectInput{Bucket: &bucket, Key: aws.String("a/b.bin"), Body: bytes.NewReader(body)}
	if _, err := c.PutObject(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

func getObject(t *testing.T, c *s3.Client, bucket string) []byte {
	t.Helper()
	got, err := c.GetObject(t.Context(), &s3.GetObjectInput{Bucket: &bucket, Key: aws.String("a/b.bin")})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestForTestStartsEachServiceOnce(t *testing.T) {
	t.Parallel()
	endpoints := make([]string, 8)
	var wg sync.WaitGroup
	for i := range endpoints {
		wg.Go(func() { endpoints[i] = emulator.ForTest(t).DynamoDB.Endpoint })
	}
	wg.Wait()
	for _, endpoint := range endpoints {
		if endpoint == "" || endpoint != endpoints[0] {
			t.Fatalf("endpoints differ: %v", endpoints)
		}
	}
}

// enterEmptyModule makes a module in which nothing is installed the one of the working directory.
func enterEmptyModule(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("go.mod", nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestEndpointOfTheEnvironmentIsUsed(t *testing.T) {
	t.Setenv("AWS_ENDPOINT_URL", "http://all.example.com")
	t.Setenv("AWS_ENDPOINT_URL_SQS", "http://sqs.example.com")
	t.Setenv("AWS_REGION", "eu-west-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "mine")
	enterEmptyModule(t)
	set, err := emulator.Start(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	set.Stop()
	want := map[string]string{
		"AWS_ENDPOINT_URL_DYNAMODB": "http://all.example.com",
		"AWS_ENDPOINT_URL_SQS":      "http://sqs.example.com",
		"AWS_ENDPOINT_URL_S3":       "http://all.example.com",
		"AWS_REGION":                "eu-west-1",
		"AWS_RESPONSE_TIMEOUT":      "1m",
	}
	if diff := cmp.Diff(want, set.Env()); diff != "" {
		t.Errorf("Env (-want +got):\n%s", diff)
	}
}

func TestEnvOfAnEmptyEnvironment(t *testing.T) {
	for _, name := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_PROFILE"} {
		t.Setenv(name, "")
	}
	want := map[string]string{"AWS_REGION": "us-east-1", "AWS_RESPONSE_TIMEOUT": "1m", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
	if diff := cmp.Diff(want, (&emulator.Set{}).Env()); diff != "" {
		t.Errorf("Env (-want +got):\n%s", diff)
	}
}

func TestMissingProgramTellsWhatToDo(t *testing.T) {
	enterEmptyModule(t)
	for _, service := range []emulator.Service{emulator.DynamoDB, emulator.SQS} {
		_, err := emulator.Start(t.Context(), "", service)
		if err == nil || !strings.Contains(err.Error(), "is missing: run ") || !strings.HasSuffix(err.Error(), "or set "+service.Variable()) {
			t.Errorf("%s: got %v, want an error that names %s", service, err, service.Variable())
		}
	}
}

func TestVariableSelectsTheEmulatorOfDynamoDB(t *testing.T) {
	enterEmptyModule(t)
	for emulates, want := range map[string]string{"java": ".ci/java", "dynoxide": "npm ci"} {
		t.Setenv(emulator.EmulatorVariable, emulates)
		_, err := emulator.Start(t.Context(), "", emulator.DynamoDB)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error that says %s", emulates, err, want)
		}
	}
}

func TestChildThatEndsAtOnceIsAnError(t *testing.T) {
	enterEmptyModule(t)
	if err := os.MkdirAll("local/node_modules/fauxqs", 0o700); err != nil {
		t.Fatal(err)
	}
	set, err := emulator.Start(t.Context(), "", emulator.SQS)
	if err == nil {
		set.Stop()
		t.Fatal("SQS started without its program")
	}
	if !strings.Contains(err.Error(), "ERR_MODULE_NOT_FOUND") {
		t.Errorf("error %q lacks what the child printed", err)
	}
}

// installDynoxide selects dynoxide and installs a script in its place, below another working directory.
func installDynoxide(t *testing.T, script string) {
	t.Helper()
	t.Setenv(emulator.EmulatorVariable, "dynoxide")
	enterEmptyModule(t)
	program := filepath.Join("local", "node_modules", "@dynoxide", strings.Replace(runtime.GOOS+"-"+runtime.GOARCH, "amd64", "x64", 1), "dynoxide")
	if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
}

// A child that ends is not waited for at a port that another program holds, which does not answer or does so later.
func TestOtherProgramAtThePort(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for name, delay := range map[string]time.Duration{"silent": time.Minute, "late": time.Second} {
		other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the end of the connection is seen behind it
			select {
			case <-time.After(delay):
			case <-r.Context().Done():
			}
		}))
		defer other.Close()
		installDynoxide(t, "echo '"+other.URL+" '\nsleep 0.2\nexit 1\n")
		_, err := emulator.Start(ctx, "", emulator.DynamoDB)
		if err == nil || !strings.Contains(err.Error(), "ended before it was ready") {
			t.Errorf("%s: got %v, want that the child ended", name, err)
		}
	}
}

func TestDamagedDataIsExplained(t *testing.T) {
	installDynoxide(t, "echo file is not a database\nexit 1\n")
	dir := filepath.Join(t.TempDir(), "missing")
	_, err := emulator.Start(t.Context(), dir, emulator.DynamoDB)
	if err == nil || !strings.Contains(err.Error(), "not a database") || !strings.Contains(err.Error(), "move that directory away") || !strings.Contains(err.Error(), dir) {
		t.Errorf("got %v, want what the program printed and what to do", err)
	}
}
