package topology

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestVisibilityIsSixTimesTheTimeOut(t *testing.T) {
	t.Parallel()
	if got := IngestQueue.Visibility(); got != 6*time.Minute {
		t.Errorf("got %v, want 6 minutes", got)
	}
}

func TestAQueueWithoutAWorkerIsNamed(t *testing.T) {
	t.Parallel()
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "orphan") {
			t.Errorf("panic is %q, want the queue's name", text)
		}
	}()
	Queue{Name: "orphan"}.Visibility()
}
