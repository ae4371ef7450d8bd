package cloudtest_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
)

func TestOutputOutlivesItsTest(t *testing.T) {
	t.Parallel()
	var late io.Writer
	t.Run("writes", func(t *testing.T) {
		late = cloudtest.Output(t)
		if n, err := fmt.Fprintln(late, "in time"); n != 8 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
	})
	if n, err := fmt.Fprintln(late, "late"); n != 5 || err != nil {
		t.Errorf("got %d, %v; want it dropped", n, err)
	}
}
