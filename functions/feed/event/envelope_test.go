package event

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// FuzzEnvelope reads anything as an envelope. What is accepted is within the bounds; what is not has a reason that can be sent.
func FuzzEnvelope(f *testing.F) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	const fields = `"id":"0190a5c8-0000-7000-8000-000000000001","type":"role.upserted","entityId":"r1","version":1,"occurredAt":`
	for _, body := range []string{
		`{` + fields + `"2026-03-01T08:00:00Z","data":{"a":1}}`, `{` + fields + `"2026-03-01T09:06:00Z"}`, `{` + fields + `"0001-01-01T00:00:00Z"}`,
		`{` + fields + `"2026-03-01T08:00:00Z","dataRef":"events/../x"}`, `{` + fields + `1}`, `{}`, `[`, `null`, ``,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		e, err := parseEnvelope(body, now)
		var refused *InvalidError
		if err != nil {
			if !errors.As(err, &refused) || refused.Reason == "" || len(refused.Reason) > 100_000 {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		isInTime := !e.OccurredAt.Before(earliest) && !e.OccurredAt.After(now.Add(maxAhead))
		isInFolder := e.DataRef == "" || strings.HasPrefix(e.DataRef, dataRefPrefix) && !strings.Contains(e.DataRef, "..")
		if !isInTime || !isInFolder || e.Type == "" || e.EntityID == "" {
			t.Errorf("%q is accepted: %+v", body, e)
		}
	})
}
