package jobs

import (
	"maps"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
)

// unmarkHeads removes the marks of list items from the heads of jobs where no other line has dates:
// "• Engineer, Acme<tab>2019 – 2021".
func unmarkHeads(lines []string) []string {
	heads := make(map[string][]int) // the lines with dates at their end, by their marks
	for i, line := range lines {
		p, dated := dates.FindPeriod(line)
		mark := facts.BulletMark().FindString(line)
		switch {
		case dated && mark == "":
			return lines
		case dated && p.First > len(mark) && p.Last == len(line):
			heads[mark] = append(heads[mark], i)
		}
	}
	return dropMarks(lines, heads)
}

// dropMarks removes the marks of the lines in heads if they all have the same one, and there are several.
func dropMarks(lines []string, heads map[string][]int) []string {
	out := slices.Clone(lines)
	for mark, at := range heads {
		for _, i := range at {
			if len(heads) == 1 && len(at) > 1 {
				out[i] = lines[i][len(mark):]
			}
		}
	}
	return out
}

// unmarkEmployers removes the marks of list items from lines that are all above one with dates, which has
// no mark, where list items have another mark: "● Acme" over "Engineer<tab>2019 – 2021", "* Built it".
func unmarkEmployers(lines []string) []string {
	heads := make(map[string][]int)
	others := make(map[string]bool)
	for i, line := range lines {
		mark := facts.BulletMark().FindString(line)
		if mark == "" {
			continue
		}
		isHead := false
		if i+1 < len(lines) && !facts.IsBullet(lines[i+1]) {
			_, isHead = dates.FindPeriod(lines[i+1])
		}
		if isHead {
			heads[mark] = append(heads[mark], i)
		} else {
			others[mark] = true
		}
	}
	if maps.DeleteFunc(heads, func(mark string, _ []int) bool { return others[mark] }); len(others) == 0 {
		return lines // a list item a job
	}
	return dropMarks(lines, heads)
}
