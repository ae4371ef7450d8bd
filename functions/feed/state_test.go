package feed_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// readState returns everything stored that has a meaning, by item.
func (b testFeed) readState(t testing.TB) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, table := range []topology.Table{topology.Accounts, topology.Marketplace} {
		stored := b.host.Opener().Table(table)
		var items []map[string]any
		if err := stored.Scan().All(t.Context(), &items); err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			key := table.Name + " " + item["pk"].(string) + " " + item["sk"].(string)
			kind, _, _ := strings.Cut(item["pk"].(string), "#")
			if slices.Contains([]string{"D", "G", "X"}, kind) || item["sk"] == "W" {
				continue // changes of the catalogue and of CRMs, disposals and marks for the sweeper depend on how often a write was tried
			}
			if removeIncidentals(key, item); len(item) > 2 || !strings.Contains(key, " R#") && !strings.HasSuffix(key, " F") && !strings.HasSuffix(key, " R") {
				all[key] = item
			}
		}
	}
	all["objects"] = b.objects(t)
	return all
}

// removeIncidentals removes what may differ with the order of events: nonces, the number of times
// that something was counted again, counts that are back at zero, keyrings created early, the times
// at which rows of CRMs were written (a bulk load publishes the CRMs instead of noting the
// changes), and copies of the facts of companies that a role has left.
func removeIncidentals(key string, item map[string]any) {
	delete(item, "revision")
	if strings.HasSuffix(key, " F") {
		delete(item, "v")
	}
	delete(item, "nv")
	delete(item, "chv")
	for name, value := range item {
		body, ok := value.([]byte)
		if !ok {
			continue
		}
		var content map[string]any
		if json.Unmarshal(body, &content) == nil {
			zero := len(content) > 0
			for _, v := range content {
				zero = zero && v == 0.0
			}
			item[name] = content
			if zero || len(content) == 0 {
				delete(item, name)
			}
		}
	}
	if card, _ := item["body"].(map[string]any); strings.Contains(key, " R#") {
		current := ""
		if id, ok := card["companyId"].(string); ok {
			sum := sha256.Sum256([]byte(id))
			current = "co" + hex.EncodeToString(sum[:6])
		}
		for name := range item {
			if strings.HasPrefix(name, "co") && (current == "" || !strings.HasPrefix(name, current)) {
				delete(item, name)
			}
		}
	}
	if rows, ok := item["rows"].([]any); ok {
		rows = slices.DeleteFunc(rows, func(row any) bool { return strings.HasPrefix(row.(string), "G#") })
		slices.SortFunc(rows, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		item["rows"] = rows
	}
}
