// Package iam does on this machine what IAM does in an account: it looks at every
// AWS call of a function and refuses what the topology does not grant. So a
// missing grant fails the first test that needs it, and not the deployment.
//
// It also keeps what was used, so that a test can find a grant that nobody uses.
// It knows the operations that our functions call and refuses any other until it
// is told which IAM actions those need.
package iam

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Access is one action that a function took on a resource. The part of objects is
// the prefix that is granted, or the first segment of the key where none is.
type Access struct {
	Function, Action string
	On               topology.Resource
}

// String is one line of a record.
func (u Access) String() string { return u.Function + ": " + u.Action + " on " + u.On.String() }

// ParseAccess reads what String writes.
func ParseAccess(line string) (Access, error) {
	function, rest, _ := strings.Cut(line, ": ")
	action, on, _ := strings.Cut(rest, " on ")
	kind, name, found := strings.Cut(on, " ")
	name, part, _ := strings.Cut(name, "/")
	if !found {
		return Access{}, fmt.Errorf("%q is no use: want \"function: action on kind name\"", line)
	}
	return Access{function, action, topology.Resource{Kind: topology.Kind(kind), Name: name, Part: part}}, nil
}

// Record keeps uses, and those that were refused. The zero value is ready.
type Record struct {
	mu              sync.Mutex
	allowed, denied map[Access]bool
}

// Allowed lists what was used, in order.
func (r *Record) Allowed() []Access {
	r.mu.Lock()
	defer r.mu.Unlock()
	return sortAccesses(r.allowed)
}

// Denied lists what was refused, in order.
func (r *Record) Denied() []Access {
	r.mu.Lock()
	defer r.mu.Unlock()
	return sortAccesses(r.denied)
}

func sortAccesses(uses map[Access]bool) []Access {
	return slices.SortedFunc(maps.Keys(uses), func(a, b Access) int { return strings.Compare(a.String(), b.String()) })
}

func (r *Record) addAccess(use Access, allowed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.allowed == nil {
		r.allowed, r.denied = map[Access]bool{}, map[Access]bool{}
	}
	if allowed {
		r.allowed[use] = true
	} else {
		r.denied[use] = true
	}
}

// ProcessRecord is the record of the whole process.
var ProcessRecord Record

// DeniedError is the refusal of a call that the function has no grant for.
type DeniedError struct{ Access }

// Error tells what to do about it.
func (e *DeniedError) Error() string {
	return fmt.Sprintf("%s is not granted: enter it in shared/cloud/topology", e.Access)
}

// Enforcer are those of one function.
type Enforcer struct {
	Function topology.Function
	// Resolve finds the resource of the topology whose deployed name, or URL, is given.
	Resolve func(deployed topology.Resource) (logical topology.Resource, ok bool)
	Record  *Record
}

// Hook is a cloud.Hook that refuses what is not granted and records the rest.
func (e Enforcer) Hook(_ context.Context, call cloud.Call, send func() error) error {
	requirements, err := Requirements(call)
	if err != nil {
		return err
	}
	for _, requirement := range requirements {
		on, ok := e.Resolve(requirement.On)
		if !ok {
			return fmt.Errorf("function %s: %s on %s, which the topology does not have", e.Function.Name, requirement.Action, requirement.On)
		}
		granted, allowed := e.Function.Allows(requirement.Action, on)
		if !allowed {
			granted = firstSegment(on)
		}
		access := Access{e.Function.Name, requirement.Action, granted}
		if e.Record.addAccess(access, allowed); !allowed {
			return &DeniedError{access}
		}
	}
	return send()
}

// firstSegment cuts an object's key to its first segment, which names no person.
func firstSegment(on topology.Resource) topology.Resource {
	if on.Kind == topology.Objects {
		first, _, _ := strings.Cut(on.Part, "/")
		on.Part = first + "/"
	}
	return on
}

// RestrictHost puts the permissions of a function around its AWS calls. Resource names
// are looked up in the host's environment.
func RestrictHost(h cloud.Host, function topology.Function) cloud.Host {
	p := Enforcer{Function: function, Resolve: resourceResolver(h.Getenv), Record: &ProcessRecord}
	h.AWS = cloud.WithHook(h.AWS, p.Hook)
	return h
}

func resourceResolver(getenv func(string) string) func(topology.Resource) (topology.Resource, bool) {
	return func(deployed topology.Resource) (topology.Resource, bool) {
		named := func(env string) bool { return env != "" && getenv(env) == deployed.Name }
		logical := deployed
		for _, t := range topology.Tables {
			if named(t.Env) {
				logical.Name = t.Name
				return logical, true
			}
		}
		for _, q := range topology.Queues {
			if named(q.Env) {
				return q.Messages(), true
			}
			if named(q.DeadEnv) {
				return q.DeadLetters(), true
			}
		}
		for _, b := range topology.Buckets {
			if named(b.Env) {
				logical.Name = b.Name
				return logical, true
			}
		}
		return deployed, false
	}
}
