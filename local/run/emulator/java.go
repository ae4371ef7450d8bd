package emulator

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
)

// javaScript lets nobody else read the tables, prints the URL, its first argument, and becomes the program of the others.
// That one ends when the standard input is closed, also by the death of this process: Java does not watch it.
const javaScript = `
umask 077
echo "$0 "
exec 3<&0
(cat <&3; kill $$) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`

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
			"-c", javaScript, fmt.Sprintf("http://127.0.0.1:%d", port),
			java, "-XX:+UseSerialGC", "-Xmx2g", "-cp", filepath.Join(classes, "*"), "software.amazon.dynamodb.services.local.main.ServerRunner",
			"-sharedDb", "-disableTelemetry", "-port", strconv.Itoa(port),
		}
		return exec.Command("sh", append(args, storage...)...)
	}, nil
}
