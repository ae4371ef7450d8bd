package feed_test

import (
	"os"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/iam/iamtest"
)

func TestMain(m *testing.M) { os.Exit(iamtest.Run(m)) }
