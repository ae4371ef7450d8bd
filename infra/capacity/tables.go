package capacity

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Tables returns the tables of docs/capacity.md, in Markdown, by the names of their places in it.
func (m Measurements) Tables() map[string]string {
	return map[string]string{
		"targets": m.formatTargets(), "keys": formatRows(m.Rows()), "totals": formatTotals(m.TableUnits()),
	}
}

func (m Measurements) formatTargets() string {
	var b strings.Builder
	b.WriteString("| Operation | a second | calls | read units | write units |\n| - | -: | -: | -: | -: |\n")
	for _, t := range Targets() {
		o := m.Operations[t.Operation]
		u := o.Units()
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s |\n", t.Operation, FormatNumber(t.PerSecond), o.Calls,
			FormatNumber(u.Reads), FormatNumber(u.Writes))
	}
	return b.String()
}

func formatRows(rows []Row) string {
	var b strings.Builder
	b.WriteString("| Key | read | write | busiest: read | write | of its limit | most by |\n")
	b.WriteString("| - | -: | -: | -: | -: | -: | - |\n")
	for _, r := range rows {
		by := r.Reader
		if r.Busiest.Writes/KeyWrites > r.Busiest.Reads/KeyReads {
			by = r.Writer
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %.0f %% | %s |\n",
			r.Form, FormatNumber(r.All.Reads), FormatNumber(r.All.Writes),
			FormatNumber(r.Busiest.Reads), FormatNumber(r.Busiest.Writes), 100*r.OfLimit(), by)
	}
	return b.String()
}

func formatTotals(totals map[string]Units) string {
	var b strings.Builder
	b.WriteString("| Table or index | read units a second | write units a second |\n| - | -: | -: |\n")
	for _, name := range slices.Sorted(maps.Keys(totals)) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, FormatNumber(totals[name].Reads), FormatNumber(totals[name].Writes))
	}
	return b.String()
}

// FormatNumber returns a number with separators for thousands, and with one decimal if it is below
// 10.
func FormatNumber(n float64) string {
	if n < 10 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", n), ".0")
	}
	digits := fmt.Sprintf("%.0f", n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
