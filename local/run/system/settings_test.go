package system

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The settings choose the profile provider. The stand-in is not used for another
// provider, whose format it does not speak.
func TestProfilesAreTheCallersChoice(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ set, want map[string]string }{
		"nothing":        {nil, map[string]string{"PROFILE_URL": "stand-in", "PROFILE_SANDBOX_URL": "stand-in"}},
		"an address":     {map[string]string{"PROFILE_URL": "mine"}, map[string]string{"PROFILE_URL": "mine", "PROFILE_SANDBOX_URL": "stand-in"}},
		"for test keys":  {map[string]string{"PROFILE_SANDBOX_URL": "mine"}, map[string]string{"PROFILE_URL": "stand-in", "PROFILE_SANDBOX_URL": "mine"}},
		"its name":       {map[string]string{"PROFILE_PROVIDER": "peopledatalabs"}, map[string]string{"PROFILE_URL": "stand-in", "PROFILE_SANDBOX_URL": "stand-in"}},
		"another's name": {map[string]string{"PROFILE_PROVIDER": "enrichlayer"}, map[string]string{}},
		"another":        {map[string]string{"PROFILE_PROVIDER": "enrichlayer", "PROFILE_URL": "mine"}, map[string]string{"PROFILE_URL": "mine"}},
	} {
		got := profileEnvironment("stand-in", func(n string) string { return tt.set[n] })
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
