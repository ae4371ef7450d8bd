package facts

import (
	"testing"
)

func TestPlaces(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"Fort Ellis, CO": true, "Leeds, United Kingdom": true, "Leeds": true, "": false, " ": false, "Cooper": false} {
		if got := IsPlace(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
