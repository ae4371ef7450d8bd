package emulator_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
)

// parentDir, when set, makes the test binary a parent that starts all services in that directory, writes their
// endpoints to standard output and waits to be killed.
const parentDir = "EMULATOR_TEST_PARENT_DIR"

func TestMain(m *testing.M) {
	for _, name := range []string{"", "_DYNAMODB", "_SQS", "_S3"} {
		_ = os.Unsetenv("AWS_ENDPOINT_URL" + name) // these tests are about what is started
	}
	if dir := os.Getenv(parentDir); dir != "" {
		os.Exit(runParentProcess(dir))
	}
	os.Exit(m.Run())
}

func runParentProcess(dir string) int {
	set, err := emulator.Start(context.Background(), dir)
	if err != nil {
		_, _ = os.Stderr.WriteString(err.Error())
		return 1
	}
	if err := json.NewEncoder(os.Stdout).Encode(set.Env()); err != nil {
		return 1
	}
	select {}
}
