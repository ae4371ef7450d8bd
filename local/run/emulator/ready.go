package emulator

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// pollInterval is the pause between two checks whether a service serves requests.
const pollInterval = 10 * time.Millisecond

// pollUntilReady returns a check that sends list requests to a service until one succeeds.
func pollUntilReady(target string) func(context.Context, string) error {
	return func(ctx context.Context, endpoint string) error {
		for {
			err := sendListRequest(ctx, endpoint, target)
			if err == nil {
				return nil
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s does not answer: %w: %w", endpoint, context.Cause(ctx), err)
			case <-time.After(pollInterval):
			}
		}
	}
}

func sendListRequest(ctx context.Context, endpoint, target string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint+"/", strings.NewReader("{}"))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Target", target)
	req.Header.Set("X-Amz-Date", "20260101T000000Z")
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/local/aws4_request, "+
		"SignedHeaders=host, Signature=00") // emulators require a signature header but verify none
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	return nil
}
