package document

import (
	"context"
	"time"
)

const readTimeout = 8 * time.Second // one document, after its turn has come

// RunWithTimeLimit runs work for at most the time of one document. Running out of it
// is a failure of the file; the end of ctx is the caller's error.
func RunWithTimeLimit(ctx context.Context, work func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	err := work(bounded)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && bounded.Err() != nil:
		return LimitFailure(err)
	}
	return err
}
