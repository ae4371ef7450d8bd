package capacity_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// growth is a collection that grows, and the operations that are measured on it.
type growth struct {
	name, tag string
	// skip reports whether items with a partition key are not copied.
	skip func(pk string) bool
	// most is the largest collection, 0 for no limit.
	most       int
	operations []operation
}

// newSecondPage returns a request for the second page of a list, by the cursor of the first one.
func newSecondPage(name string, kind contract.KeyType, path string) operation {
	return operation{name, func(s *scene) func() {
		var page struct {
			NextCursor json.RawMessage `json:"nextCursor"`
		}
		key := s.newKey(kind)
		s.must(decodeJSON(s.sendRequest(key, "GET", path, "").Body, &page))
		cursor := strings.Trim(string(page.NextCursor), `"`)
		return func() { s.sendRequest(key, "GET", path+"?cursor="+url.QueryEscape(cursor), "") }
	}}
}

// beginsWith reports whether a key begins with one of the texts: of parts that no list reads.
func beginsWith(pk string, texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(pk, text) })
}

var growths = []growth{
	{"memberships of an agency", membershipTag, copyAll, 0, []operation{
		newGet("list", contract.AgencyKey, "/talent-network/candidates"),
		newSecondPage("list, second page", contract.AgencyKey, "/talent-network/candidates"),
		newGet("list by recruiterEmail", contract.AgencyKey, "/talent-network/candidates?recruiterEmail="+withTag(memberTag, 3)+"@example.com"),
		newGet("list by status", contract.AgencyKey, "/talent-network/candidates?status=off_market"),
		newWrite("lookup of 50", "POST", "/talent-network/candidates/lookup", func(int) string { return encodeReferences(50) }),
		newWrite("submit", "POST", "/talent-network/candidates/submit", newSubmission),
		{"ingest", prepareIngestion},
	}},
	{"roles", roleTag, func(pk string) bool {
		return ofRecruiter(pk) || strings.HasPrefix(pk, "N#") || strings.HasPrefix(pk, "I#")
	}, 0, []operation{
		newGet("list", contract.PersonalKey, "/recruiter/roles"),
		newSecondPage("list, second page", contract.PersonalKey, "/recruiter/roles"),
		newGet("search", contract.PersonalKey, "/recruiter/roles?query="+withTag(roleTag, 7)),
		newGet("read one", contract.PersonalKey, "/recruiter/roles/role-"+roleTag),
		{"list while twelve a second change", prepareListAt(12)},
	}},
	{"candidates of a recruiter", candidateTag, func(pk string) bool { return beginsWith(pk, "A#", "S#") }, 100_000, []operation{
		newGet("list", contract.PersonalKey, "/recruiter/candidates"),
		newSecondPage("list, second page", contract.PersonalKey, "/recruiter/candidates"),
		newGet("search", contract.PersonalKey, "/recruiter/candidates?query="+withTag(candidateTag, 7)),
		newGet("read one", contract.PersonalKey, "/recruiter/candidates/cand-"+candidateTag),
	}},
}

// BenchmarkGrowth prints the units and times of lists, look-ups, submissions and searches, in
// collections of a thousand to GROWTH members (by default a hundred thousand).
func BenchmarkGrowth(b *testing.B) {
	largest, err := strconv.Atoi(os.Getenv("GROWTH"))
	if err != nil {
		largest = 100_000
	}
	for _, g := range growths {
		b.Run(strings.ReplaceAll(g.name, " ", "_"), func(b *testing.B) {
			s := newScene(b, scale{members: 50, memberships: 2, roles: 50, ownRoles: 50, candidates: 2, calls: 2})
			fmt.Println(g.formatGrowth(s, largest)) // b.Log prints only ten lines
		})
	}
}

// formatGrowth returns a table of the operations at each size.
func (g growth) formatGrowth(s *scene, largest int) string {
	header := "| " + g.name + " |"
	rows := make([]string, len(g.operations))
	first := make([]cost, len(rows))
	last := make([]cost, len(rows))
	copied := 50
	for size := 1000; size <= largest && (g.most == 0 || size <= g.most); size *= 10 {
		s.copyItems(g.tag, copied, size, g.skip)
		s.publishIndexes()
		copied = size
		header += fmt.Sprintf(" %d |", size)
		for i, o := range g.operations {
			last[i] = s.measureCost(o)
			if size == 1000 {
				first[i] = last[i]
			}
			rows[i] += fmt.Sprintf(" %v units, %.1f ms |", last[i].units, last[i].milliseconds)
		}
	}
	text := header + " last of first |\n"
	for i, row := range rows {
		text += fmt.Sprintf("| %s |%s %.2f units, %.2f ms |\n", g.operations[i].name, row, last[i].units/first[i].units, last[i].milliseconds/first[i].milliseconds)
	}
	return text
}

// cost is the units and time of an operation.
type cost struct{ units, milliseconds float64 }

// measureCost measures the units of one run, and the median time of many without the meter.
func (s *scene) measureCost(o operation) cost {
	used := s.meter.measure(o.prepare(s)).operation().Units()
	var times []float64
	run := o.prepare(s)
	for n := range 25 {
		if o.name == "submit" || o.name == "ingest" || n == 0 {
			run = o.prepare(s)
		}
		begin := time.Now()
		run()
		times = append(times, float64(time.Since(begin).Microseconds())/1000)
	}
	slices.Sort(times)
	return cost{used.Reads + used.Writes, times[len(times)/2]}
}
