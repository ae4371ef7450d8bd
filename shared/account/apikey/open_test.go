package apikey_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func TestEnvironmentsOfTheDeployment(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string][]string{
		"": {"live"}, "test": {"test"}, "live, test": {"live", "test"}, "Live": nil, "live,": nil, "live;test": nil,
	} {
		o := cloud.Host{Getenv: func(string) string { return setting }}.Opener()
		got := apikey.Environments(o)
		err := o.Err()
		if want != nil && !cmp.Equal(got, want) || (want == nil) != errors.Is(err, apikey.ErrEnvironment) {
			t.Errorf("%q: got %v, %v; want %v", setting, got, err, want)
		}
	}
}
