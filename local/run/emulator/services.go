package emulator

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3bolt"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"go.etcd.io/bbolt"
)

// EmulatorVariable is the environment variable that selects what emulates DynamoDB: "dynoxide", or "java" for DynamoDB
// Local. Without it that is dynoxide on the platform with a package in package-lock.json, and DynamoDB Local elsewhere.
const EmulatorVariable = "DYNAMODB"

func startDynamoDB(ctx context.Context, dir string) (Process, error) {
	for attempt := 1; ; attempt++ {
		p, err := startOnFreePort(ctx, dir)
		switch {
		case errors.Is(err, errEnded) && attempt < 3: // another program has taken the port that was just free
		case errors.Is(err, errEnded) && dir != "":
			return Process{}, fmt.Errorf("%w\nif its file in %s is damaged, move that directory away: the next start makes another", err, dir)
		default:
			return p, err
		}
	}
}

// startOnFreePort starts DynamoDB on a free port. Neither emulator prints the port that it got for 0.
func startOnFreePort(ctx context.Context, dir string) (Process, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return Process{}, fmt.Errorf("find a free port: %w", err)
	}
	_ = free.Close()
	newCommand := newDynoxide
	chosen := os.Getenv(EmulatorVariable)
	if chosen == "java" || chosen == "" && npmPlatform() != lockedPlatform {
		newCommand = newDynamoDBLocal
	}
	cmd, err := newCommand(dir, free.Addr().(*net.TCPAddr).Port)
	if err != nil {
		return Process{}, fmt.Errorf("prepare the emulator: %w", err)
	}
	return startChild(ctx, cmd, "DynamoDB_20120810.ListTables")
}

func newDynoxide(dir string, port int) (*exec.Cmd, error) {
	binary, err := findProgram(DynamoDB, "@dynoxide/"+npmPlatform()+"/dynoxide")
	args := []string{"serve", "--host", "127.0.0.1", "--port", strconv.Itoa(port)}
	if dir != "" {
		args = append(args, "--db-path", filepath.Join(dir, "dynamodb.sqlite"))
	}
	return databaseCommand("", binary, args...), err
}

// databaseScript lets nobody else read the tables, prints the URL, its first argument, and becomes the program of the others.
// That one ends when the standard input is closed, also by the death of this process: neither emulator watches it.
const databaseScript = `
umask 077
echo "$0 "
exec 3<&0
(cat <&3; kill $$) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`

// databaseCommand returns the command of an emulator of DynamoDB. The URL is "" for one that prints it.
func databaseCommand(url, program string, args ...string) *exec.Cmd {
	return exec.Command("sh", append([]string{"-c", databaseScript, url, program}, args...)...)
}

func newDynamoDBLocal(dir string, port int) (*exec.Cmd, error) {
	classes := filepath.Join(moduleRoot(), ".bin", "java")
	if found, _ := filepath.Glob(filepath.Join(classes, "DynamoDBLocal-*.jar")); len(found) == 0 {
		return nil, errNoJava
	}
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, errNoJava
	}
	args := []string{
		"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx2g", "-cp", filepath.Join(classes, "*"),
		"software.amazon.dynamodb.services.local.main.ServerRunner",
		"-sharedDb", "-disableTelemetry", "-port", strconv.Itoa(port),
	}
	if dir == "" {
		args = append(args, "-inMemory")
	} else {
		args = append(args, "-dbPath", dir)
	}
	return databaseCommand(fmt.Sprintf("http://127.0.0.1:%d", port), java, args...), nil
}

//go:embed fauxqs.mjs
var fauxqs string

// startSQS ignores the directory and keeps nothing on disk.
func startSQS(ctx context.Context, _ string) (Process, error) {
	module, err := findProgram(SQS, "fauxqs")
	if err != nil {
		return Process{}, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return Process{}, fmt.Errorf("the local SQS needs Node 20 or newer: install it and put node on the PATH, or set %s", SQS.Variable())
	}
	cmd := exec.Command(node, "--input-type=module", "--eval", fauxqs)
	cmd.Dir = filepath.Dir(filepath.Dir(module)) // where --eval looks for node_modules
	return startChild(ctx, cmd, "AmazonSQS.ListQueues")
}

// startS3 starts S3 in this process. It checks neither signatures nor checksums.
func startS3(_ context.Context, dir string) (Process, error) {
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second}
	closeDatabase := func() {}
	if dir == "" {
		server.Handler = serveObjects(s3mem.New())
	} else {
		file := filepath.Join(dir, "s3.bolt")
		db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: time.Second})
		if err != nil {
			const advice = "stop the other program that uses this directory, or choose another directory"
			return Process{}, fmt.Errorf("cannot open %s (%w): %s", file, err, advice)
		}
		closeDatabase = func() { _ = db.Close() }
		server.Handler = oneAfterTheOther(serveObjects(s3bolt.New(db)))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		closeDatabase()
		return Process{}, err
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l) // returns after Stop only
	}()
	stop := sync.OnceFunc(func() {
		_ = server.Close()
		<-served
		closeDatabase()
	})
	return Process{Endpoint: "http://" + l.Addr().String(), stop: stop}, nil
}

func serveObjects(backend gofakes3.Backend) http.Handler {
	return gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
}

// oneAfterTheOther serves requests one after the other, each from when its body has arrived until its whole response is known. The
// objects of s3bolt lie in pages of the database, which a write uses again, or moves, while a response is still being sent.
func oneAfterTheOther(api http.Handler) http.Handler {
	var turn sync.Mutex
	serve := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		turn.Lock()
		defer turn.Unlock()
		api.ServeHTTP(w, r)
	}
	return http.TimeoutHandler(http.HandlerFunc(serve), time.Hour, "") // sends a response when it is whole
}

func findProgram(service Service, name string) (string, error) {
	path, err := filepath.Abs(filepath.Join(moduleRoot(), "local", "node_modules", filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s is missing: run `npm ci --ignore-scripts` in local/, or set %s", path, service.Variable())
	}
	return path, nil
}

// moduleRoot returns the nearest directory with a go.mod at or above the working directory, where a test of any package
// finds what is installed; the working directory itself if there is none.
func moduleRoot() string {
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if abs, err := filepath.Abs(dir); err != nil || abs == filepath.Dir(abs) {
			return "."
		}
	}
}

// npmPlatform returns npm's name of this platform, such as linux-x64.
func npmPlatform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return runtime.GOOS + "-" + arch
}

// lockedPlatform is the only platform with a dynoxide in package-lock.json. Packages for other platforms are published
// with it; one of them in node_modules is used if EmulatorVariable is "dynoxide".
const lockedPlatform = "linux-x64"

var errNoJava = fmt.Errorf("DynamoDB Local is missing: run .ci/java, "+
	"which needs Java 17 or newer and Maven on the PATH, or set %s", DynamoDB.Variable())
