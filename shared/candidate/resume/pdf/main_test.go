package pdf

import (
	"fmt"
	"os"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
)

func TestMain(m *testing.M) {
	if err := resumetest.Warm(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
