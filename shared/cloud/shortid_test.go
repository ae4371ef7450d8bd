package cloud_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func TestShortIDIsTheUUIDAsULID(t *testing.T) {
	for id, want := range map[string]string{
		"01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11": "01K45PWZ0ZFMX9P7HFDG54V3GH",
		"00000000-0000-0000-0000-000000000000": "00000000000000000000000000",
		"ffffffff-ffff-ffff-ffff-ffffffffffff": "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
	} {
		if got := cloud.ShortID(uuid.MustParse(id)); got != want {
			t.Errorf("%s is %s, not %s", id, got, want)
		}
	}
}
