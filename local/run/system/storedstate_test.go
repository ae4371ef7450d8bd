package system_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
)

// storedState is everything in the tables and buckets, by kind and key.
type storedState map[storedKey]string

type storedKey struct{ kind, key string }

// readStoredState reads all tables and buckets.
func (sys *testSystem) readStoredState() storedState {
	sys.t.Helper()
	state := storedState{}
	for _, t := range topology.Tables {
		for _, item := range sys.storedItems(t, "") {
			pk := item[topology.PK].(string)
			sk := item[topology.SK].(string)
			state[storedKey{kindOf(t, pk, sk), pk + " " + sk}] = describeItem(item)
		}
	}
	for _, b := range topology.Buckets {
		for _, key := range sys.storedObjects(b, "") {
			state[storedKey{objectKind + b.Name, key}] = key
		}
	}
	return state
}

// objectKind begins the kinds of objects in buckets.
const objectKind = "object of "

func kindOf(t topology.Table, pk, sk string) string {
	i := slices.IndexFunc(itemkey.Tables[t.Name], func(k itemkey.Kind) bool { return k.Has(pk, sk) })
	if i < 0 {
		return t.Name + " ?"
	}
	return itemkey.Tables[t.Name][i].String()
}

// incidental are attributes that say how an item came about, not what it says: attempts,
// times and the numbers of writes; and what the profile provider invents, which rows of the
// network have as t, c and w.
var incidental = []string{"ttl", "version", "write", "nonce", "lease", "evidence", "chv", "revision", "last4", "title", "company", "location", "t", "c", "w"}

func describeItem(item map[string]any) string {
	item = maps.Clone(item)
	for name, value := range item {
		if text, binary := value.([]byte); binary {
			item[name] = string(text)
		}
	}
	for _, name := range incidental {
		delete(item, name)
	}
	text, err := json.Marshal(item)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// newerThan returns what is not in an earlier state.
func (s storedState) newerThan(earlier storedState) storedState {
	newer := storedState{}
	for key, text := range s {
		if _, before := earlier[key]; !before {
			newer[key] = text
		}
	}
	return newer
}

// transientKinds lists the kinds that differ between runs with the same result: claims and batches
// of attempts that the caller repeated, notices and counters.
var transientKinds = []string{
	itemkey.Claim.String(), itemkey.Batch.String(), itemkey.BatchPart.String(), itemkey.BatchRow.String(), itemkey.SnapshotChange.String(), itemkey.SnapshotHead.String(), itemkey.SnapshotDraft.String(),
	itemkey.KeyPointer.String(), // revoked keys have one too
}

// describeCase returns the state without the parts that differ between cases and attempts.
func (s storedState) describeCase(c *faultCase) storedState {
	described := storedState{}
	for key, text := range s {
		failed := key.kind == itemkey.BatchItem.String() && (c.erases || !strings.Contains(text, `"status":"`+string(contract.Succeeded)+`"`))
		revoked := key.kind == itemkey.APIKey.String() && strings.Contains(text, `"revokedAt"`)
		generation := strings.HasPrefix(key.key, catalogue.SnapshotName+"/")
		ended := key.kind == itemkey.ChangeEntry.String() && (c.erases || strings.Contains(text, string(contract.SubmissionFailed)))
		failedUpload := key.kind == itemkey.PersonSubmission.String() && !c.erases
		if slices.Contains(transientKinds, key.kind) || failed || ended || revoked || generation || failedUpload {
			continue
		}
		described[storedKey{key.kind, key.key}] = withoutIdentifiers(c.tag, text)
	}
	return described
}

var identifiers = []struct {
	form        *regexp.Regexp
	replacement string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "ID"},
	{regexp.MustCompile(`[0-9a-f]{64}`), "HASH"},
	{regexp.MustCompile(`(key|cu)_[0-9A-Z]{26}`), "ID"},
	{regexp.MustCompile(`"shard":"(S#)?[0-9]+"`), `"shard":N`},
	{regexp.MustCompile(`"sk":"W","v":[0-9]+`), "W"},     // how often a recruiter's pause was judged
	{regexp.MustCompile(`"erased\\":{[^}]*}`), "COUNTS"}, // of an erasure's last run
	{regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z`), "TIME"},
	{regexp.MustCompile(`"L#[0-9]+`), `"L#N`},           // the shard of a hash
	{regexp.MustCompile(`("I#[^"]*)#[0-9]+"`), `$1#N"`}, // the shard of a change
	{regexp.MustCompile(`"co[0-9a-f]{12}`), `"coN`},     // the part of a company
	{regexp.MustCompile(`#[0-9a-f]{13}#`), "#N#"},       // the place of a time
	{regexp.MustCompile(`[0-9]{8}T[0-9]{6}\.[0-9]{3}`), "TIME"},
	{regexp.MustCompile(`[0-9]{9,}`), "N"},
	{regexp.MustCompile(`[0-9]\.[0-9]+e\+[0-9]+`), "N"},
}

func withoutIdentifiers(tag, text string) string {
	text = strings.ReplaceAll(text, tag, "TAG")
	for _, i := range identifiers {
		text = i.form.ReplaceAllString(text, i.replacement)
	}
	return text
}

// compareWith reports, as defects of c, how the state differs from model, the state after a run
// without a fault. Too many of a kind is twice (orphan in a bucket, stuck for in-flight items); too few
// is lost.
func (s storedState) compareWith(model storedState, c *faultCase) {
	for kind, want := range model.byKind() {
		for text, n := range want {
			if got := s.byKind()[kind][text]; got < n {
				c.reportDefect(lost, "%s: %d of %d are stored of %s", kind, got, n, text)
			}
		}
	}
	for kind, got := range s.byKind() {
		for text, n := range got {
			want := model.byKind()[kind][text]
			switch {
			case n <= want:
			case strings.HasPrefix(kind, objectKind) && !c.erases && expires(kind, text): // the bucket deletes the object
			case strings.HasPrefix(kind, objectKind):
				c.reportDefect(orphan, "%s: %s", kind, text)
			case kind == itemkey.InFlightItem.String():
				c.reportDefect(stuck, "%s: %s", kind, text)
			default:
				c.reportDefect(twice, "%s: %d instead of %d are stored of %s", kind, n, want, text)
			}
		}
	}
}

// expires reports whether an object has a life cycle.
func expires(kind, key string) bool {
	return slices.ContainsFunc(topology.Buckets, func(b topology.Bucket) bool {
		return kind == objectKind+b.Name && slices.ContainsFunc(b.Expires, func(e topology.Expiry) bool { return strings.HasPrefix(key, e.Prefix) })
	})
}

// byKind counts equal texts of each kind.
func (s storedState) byKind() map[string]map[string]int {
	counts := map[string]map[string]int{}
	for key, text := range s {
		if counts[key.kind] == nil {
			counts[key.kind] = map[string]int{}
		}
		counts[key.kind][text]++
	}
	return counts
}

// endedRows returns the rows of items that have ended, which must never change again.
func (s storedState) endedRows() storedState {
	rows := storedState{}
	for key, text := range s {
		for _, status := range []contract.ItemStatus{contract.Succeeded, contract.Failed, contract.Deduplicated} {
			if key.kind == itemkey.BatchItem.String() && strings.Contains(text, fmt.Sprintf(`"status":%q`, status)) {
				rows[key] = text
			}
		}
	}
	return rows
}
