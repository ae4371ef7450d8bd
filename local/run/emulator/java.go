package emulator

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
)

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
			"-XX:+UseSerialGC", "-Xmx2g", "-cp", filepath.Join(classes, "*"), "software.amazon.dynamodb.services.local.main.ServerRunner",
			"-sharedDb", "-disableTelemetry", "-port", strconv.Itoa(port),
		}
		return databaseCommand(fmt.Sprintf("http://127.0.0.1:%d", port), java, append(args, storage...)...)
	}, nil
}
