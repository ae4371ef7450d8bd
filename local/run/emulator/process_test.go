package emulator_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
)

func TestStopEndsTheChildren(t *testing.T) {
	t.Parallel()
	set, err := emulator.Start(t.Context(), "", emulator.DynamoDB)
	if err != nil {
		t.Fatal(err)
	}
	set.Stop()
	set.Stop()
	waitClosed(t, set.DynamoDB.Endpoint)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a guard against hanging
	defer cancel()
	if set.Wait(ctx) == nil {
		t.Error("the child counts as running after Stop")
	}
}

func TestStateSurvivesARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start := func() *emulator.Set {
		set, err := emulator.Start(t.Context(), dir, emulator.DynamoDB, emulator.S3)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(set.Stop)
		return set
	}
	first := start()
	createTable(t, dynamoClient(first.DynamoDB.Endpoint), "kept")
	putItem(t, dynamoClient(first.DynamoDB.Endpoint), "kept", "a")
	putObject(t, s3Client(first.S3.Endpoint), "kept", []byte("kept"))
	first.Stop()

	second := start()
	if !hasItem(t, dynamoClient(second.DynamoDB.Endpoint), "kept", "a") {
		t.Error("the item is gone")
	}
	if got := getObject(t, s3Client(second.S3.Endpoint), "kept"); string(got) != "kept" {
		t.Errorf("the object is %q", got)
	}
}

func TestTwoProgramsCannotShareADirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := emulator.Start(t.Context(), dir, emulator.S3)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Stop()
	_, err = emulator.Start(t.Context(), dir)
	if err == nil || !strings.Contains(err.Error(), "s3.bolt (timeout): stop the other program") {
		t.Errorf("got %v, want that another program uses the directory", err)
	}
}

// TestKilledParent kills a process that runs all services, with no chance to clean up: its children must end, and what
// they had acknowledged must be there for the next start.
func TestKilledParent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for round, written := range []string{"first", "second"} {
		kill, env := startParent(t, dir)
		db := dynamoClient(env["AWS_ENDPOINT_URL_DYNAMODB"])
		if round == 0 {
			createTable(t, db, "kept")
			putObject(t, s3Client(env["AWS_ENDPOINT_URL_S3"]), "kept", []byte("kept"))
		} else if !hasItem(t, db, "kept", "first") {
			t.Error("an acknowledged item is gone after kill -9")
		} else if got := getObject(t, s3Client(env["AWS_ENDPOINT_URL_S3"]), "kept"); string(got) != "kept" {
			t.Errorf("the object is %q after kill -9", got)
		}
		putItem(t, db, "kept", written)
		kill()
		for _, name := range []string{"DYNAMODB", "SQS", "S3"} {
			waitClosed(t, env["AWS_ENDPOINT_URL_"+name])
		}
	}
}

// startParent runs this test binary as a process of its own that starts all services.
func startParent(t *testing.T, dir string) (kill func(), env map[string]string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), parentDir+"="+dir)
	cmd.Stderr = io.Discard
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(out).Decode(&env); err != nil {
		t.Fatal(err)
	}
	return func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }, env
}

// waitClosed waits until nothing listens at the endpoint.
func waitClosed(t *testing.T, endpoint string) {
	t.Helper()
	u, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		conn, err := net.Dial("tcp", u.Host)
		if err != nil {
			return
		}
		_ = conn.Close()
	}
	t.Fatalf("something still listens at %s", endpoint)
}

// A child that ends by itself is reported, with what it printed last; one that is stopped is not waited for.
func TestWaitReportsAChildThatEnded(t *testing.T) {
	t.Parallel()
	set, err := emulator.Start(t.Context(), "", emulator.SQS)
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := set.Wait(ended); err != nil {
		t.Errorf("got %v after the end of the context", err)
	}
	set.Stop()
	err = set.Wait(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "the emulator of SQS has ended by itself") || !strings.Contains(err.Error(), set.SQS.Endpoint) {
		t.Errorf("got %v; want that SQS has ended, with its output", err)
	}
}

// Nobody else on the machine can read the state, even in a directory that others can list.
func TestStateIsPrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	set, err := emulator.Start(t.Context(), dir, emulator.DynamoDB, emulator.S3)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Stop()
	createTable(t, dynamoClient(set.DynamoDB.Endpoint), "kept")
	putItem(t, dynamoClient(set.DynamoDB.Endpoint), "kept", "a")
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		info, err := file.Info()
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", file.Name(), info.Mode(), err)
		}
	}
}
