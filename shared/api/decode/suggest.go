package decode

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// suggestValue returns the accepted value that was probably meant; empty if none is
// near. Case, spaces and hyphens do not count, because people send display names.
func suggestValue(sent string, accepted []string) string {
	sent = foldName(sent)
	if len(sent) < 2 || len(sent) > 64 {
		return ""
	}
	best := ""
	least := max(1, len(sent)/5) + 1
	for _, v := range accepted {
		folded := foldName(v)
		d := text.Distance([]byte(sent), []byte(folded), least-1)
		if d > 0 && strings.HasPrefix(folded, sent) {
			d = 1
		}
		if d < least {
			best = v
			least = d
		}
	}
	return best
}

var separators = strings.NewReplacer(" ", "_", "-", "_", "/", "_")

func foldName(v string) string { return strings.ToLower(separators.Replace(strings.TrimSpace(v))) }
