package terminal

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	for _, name := range []string{"BASE_URL", "AGENCY_KEY", "RECRUITER_KEY"} { // of a shell that has run ". .local/env"
		_ = os.Unsetenv(name)
	}
	os.Exit(m.Run())
}
