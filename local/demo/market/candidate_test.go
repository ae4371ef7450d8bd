package market_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/market"
)

// The jobs of a candidate follow one another and the studies, and last as many years as the candidate says.
func TestJobsLastTheYearsOfExperience(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 6, 9, 30, 0, 0, time.UTC)
	year := func(date *string) int {
		n, err := strconv.Atoi((*date)[:4])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for i := range market.CandidateCount {
		c := market.CandidateAt(i, "rec", now)
		next := now.Year()
		for n, job := range c.Experiences {
			if n > 0 && year(job.EndDate) != next-1 {
				t.Errorf("candidate %d: job %d ends in %s, the next begins in %d", i, n, *job.EndDate, next)
			}
			next = year(job.StartDate)
		}
		if years := int(*c.YearsOfExperience); now.Year()-next != years {
			t.Errorf("candidate %d: %d years of experience, jobs since %d", i, years, next)
		}
		if end := year(c.Education[0].EndDate); end >= next {
			t.Errorf("candidate %d: a degree of %d, jobs since %d", i, end, next)
		}
	}
}
