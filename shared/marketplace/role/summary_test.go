package role

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func public() Role {
	return Role{Listing: Listing{
		Title: "Engineer", CompanyID: "co1", Status: "ACTIVE", Visibility: "PUBLIC", UpdatedAt: at(0), BrowseURL: "https://app.example.com/1",
		RecruitURL: new("https://app.example.com/w"), Salary: Salary{Min: new(int64(120_000)), Currency: new("USD")},
		Fee: Fee{PercentOfSalary: new(20.0), BoostPercent: new(1.0)}, NotAcceptingRecruiters: true,
	}}
}

func TestFees(t *testing.T) {
	t.Parallel()
	own := &Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved), Fee: &Fee{PercentOfSalary: new(25.0)}}
	tests := []struct {
		name   string
		caller Caller
		want   contract.Fee
	}{
		{"the role's", Caller{}, contract.Fee{PercentOfSalary: new(20.0), AmountLowerBound: new(24_000.0), BoostPercent: new(1.0)}},
		{"the caller's own", Caller{Involvement: Involvement{Assignment: own}}, contract.Fee{PercentOfSalary: new(25.0), AmountLowerBound: new(30_000.0)}},
		{"hidden", Caller{Involvement: Involvement{Assignment: own}, FeesHidden: true}, contract.Fee{}},
	}
	for _, tt := range tests {
		v := Redact(rawRole("r", public(), nil, nil, nil), tt.caller)
		if diff := cmp.Diff(tt.want, v.Summary().Fee); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		var active *contract.Fee
		if tt.caller.Assignment != nil {
			active = &tt.want
		}
		if diff := cmp.Diff(active, v.ActiveRow().Fee); diff != "" {
			t.Errorf("%s, active (-want +got):\n%s", tt.name, diff)
		}
	}
}

// An amount is exact to the cent, whatever floating point makes of the product.
func TestAmountIsExact(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		low           int64
		percent, want float64
	}{{90_000, 0.7, 630}, {57_000, 1.1, 627}, {123_456, 17.35, 21_419.62}, {99_999, 33.33, 33_329.67}, {0, 20, 0}} {
		r := public()
		r.Salary.Min = &tt.low
		r.Fee = Fee{PercentOfSalary: &tt.percent}
		if got := *Redact(rawRole("r", r, nil, nil, nil), Caller{}).Summary().Fee.AmountLowerBound; got != tt.want {
			t.Errorf("%v %% of %d: got %v, want %v", tt.percent, tt.low, got, tt.want)
		}
	}
}

