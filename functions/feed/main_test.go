package feed_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/testkit/iam"
)

// TestMain fails a run in which an access was denied, even if its error is lost.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		applyStdin()
		return
	}
	code := m.Run()
	for _, access := range iam.Accesses(false) {
		fmt.Printf("FAIL: %s is not granted: enter it in shared/cloud/topology\n", access)
		code = 1
	}
	os.Exit(code)
}
