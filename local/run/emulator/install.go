package emulator

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

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
