package submission_test

import (
	"context"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/submission"
)

func sweep(s *submission.Store, at time.Time) ([]string, submission.Swept, error) {
	var mu sync.Mutex
	var all []string
	swept, err := s.Due(context.Background(), at, func(_ context.Context, hints []string) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, hints...)
		return nil
	})
	return all, swept, err
}
