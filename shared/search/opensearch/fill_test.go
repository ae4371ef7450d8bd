package opensearch

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// TestAProgressThatIsNotRecordedIsNotTaken fails if a filling counts roles as written whose record was refused.
func TestAProgressThatIsNotRecordedIsNotTaken(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "overloaded", http.StatusTooManyRequests)
	}))
	t.Cleanup(server.Close)
	settings := map[string]string{topology.SettingSearchURL: server.URL, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
	index, err := Open(cloud.NewHost(func(name string) string { return settings[name] }, time.Now, slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	recorded := Progress{Roles: 2, Last: "b", At: 1}
	f := Filling{Writer: Writer{index, "roles-1"}, Progress: recorded}
	if err := f.Note(t.Context(), 3, "e", time.UnixMilli(5)); err == nil {
		t.Error("a record that was refused is reported as written")
	}
	if f.Progress != recorded {
		t.Errorf("got %+v; want %+v", f.Progress, recorded)
	}
}
