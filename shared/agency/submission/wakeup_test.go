package submission

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func FuzzParseWakeUp(f *testing.F) {
	f.Add(wakeUp{"L#0123", "01a1f7ed-1a02-7707-b588-e4001d1207a6"}.String())
	for _, seed := range []string{"", "{}", "null", "[]", `{"live":"L#1"}`, `{"live":1}`, `{"live":"a","submission":"b"}{}`, `{"LIVE":"a","submission":"b"}`, "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		h, err := parseWakeUp(message)
		if err != nil {
			return
		}
		if h.InFlight == "" || h.Submission == "" {
			t.Fatalf("%q was taken for %+v", message, h)
		}
		if again, err := parseWakeUp(h.String()); err != nil || again != h {
			t.Errorf("%+v reads back as %+v, %v", h, again, err)
		}
	})
}

func FuzzSubmissionJSON(f *testing.F) {
	f.Add("Ada Example", "ada@example.com", int64(1), []byte("0123456789abcdef"), uint64(1_772_355_600_000))
	f.Add("<\u2028>\x00\\\"", "á@例え.jp", int64(-1), []byte{}, uint64(0))
	f.Fuzz(func(t *testing.T, name, email string, salary int64, id []byte, at uint64) {
		var want Submission
		copy(want.ID[:], id)
		want.BatchID = uuid.UUID(want.ID)
		text := func(s string) string { b, _ := json.Marshal(s); _ = json.Unmarshal(b, &s); return s } // valid UTF-8
		want.Name = text(name)
		want.Email = text(email)
		want.Preferences.SalaryMin = salary
		want.Preferences.OTE = &salary
		want.Preferences.Locations = []contract.Location{contract.Location(text(email))}
		want.SubmittedAt = time.UnixMilli(int64(at % 253_402_300_799_000)).UTC() // up to the year 9999
		got, err := want.toInFlightItem(time.Minute).decodeSubmission()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestIDs(t *testing.T) {
	t.Parallel()
	batch := uuid.Must(uuid.NewV7())
	seen := map[uuid.UUID]bool{batch: true}
	for index := range 1000 {
		id := NewID(batch, index)
		if seen[id] || id != NewID(batch, index) || id.Version() != 7 || id.Variant() != uuid.RFC4122 {
			t.Fatalf("item %d: got %s, version %d", index, id, id.Version())
		}
		if id.Time() != batch.Time() {
			t.Fatalf("item %d: got the time %d, want the batch's %d", index, id.Time(), batch.Time())
		}
		seen[id] = true
	}
	cu := Submission{ID: batch}.CandidateUserID()
	if len(cu) != len("cu_")+26 {
		t.Errorf("got %q, want cu_ and 26 characters", cu)
	}
}
