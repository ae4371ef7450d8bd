package platform

import "testing"

func TestPrefersJSON(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"":                                  false,
		"*/*":                               false,
		"text/html":                         false,
		"application/json":                  true,
		"APPLICATION/JSON; charset=utf-8":   true,
		"application/json, text/plain, */*": true, // common clients' own
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": false, // browsers'
		"application/*": true,
		"text/html;q=0.5, application/json;q=0.9":  true,
		"text/html, application/json;q=0.9":        false,
		"text/html, application/json":              false,
		"application/json;q=0":                     false,
		"*/*, application/json;q=0.1":              false,
		"application/json;q=2":                     false,
		"application/json;q=x":                     false,
		"image/png":                                false,
		", ;, text/ , application/json":            true,
		"text/*;q=0.3, application/*;q=0.4":        true,
		"text/*;q=0.9, text/html;q=0.1, */*;q=0.2": true,
	} {
		if got := prefersJSON(accept); got != want {
			t.Errorf("Accept %q: got %v, want %v", accept, got, want)
		}
	}
}

// FuzzAccept holds that no header breaks the choice, and that a weight is one.
func FuzzAccept(f *testing.F) {
	f.Add("text/html,application/json;q=0.9,*/*;q=0.8")
	f.Add(";;q=,\x00")
	f.Fuzz(func(t *testing.T, accept string) {
		prefersJSON(accept)
		if q, exact := mediaWeight(accept, "text/html"); !(q >= 0 && q <= 1) || exact < -1 || exact > 2 {
			t.Errorf("%q has the weight %v, %d", accept, q, exact)
		}
	})
}
