package network

import (
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// TestReferences fails unless the first of id, LinkedIn URL and e-mail address that is sent decides alone, and the forms of an identity are one.
func TestReferences(t *testing.T) {
	t.Parallel()
	ada := reference{identityKey: linkedInKey("agy_1", "https://www.linkedin.com/in/ada")}
	for name, tt := range map[string]struct {
		id, url, email *string
		want           reference
	}{
		"nothing":          {nil, nil, nil, reference{}},
		"the id decides":   {new("x"), new("linkedin.com/in/a"), new("a@example.com"), reference{id: "x"}},
		"then LinkedIn":    {nil, new("HTTPS://DE.linkedin.com/in/Ada/"), new("a@example.com"), ada},
		"without a scheme": {nil, new("linkedin.com/in/Ada"), nil, ada},
		"even if it is no": {nil, new("example.com"), new("a@example.com"), reference{}},
		"then the e-mail":  {nil, nil, new("Ada@Example.com"), reference{identityKey: emailKey("agy_1", "ada@example.com")}},
		"which is no":      {nil, nil, new("ada"), reference{}},
		"the longest id":   {new(strings.Repeat("x", 1024)), nil, nil, reference{id: strings.Repeat("x", 1024)}},
		"no id is so long": {new(strings.Repeat("x", 1025)), nil, nil, reference{}},
	} {
		sent := contract.CandidateReference{CandidateUserID: tt.id, LinkedInURL: tt.url, Email: tt.email}
		if got := newReference("agy_1", sent); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", name, got, tt.want)
		}
	}
}
