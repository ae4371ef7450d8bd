package ingest

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A deployment chooses its profile provider by name, and an unknown name keeps
// the worker from starting.
func TestProviderByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]profile.Provider{
		"": &profile.PeopleDataLabs{}, "peopledatalabs": &profile.PeopleDataLabs{}, "enrichlayer": &profile.EnrichLayer{}, "EnrichLayer": nil,
	} {
		env := map[string]string{topology.SettingProfileProvider: name}
		o := cloud.NewHost(func(n string) string { return env[n] }, time.Now, slog.New(slog.DiscardHandler)).Opener()
		got := newProvider(o, "https://profiles.example.com")
		if fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want) {
			t.Errorf("%q: got a %T; want a %T", name, got, want)
		}
		if err := o.Err(); (err == nil) != (want != nil) || err != nil && !strings.Contains(err.Error(), topology.SettingProfileProvider) {
			t.Errorf("%q: got error %v", name, err)
		}
	}
}
