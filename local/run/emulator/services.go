package emulator

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
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

// StartDynamoDB starts DynamoDB and returns once it serves requests.
func StartDynamoDB(ctx context.Context, o Options) (*Process, error) {
	if p := externalService(DynamoDB); p != nil {
		return p, nil
	}
	command, err := o.findDynamoDB()
	if err != nil {
		return nil, err
	}
	if o.Dir != "" {
		if err := os.MkdirAll(o.Dir, 0o700); err != nil {
			return nil, err
		}
	}
	for attempt := 1; ; attempt++ {
		p, err := startOnFreePort(ctx, command)
		if !errors.Is(err, errEnded) || attempt == 3 { // it ends when another program has taken the port that was just free: retry
			return p, o.explainFailure(err)
		}
	}
}

// explainFailure adds what to do if the file of the tables can be the reason for which the emulator ended.
func (o Options) explainFailure(err error) error {
	if o.Dir == "" || !errors.Is(err, errEnded) {
		return err
	}
	return fmt.Errorf("%w\nif its file in %s is damaged, move that directory away: the next start makes another", err, o.Dir)
}

// findDynamoDB returns what makes the command of the selected emulator for a port.
func (o Options) findDynamoDB() (func(port int) *exec.Cmd, error) {
	selected := "java"
	if npmPlatform() == lockedPlatform {
		selected = "dynoxide"
	}
	if cmp.Or(os.Getenv(EmulatorVariable), selected) == "java" {
		return o.findDynamoDBLocal()
	}
	binary, err := o.findProgram(DynamoDB, "@dynoxide/"+npmPlatform()+"/dynoxide")
	if err != nil {
		return nil, err
	}
	return func(port int) *exec.Cmd {
		args := []string{"serve", "--host", "127.0.0.1", "--port", strconv.Itoa(port)}
		if o.Dir != "" {
			args = append(args, "--db-path", filepath.Join(o.Dir, "dynamodb.sqlite"))
		}
		return databaseCommand("", binary, args...)
	}, nil
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

// startOnFreePort starts the command that is made for a free port. Neither emulator prints the port that it got for 0.
func startOnFreePort(ctx context.Context, command func(port int) *exec.Cmd) (*Process, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	return startChild(ctx, command(port), &output{url: make(chan string, 1)}, pollUntilReady("DynamoDB_20120810.ListTables"))
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// findDynamoDBLocal returns what makes the command of DynamoDB Local for a port.
func (o Options) findDynamoDBLocal() (func(port int) *exec.Cmd, error) {
	classes, err := filepath.Abs(cmp.Or(o.JavaClasses, filepath.Join(moduleRoot(), ".bin", "java")))
	if err != nil {
		return nil, err
	}
	if found, _ := filepath.Glob(filepath.Join(classes, "DynamoDBLocal-*.jar")); len(found) == 0 {
		return nil, errNoJava
	}
	java, err := exec.LookPath("java")
	if err != nil {
		return nil, errNoJava
	}
	storage := []string{"-inMemory"}
	if o.Dir != "" {
		storage = []string{"-dbPath", o.Dir}
	}
	return func(port int) *exec.Cmd {
		args := []string{
			"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx2g", "-cp", filepath.Join(classes, "*"), "software.amazon.dynamodb.services.local.main.ServerRunner",
			"-sharedDb", "-disableTelemetry", "-port", strconv.Itoa(port),
		}
		return databaseCommand(fmt.Sprintf("http://127.0.0.1:%d", port), java, append(args, storage...)...)
	}, nil
}

//go:embed fauxqs.mjs
var fauxqs string

// StartSQS starts SQS and returns once it serves requests. It ignores Options.Dir and keeps nothing on disk.
func StartSQS(ctx context.Context, o Options) (*Process, error) {
	if p := externalService(SQS); p != nil {
		return p, nil
	}
	module, err := o.findProgram(SQS, "fauxqs")
	if err != nil {
		return nil, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, errNoNode
	}
	cmd := exec.Command(node, "--input-type=module", "--eval", fauxqs)
	cmd.Dir = filepath.Dir(filepath.Dir(module)) // where --eval looks for node_modules
	return startChild(ctx, cmd, &output{url: make(chan string, 1)}, pollUntilReady("AmazonSQS.ListQueues"))
}

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
	return &safeObjects{Backend: s3bolt.New(db)}, func() { _ = db.Close() }, nil
}

// findProgram returns the path of an installed program or npm package.
func (o Options) findProgram(service Service, name string) (string, error) {
	modules := cmp.Or(o.NodeModules, filepath.Join(moduleRoot(), "local", "node_modules"))
	path, err := filepath.Abs(filepath.Join(modules, filepath.FromSlash(name)))
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

// How to install what an emulator needs, or to do without.
var (
	errNoNode = fmt.Errorf("the local SQS needs Node 20 or newer: install it and put node on the PATH, or set %s", SQS.Variable())
	errNoJava = fmt.Errorf("DynamoDB Local is missing: run .ci/java, "+
		"which needs Java 17 or newer and Maven on the PATH, or set %s", DynamoDB.Variable())
)
