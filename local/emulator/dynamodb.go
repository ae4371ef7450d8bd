package emulator

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// StartDynamoDB starts DynamoDB and returns once it serves requests.
func StartDynamoDB(ctx context.Context, o Options) (*Process, error) {
	if p := externalService(DynamoDB); p != nil {
		return p, nil
	}
	binary, err := o.findProgram(DynamoDB, "@dynoxide/"+npmPlatform()+"/dynoxide")
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		p, err := startDynoxide(ctx, o, binary)
		if !errors.Is(err, errEnded) || attempt == 3 {
			return p, err // it ends when another program has taken the port that was just free: retry
		}
	}
}

func startDynoxide(ctx context.Context, o Options, binary string) (*Process, error) {
	port, err := freePort() // dynoxide accepts port 0 but does not print the port it got
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "--host", "127.0.0.1", "--port", strconv.Itoa(port)}
	if o.Dir != "" {
		if err := os.MkdirAll(o.Dir, 0o700); err != nil {
			return nil, err
		}
		args = append(args, "--db-path", filepath.Join(o.Dir, "dynamodb.sqlite"))
	}
	return startChild(ctx, exec.Command(binary, args...), newOutput(o.Log), pollUntilReady("DynamoDB_20120810.ListTables"))
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
