package apikey_test

import (
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// TestShapeOfAKey fails if a text whose checksum is right is a key although another part of it is wrong.
func TestShapeOfAKey(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		"rmk_live_" + strings.Repeat("a", 30): true,
		"rmk_live_" + strings.Repeat("a", 29): false,
		"rmk_live_" + strings.Repeat("a", 31): false,
		"rmk_Live_" + strings.Repeat("a", 30): false,
		"rmk__" + strings.Repeat("a", 30):     false,
		"rmx_live_" + strings.Repeat("a", 30): false,
		"rmk_live_" + strings.Repeat("-", 30): false,
	} {
		if _, ok := apikey.Environment(body + checksum(body)); ok != want {
			t.Errorf("%s: got %t, want %t", body, ok, want)
		}
	}
}

// checksum returns the CRC-32 of a text as six base62 characters.
func checksum(body string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	sum := crc32.ChecksumIEEE([]byte(body))
	var text [6]byte
	for i := range text {
		text[len(text)-1-i] = digits[sum%62]
		sum /= 62
	}
	return string(text[:])
}

// TestCallersHaveTenants fails if keys of different agencies or environments read each other's data.
func TestCallersHaveTenants(t *testing.T) {
	t.Parallel()
	seen := map[tenant.ID]bool{"": true}
	for _, c := range []apikey.Caller{
		{Principal: "agency-1", Environment: "live"}, {Principal: "agency-1", Environment: "test"}, {Principal: "agency-2", Environment: "live"},
	} {
		if seen[c.Tenant()] {
			t.Errorf("%+v: the tenant %q is another's or none", c, c.Tenant())
		}
		seen[c.Tenant()] = true
	}
}

// TestTimesOfRecords fails unless no time is 0, and a time comes back as it was.
func TestTimesOfRecords(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 5e6, time.UTC)
	if got := cloud.ToMillis(time.Time{}); got != 0 || !cloud.FromMillis(0).IsZero() {
		t.Errorf("no time is %d, and 0 is %v", got, cloud.FromMillis(0))
	}
	if got := cloud.FromMillis(cloud.ToMillis(at)); !got.Equal(at) {
		t.Errorf("got %v, want %v", got, at)
	}
}
