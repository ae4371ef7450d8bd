package capacity_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	model "github.com/recruiting-marketplace/external-api/infra/capacity"
)

// documentTables returns the tables of docs/capacity.md, in Markdown, by the names of their places in it.
func documentTables(m model.Measurements) map[string]string {
	return map[string]string{
		"targets": formatTargets(m), "keys": formatKeys(keyLoads(m)), "totals": formatTotals(m.TableUnits()),
	}
}

func formatTargets(m model.Measurements) string {
	var b strings.Builder
	b.WriteString("| Operation | a second | calls | read units | write units |\n| - | -: | -: | -: | -: |\n")
	for _, t := range model.Targets() {
		o := m.Operations[t.Operation]
		u := o.Units()
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s |\n", t.Operation, model.FormatNumber(t.PerSecond), o.Calls,
			model.FormatNumber(u.Reads), model.FormatNumber(u.Writes))
	}
	return b.String()
}

func formatKeys(rows []keyLoad) string {
	var b strings.Builder
	b.WriteString("| Key | read | write | busiest: read | write | of its limit | most by |\n")
	b.WriteString("| - | -: | -: | -: | -: | -: | - |\n")
	for _, r := range rows {
		by := r.Reader
		if r.Busiest.Writes/keyWrites > r.Busiest.Reads/keyReads {
			by = r.Writer
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %.0f %% | %s |\n",
			r.Form, model.FormatNumber(r.All.Reads), model.FormatNumber(r.All.Writes),
			model.FormatNumber(r.Busiest.Reads), model.FormatNumber(r.Busiest.Writes), 100*r.ofLimit(), by)
	}
	return b.String()
}

func formatTotals(totals map[string]model.Units) string {
	var b strings.Builder
	b.WriteString("| Table or index | read units a second | write units a second |\n| - | -: | -: |\n")
	for _, name := range slices.Sorted(maps.Keys(totals)) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, model.FormatNumber(totals[name].Reads), model.FormatNumber(totals[name].Writes))
	}
	return b.String()
}