// TestUnknownIsEmpty shows what an answer holds of a role of which little is known.
func TestUnknownIsEmpty(t *testing.T) {
	t.Parallel()
	got := Redact(rawRole("r", public(), nil, nil, nil), Caller{Now: now}).Summary()
	want := contract.RoleSummary{
		ID: "r", Name: "Engineer", URLs: contract.Links{Browse: "https://app.example.com/1"},
		Compensation:    contract.Compensation{SalaryLowerBound: 120_000, Currency: new("USD")},
		Fee:             contract.Fee{PercentOfSalary: new(20.0), AmountLowerBound: new(24_000.0), BoostPercent: new(1.0)},
		RecruiterAccess: contract.RecruiterAccess{NotAcceptingRecruiters: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestMyRole(t *testing.T) {
	t.Parallel()
	end := at(7) // the Monday after
	trial := &Trial{EndsAt: &end, SubmissionGoal: 3, SubmissionsCounted: 1}
	tests := []struct {
		name string
		a    *Assignment
		now  time.Time
		want contract.MyRole
	}{
		{"a stranger", nil, now, contract.MyRole{}},
		{"pending", &Assignment{ApprovalStatus: new(contract.ApprovalStatusPending), AccessLevel: new(contract.AccessLevelFull), Trial: trial}, now,
			contract.MyRole{ApprovalStatus: new(contract.ApprovalStatusPending), AccessLevel: new(contract.AccessLevelFull)}},
		{"single submission", &Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelCrossSubmit)}, now,
			contract.MyRole{IsApproved: true, ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelCrossSubmit)}},
		{"on trial", &Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelFull), Trial: trial}, now,
			contract.MyRole{IsApproved: true, IsPrimary: true, ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelFull),
				Trial: &contract.Trial{EndsAt: &end, BusinessDaysLeft: new(5), SubmissionGoal: 3, SubmissionsCounted: 1, IsActive: true}}},
		{"ending", &Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelFull), Trial: trial}, now.AddDate(0, 0, 3),
			contract.MyRole{IsApproved: true, IsPrimary: true, ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelFull),
				Trial: &contract.Trial{EndsAt: &end, BusinessDaysLeft: new(2), SubmissionGoal: 3, SubmissionsCounted: 1, IsActive: true, EndingSoon: true}}},
		{"ended", &Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelFull), Trial: trial}, end.Time,
			contract.MyRole{IsApproved: true, IsPrimary: true, ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: new(contract.AccessLevelFull),
				Trial: &contract.Trial{EndsAt: &end, BusinessDaysLeft: new(0), SubmissionGoal: 3, SubmissionsCounted: 1}}},
	}
	for _, tt := range tests {
		got := Redact(rawRole("r", public(), nil, nil, nil), Caller{Involvement: Involvement{Assignment: tt.a}, Now: tt.now}).Summary()
		if diff := cmp.Diff(tt.want, got.MyRole); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if approved := tt.want.IsApproved; (got.URLs.Recruit != nil) != approved || got.RecruiterAccess.NotAcceptingRecruiters == approved {
			t.Errorf("%s: recruit %v, closed %v", tt.name, got.URLs.Recruit, got.RecruiterAccess.NotAcceptingRecruiters)
		}
	}
}

// TestBusinessDays counts against a walk over the days.
func TestBusinessDays(t *testing.T) {
	t.Parallel()
	for from := range 14 {
		for length := range 30 {
			start := now.AddDate(0, 0, from)
			want := 0
			for d := range length {
				if day := start.AddDate(0, 0, d+1).Weekday(); day != time.Saturday && day != time.Sunday {
					want++
				}
			}
			if got := businessDays(start, start.AddDate(0, 0, length)); got != want {
				t.Errorf("from %s, %d days: %d, want %d", start.Weekday(), length, got, want)
			}
		}
	}
}

func TestReaders(t *testing.T) {
	t.Parallel()
	v := Redact(rawRole("r", public(), nil, nil, nil), Caller{})
	all := []Announcement{
		{Message: "all", Recipients: Readers{All: true}}, {Message: "me", Recipients: Readers{RecruiterIDs: []string{"rec1"}}},
		{Message: "agency", Recipients: Readers{AgencyIDs: []string{"agy1"}}}, {Message: "others", Recipients: Readers{RecruiterIDs: []string{"rec2"}, AgencyIDs: []string{""}}},
	}
	for reader, want := range map[Reader]int{{"rec1", "agy1"}: 3, {"rec1", ""}: 2, {"rec9", ""}: 1, {"", ""}: 1} {
		if got := v.announcementsFor(all, reader); len(got) != want {
			t.Errorf("%+v reads %v", reader, got)
		}
	}
}

func TestResponsiveness(t *testing.T) {
	t.Parallel()
	for want, m := range map[float64]Metrics{0: {}, 1: {ReviewDays: new(2.0)}, 2.1: {ReviewDays: new(2.0), FeedbackDays: new(3.0), ReplyDays: new(1.0)},
		1.5: {ReviewDays: new(1.0), FeedbackDays: new(2.0), ReplyDays: new(2.0)}, 0.06: {ReviewDays: new(1.0 / 9)}, 0.35: {ReviewDays: new(0.7)}} {
		if got := m.Responsiveness(); got != want {
			t.Errorf("%+v: %v, want %v", m, got, want)
		}
	}
}
