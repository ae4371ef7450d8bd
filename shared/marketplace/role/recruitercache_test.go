package role_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// The cache keeps what is stored for recruiters on many roles, after every kind of change, and does
// not read it again without one.
func TestRecruiterCache(t *testing.T) {
	t.Parallel()
	s, calls := open(t)
	cache := role.NewRecruiterCache(s)
	assign := func(recruiterID, roleID string, version int64, level contract.AccessLevel) error {
		return s.PutAssignment(ctx, roleID, recruiterID, version, &role.Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved), AccessLevel: &level})
	}
	for i := range 64 {
		for _, recruiterID := range []string{"rec1", "rec2"} {
			must(t, assign(recruiterID, fmt.Sprintf("many%02d", i), 1, contract.AccessLevelCrossSubmit))
		}
	}
	must(t, assign("few", "r1", 1, contract.AccessLevelFull))
	apply := func(version int64, status, recruiterID string) error {
		a := application(status, 1)
		a.RecruiterID = recruiterID
		return s.PutApplication(ctx, "a1", stamp(version), a, alone)
	}
	const get, query = "DynamoDB.GetItem", "DynamoDB.Query"
	for _, step := range []struct {
		name   string
		change func() error
		// want has the calls for rec1, rec2 and few.
		want [3]string
	}{
		{"nothing kept", func() error { return nil }, [3]string{query, query, query}},
		{"no change", func() error { return nil }, [3]string{get, get, query}},
		{"an assignment", func() error { return assign("rec1", "many00", 2, contract.AccessLevelFull) }, [3]string{get + " " + query, get, query}},
		{"a deleted one", func() error { return s.PutAssignment(ctx, "many01", "rec1", 2, nil) }, [3]string{get + " " + query, get, query}},
		{"preferences", func() error {
			return s.PutPreferences(ctx, "rec1", stamp(1), &role.SavedPreferences{Locations: []contract.Location{"OSLO"}})
		}, [3]string{get, get, query}},
		{"an application", func() error { return apply(1, "SUBMITTED", "rec1") }, [3]string{get + " " + query, get, query}},
		{"the same counts", func() error { return apply(2, "IN_REVIEW", "rec1") }, [3]string{get, get, query}},
		{"other counts", func() error { return apply(3, "HIRED", "rec1") }, [3]string{get + " " + query, get, query}},
		{"of another recruiter", func() error { return apply(4, "HIRED", "rec2") }, [3]string{get + " " + query, get + " " + query, query}},
		{"deleted", func() error { return s.PutApplication(ctx, "a1", stamp(5), nil, alone) }, [3]string{get, get + " " + query, query}},
		{"back", func() error { return apply(6, "HIRED", "rec1") }, [3]string{get + " " + query, get, query}},
		{"erased", func() error {
			_, err := s.EraseApplication(ctx, "a1", now, alone)
			return err
		}, [3]string{get + " " + query, get, query}},
	} {
		must(t, step.change())
		for i, recruiterID := range []string{"rec1", "rec2", "few"} {
			want, err := s.RecruiterRoles(ctx, recruiterID)
			must(t, err)
			calls.Reset()
			got, err := cache.Read(ctx, recruiterID)
			must(t, err)
			if made := strings.Join(calls.Reset(), " "); made != step.want[i] {
				t.Errorf("%s: %s was read by %q, want %q", step.name, recruiterID, made, step.want[i])
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(role.RecruiterRoles{})); diff != "" {
				t.Errorf("%s: %s (-stored +kept):\n%s", step.name, recruiterID, diff)
			}
		}
	}
}

// A change whose worker died before it was counted is counted by the delivery that repeats it.
func TestRepeatedChangesAreCounted(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*role.Store) error{
		"assignment": func(s *role.Store) error {
			return s.PutAssignment(ctx, "r1", "rec1", 2, &role.Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved)})
		},
		"application": func(s *role.Store) error {
			return s.PutApplication(ctx, "a1", stamp(2), application("HIRED", 1), alone)
		},
		"deleted application": func(s *role.Store) error { return s.PutApplication(ctx, "a1", stamp(2), nil, alone) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var dies atomic.Bool
			died := errors.New("the worker died")
			s, _ := open(t, func(_ context.Context, call cloud.Call, send func() error) error {
				in, isUpdate := call.Input.(*dynamodb.UpdateItemInput)
				if dies.Load() && isUpdate && in.Key[topology.SK].(*types.AttributeValueMemberS).Value == "R" {
					return died
				}
				return send()
			})
			must(t, s.PutApplication(ctx, "a1", stamp(1), application("SUBMITTED", 1), alone))
			for i := range 64 {
				must(t, s.PutAssignment(ctx, fmt.Sprint("many", i), "rec1", 1, &role.Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved)}))
			}
			cache := role.NewRecruiterCache(s)
			_, err := cache.Read(ctx, "rec1")
			must(t, err)
			dies.Store(true)
			if err := change(s); !errors.Is(err, died) {
				t.Fatalf("got %v, want that the worker died", err)
			}
			dies.Store(false)
			must(t, change(s))
			want, err := s.RecruiterRoles(ctx, "rec1")
			must(t, err)
			got, err := cache.Read(ctx, "rec1")
			if diff := cmp.Diff(want.Roles["r1"], got.Roles["r1"]); diff != "" || err != nil {
				t.Errorf("%v (-stored +kept):\n%s", err, diff)
			}
		})
	}
}

// Texts that no response can hold are not collected in memory.
func TestTranscriptsAreBounded(t *testing.T) {
	t.Parallel()
	s, calls := open(t)
	must(t, s.Put(ctx, "r1", stamp(1), engineer("c1")))
	for i := range 6 {
		must(t, s.PutTranscript(ctx, fmt.Sprint("t", i), stamp(1), &role.Transcript{
			RoleID: "r1", UpdatedAt: at(i), Text: strings.Repeat("x", role.MaxText), Readers: role.Readers{All: true},
		}))
	}
	file, _ := opened(t, s, "r1")
	calls.Reset()
	if _, err := s.Transcripts(ctx, file, role.Reader{RecruiterID: "rec1"}); err == nil || len(calls.Reset()) == 6 {
		t.Errorf("got %v; want that it gives up before all are read", err)
	}
}
