package system_test

import (
	"log"
	"os"
	"runtime/debug"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/testkit/conform"
	"github.com/recruiting-marketplace/external-api/local/testkit/iam/iamtest"
	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
)

func TestMain(m *testing.M) {
	if err := resumetest.Warm(); err != nil { // the functions' time-outs leave no time to compile under the race detector
		log.Fatal(err)
	}
	debug.SetGCPercent(400) // the tests allocate much memory and hold little
	os.Exit(conform.Run(func() int { return iamtest.Run(m) }))
}
