package opensearch

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// openOverloaded opens a domain that refuses every request.
func openOverloaded(t *testing.T) *Index {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "overloaded", http.StatusTooManyRequests)
	}))
	t.Cleanup(server.Close)
	settings := map[string]string{topology.SettingSearchURL: server.URL, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
	index, err := Open(cloud.NewHost(func(name string) string { return settings[name] }, time.Now, slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	return index
}

// TestRolesThatHaveNeverExistedAreNotWritten fails if a domain is asked to delete a role without a revision, or not to delete one with a revision.
func TestRolesThatHaveNeverExistedAreNotWritten(t *testing.T) {
	t.Parallel()
	w := Writer{openOverloaded(t), "roles-1"}
	if err := w.Write(t.Context(), []roleindex.RoleDocs{{ID: "never"}}); err != nil {
		t.Errorf("got %v; want no request", err)
	}
	if err := w.Write(t.Context(), []roleindex.RoleDocs{{ID: "deleted", Revision: 3}}); err == nil {
		t.Error("a deleted role is not deleted")
	}
}

// TestAProgressThatIsNotRecordedIsNotTaken fails if a filling counts roles as written whose record was refused.
func TestAProgressThatIsNotRecordedIsNotTaken(t *testing.T) {
	t.Parallel()
	index := openOverloaded(t)
	recorded := Progress{Roles: 2, Last: "b", At: 1}
	f := Filling{Writer: Writer{index, "roles-1"}, Progress: recorded}
	if err := f.Note(t.Context(), 3, "e", time.UnixMilli(5)); err == nil {
		t.Error("a record that was refused is reported as written")
	}
	if f.Progress != recorded {
		t.Errorf("got %+v; want %+v", f.Progress, recorded)
	}
}
