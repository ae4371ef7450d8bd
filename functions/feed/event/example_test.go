package event_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
)

func ExampleRouter_Apply() {
	lock := func(_ context.Context, e event.Envelope, c *event.Locked) error {
		fmt.Println(e.EntityID, c.Locked)
		return nil
	}
	router := event.NewRouter(nil, time.Now, event.NewKind("membership.locked", lock))

	const message = `{"id": "8f14e45f-ceea-467f-a9ab-7d0b2a3c4d5e", "type": "membership.locked", "entityId": "cu_1",
		"version": 3, "occurredAt": "2026-01-02T03:04:05Z", "data": {"locked": %v}}`
	if _, err := router.Apply(context.Background(), fmt.Sprintf(message, true)); err != nil {
		fmt.Println(err)
	}
	envelope, err := router.Apply(context.Background(), fmt.Sprintf(message, `"yes"`))
	var invalid *event.InvalidError
	fmt.Println(envelope.Type, errors.As(err, &invalid), err)
	// Output:
	// cu_1 true
	// membership.locked true data.locked: must be true or false, not a string.
}
