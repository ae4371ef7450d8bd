package emulator

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// findProgram returns the path of an installed program or npm package.
func (o Options) findProgram(service Service, name string) (string, error) {
	modules := o.NodeModules
	if modules == "" {
		modules = filepath.Join(moduleRoot(), "local", "node_modules")
	}
	path, err := filepath.Abs(filepath.Join(modules, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", &NotInstalledError{Service: service, Path: path}
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

// lockedPlatform is the only platform whose dynoxide is in package-lock.json.
const lockedPlatform = "linux-x64"

// NotInstalledError reports that a program of an emulator is missing; its text says how to install it or do without.
type NotInstalledError struct {
	Service Service
	Path    string // where it was looked for
}

func (e *NotInstalledError) Error() string {
	switch {
	case e.Path == "node":
		return "the local SQS needs Node 20 or newer: install it and put node on the PATH, or set " + SQS.Variable()
	case e.Service == DynamoDB && npmPlatform() != lockedPlatform:
		return fmt.Sprintf("no DynamoDB emulator is packaged for %s: start DynamoDB Local by\n"+
			"  docker run --rm -p 8000:8000 amazon/dynamodb-local\n"+
			"or, without Docker, from its download by\n"+
			"  java -Djava.library.path=DynamoDBLocal_lib -jar DynamoDBLocal.jar -inMemory -port 8000\n"+
			"and set %s=http://127.0.0.1:8000", npmPlatform(), DynamoDB.Variable())
	}
	return fmt.Sprintf("%s is missing: run `npm ci --ignore-scripts` in local/, or set %s", e.Path, e.Service.Variable())
}
