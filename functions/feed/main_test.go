package feed_test

import (
	"os"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/testkit/iam/iamtest"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		applyStdin()
		return
	}
	os.Exit(iamtest.Run(m))
}
