package market

import (
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

const (
	// firstSubmitted is the first candidate with applications. The newer ones before it have
	// none, so that roles can be recommended for them.
	firstSubmitted = 26
	// firstRequested is the first candidate with a match, added long enough ago for every outcome.
	firstRequested = 40
)

// findSuitedRole returns an open role among the first n for the i-th candidate: the first of
// the same work after the role that the candidate is modelled on.
func findSuitedRole(i, n int, now time.Time) roles.Role {
	ideal := roles.At(i, now)
	for j := 1; j < n; j++ {
		if r := roles.At((i+j)%n, now); r.Status == string(contract.RoleStatusActive) && shareRoleType(r, ideal) {
			return r
		}
	}
	return roles.At(i%n, now)
}

func shareRoleType(a, b roles.Role) bool {
	return slices.ContainsFunc(a.RoleTypes, func(key string) bool { return slices.Contains(b.RoleTypes, key) })
}

// findApplicants returns the numbers of count candidates without a match for a role: those who
// do such work, and others if there are too few.
func findApplicants(r roles.Role, count int, now time.Time) (numbers []int) {
	for _, all := range []bool{false, true} {
		for i := firstSubmitted; i < CandidateCount-2 && len(numbers) < count; i++ {
			isAsked := i >= firstRequested && i < firstRequested+MatchCount
			isTaken := isAsked || slices.Contains(numbers, i)
			if !isTaken && (all || shareRoleType(roles.At(i, now), r)) {
				numbers = append(numbers, i)
			}
		}
	}
	return numbers
}
