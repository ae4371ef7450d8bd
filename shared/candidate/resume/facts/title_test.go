package facts

import (
	"testing"
)

func TestNamedAfterTitles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Butler Foods": true, "Chef's Warehouse": true, "Judge & Quigley": true, "Baker Street Dental": true,
		"Head Chef": false, "Engineer II": false, "Teacher Year 6": false, "Manager Operations": false, "Manager, Rail": false, "Director of Rail": false,
		"Chef de Projet": false, "Nurse Practitioner": false, "Engineer": false, "Oxbow Foods": false, "Cook at Butler Foods": false, "Consultante commerciale": false,
	} {
		if got := isNamedAfterTitle(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
