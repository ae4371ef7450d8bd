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

// Use is one action that a function took on a resource. The part of objects is
// the prefix that is granted, or the first segment of the key where none is.
type Use struct {
	Function, Action string
	On               topology.Resource
}

// String is one line of a record.
func (u Use) String() string { return u.Function + ": " + u.Action + " on " + u.On.String() }

// ParseUse reads what String writes.
func ParseUse(line string) (Use, error) {
	function, rest, _ := strings.Cut(line, ": ")
	action, on, _ := strings.Cut(rest, " on ")
	kind, name, found := strings.Cut(on, " ")
	name, part, _ := strings.Cut(name, "/")
	if !found {
		return Use{}, fmt.Errorf("%q is no use: want \"function: action on kind name\"", line)
	}
	return Use{function, action, topology.Resource{Kind: topology.Kind(kind), Name: name, Part: part}}, nil
}

// Record keeps uses, and those that were refused. The zero value is ready.
type Record struct {
	mu           sync.Mutex
	uses, denied map[Use]bool
}

// Uses lists what was used, in order.
func (r *Record) Uses() []Use {
	r.mu.Lock()
	defer r.mu.Unlock()
	return sorted(r.uses)
}

// Denied lists what was refused, in order.
func (r *Record) Denied() []Use {
	r.mu.Lock()
	defer r.mu.Unlock()
	return sorted(r.denied)
}

func sorted(uses map[Use]bool) []Use {
	return slices.SortedFunc(maps.Keys(uses), func(a, b Use) int { return strings.Compare(a.String(), b.String()) })
}

func (r *Record) add(use Use, allowed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.uses == nil {
		r.uses, r.denied = map[Use]bool{}, map[Use]bool{}
	}
	if allowed {
		r.uses[use] = true
	} else {
		r.denied[use] = true
	}
}

// Total is the record of the whole process.
var Total Record

// DeniedError is the refusal of a call that the function has no grant for.
type DeniedError struct{ Use }

// Error tells what to do about it.
func (e *DeniedError) Error() string {
	return fmt.Sprintf("%s is not granted: enter it in shared/cloud/topology", e.Use)
}

// Permissions are those of one function.
type Permissions struct {
	Function topology.Function
	// Names finds the resource of the topology whose deployed name, or URL, is given.
	Names  func(deployed topology.Resource) (logical topology.Resource, ok bool)
	Record *Record
}

// Hook is a cloud.Hook that refuses what is not granted and records the rest.
func (p Permissions) Hook(_ context.Context, call cloud.Call, send func() error) error {
	needs, err := Needs(call)
	if err != nil {
		return err
	}
	for _, need := range needs {
		on, ok := p.Names(need.On)
		if !ok {
			return fmt.Errorf("function %s: %s on %s, which the topology does not have", p.Function.Name, need.Action, need.On)
		}
		granted, allowed := p.Function.Allows(need.Action, on)
		if !allowed {
			granted = folder(on)
		}
		use := Use{p.Function.Name, need.Action, granted}
		if p.Record.add(use, allowed); !allowed {
			return &DeniedError{use}
		}
	}
	return send()
}

// folder cuts an object's key to its first segment, which names no person.
func folder(on topology.Resource) topology.Resource {
	if on.Kind == topology.Objects {
		first, _, _ := strings.Cut(on.Part, "/")
		on.Part = first + "/"
	}
	return on
}

// Host puts the permissions of a function around its AWS calls. Resource names
// are looked up in the host's environment.
func Host(h cloud.Host, function topology.Function) cloud.Host {
	p := Permissions{Function: function, Names: names(h.Getenv), Record: &Total}
	h.AWS = cloud.WithHook(h.AWS, p.Hook)
	return h
}

func names(getenv func(string) string) func(topology.Resource) (topology.Resource, bool) {
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
