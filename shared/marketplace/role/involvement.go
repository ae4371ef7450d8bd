package role

import (
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Involvement is what a recruiter is to a role; the zero value is a stranger's.
type Involvement struct {
	// Assignment is nil for a recruiter without one.
	*Assignment
	Counts Counts
}

// Involved reports whether the recruiter is on the role or has submitted a candidate to it. An
// assignment counts only once it is approved (contract, Role approval and access).
func (m Involvement) Involved() bool { return m.Approved() || m.Counts.Total > 0 }

// ActiveSingle returns the number of active submissions that were made with
// single-submission access. Those of which nothing else is known count by the level of now.
func (m Involvement) ActiveSingle() int {
	n := m.Counts.Single
	if m.via() == contract.ApplicationViaSingle {
		n += m.Counts.Active - m.Counts.AutoMatch - m.Counts.Single - m.Counts.Other
	}
	return n
}

// involvementIn reads what an item says that a recruiter is to a role.
func involvementIn(item entity.Item) (m Involvement, err error) {
	assignment, err := item.State(assignmentPart)
	if err != nil {
		return m, err
	}
	if assignment.Live() {
		m.Assignment = &Assignment{}
		if err := assignment.Into(m.Assignment); err != nil {
			return m, err
		}
	}
	counts, err := item.State(countPart)
	if err != nil {
		return m, err
	}
	return m, counts.Into(&m.Counts)
}
