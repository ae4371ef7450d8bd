package resume

import "testing"

// A title without a company belongs to the company above if at most 24 months lie between the jobs.
func TestPromotionsWithinTwoYears(t *testing.T) {
	t.Parallel()
	for end, want := range map[string]string{
		"Mar 2015": "", // 36 months before
		"Feb 2016": "", // 25
		"Mar 2016": "Northmoor Labs",
		"Feb 2017": "Northmoor Labs", // 13
		"Feb 2018": "Northmoor Labs",
	} {
		jobs := Extract(newDocument("Maya Okafor\nExperience\nNorthmoor Labs\tLeeds\nSenior Clerk (Mar 2018 – Present)\n- led\nClerk (Jan 2014 – "+end+
			")\n- filed\nSouthmoor Bank\tYork\nTrainee (Jan 2012 – Nov 2013)\n- learned"), asOf).Experiences
		if len(jobs) != 3 || jobs[1].Title != "Clerk" || jobs[1].Company != want {
			t.Errorf("a clerk until %s: got %+v; want one of %q", end, jobs, want)
		}
	}
}
