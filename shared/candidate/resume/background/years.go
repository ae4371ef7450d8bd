package background

import (
	"cmp"
	"math"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
)

// CountYears returns the time covered by jobs, in years with one decimal: the union
// of their intervals, so that two jobs at once count once. A year without a month
// means January, both as a start and as an end, as most people mean "2015 – 2018".
func CountYears(jobs []jobs.Experience, now dates.Month) float64 {
	var spans [][2]int // months, the end excluded
	for _, j := range jobs {
		end := j.End
		if j.Current || end == (dates.Month{}) {
			end = now
		}
		from := j.Start.Year*12 + max(j.Start.Month, 1)
		to := end.Year*12 + max(end.Month, 1)
		if end.Month > 0 {
			to++
		}
		if j.Start.Year > 0 && from < to {
			spans = append(spans, [2]int{from, min(to, now.Year*12+now.Month+1)})
		}
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	months := 0
	covered := 0
	for _, s := range spans {
		months += max(0, s[1]-max(s[0], covered))
		covered = max(covered, s[1])
	}
	return math.Round(float64(months)/12*10) / 10
}
