package jobs

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
)

func TestYears(t *testing.T) {
	t.Parallel()
	now := dates.Month{Year: 2026, Month: 6}
	job := func(start, end dates.Month) Experience {
		return Experience{Start: start, End: end, Current: end == dates.Month{}}
	}
	tests := []struct {
		name string
		jobs []Experience
		want float64
	}{
		{"one", []Experience{job(dates.Month{Year: 2020, Month: 1}, dates.Month{Year: 2020, Month: 12})}, 1},
		{"two at once", []Experience{job(dates.Month{Year: 2020, Month: 1}, dates.Month{Year: 2021, Month: 12}), job(dates.Month{Year: 2020, Month: 6}, dates.Month{Year: 2021, Month: 6})}, 2},
		{"with a gap", []Experience{job(dates.Month{Year: 2020, Month: 1}, dates.Month{Year: 2020, Month: 12}), job(dates.Month{Year: 2022, Month: 1}, dates.Month{Year: 2022, Month: 6})}, 1.5},
		{"running", []Experience{job(dates.Month{Year: 2025, Month: 7}, dates.Month{})}, 1},
		{"years only", []Experience{job(dates.Month{Year: 2015}, dates.Month{Year: 2018})}, 3},
		{"in the future", []Experience{job(dates.Month{Year: 2026, Month: 1}, dates.Month{Year: 2030, Month: 1})}, 0.5},
		{"none", nil, 0},
	}
	for _, tt := range tests {
		if got := CountYears(tt.jobs, now); got != tt.want {
			t.Errorf("%s: %v years, want %v", tt.name, got, tt.want)
		}
	}
}

// However jobs overlap, the union is no more than the time they span, and no less than the longest.
func TestYearsAreAUnion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var found []Experience
		longest := 0.0
		for range rapid.IntRange(1, 8).Draw(t, "jobs") {
			start := dates.Month{Year: rapid.IntRange(1990, 2020).Draw(t, "year"), Month: rapid.IntRange(1, 12).Draw(t, "month")}
			end := dates.Month{Year: start.Year + rapid.IntRange(0, 5).Draw(t, "years"), Month: 12}
			found = append(found, Experience{Start: start, End: end})
			longest = max(longest, CountYears(found[len(found)-1:], dates.Month{Year: 2026, Month: 6}))
		}
		if got := CountYears(found, dates.Month{Year: 2026, Month: 6}); got < longest || got > 36.5 {
			t.Fatalf("%v years of %v, the longest is %v", got, found, longest)
		}
	})
}
