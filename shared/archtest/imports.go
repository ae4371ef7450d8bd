package archtest

import (
	"slices"
	"strings"
)

// domains are the rooms with the rules of the business. Each knows one thing.
var domains = []string{
	"account", "submission", "resume", "profile", "network", "role", "catalog",
	"crm", "match", "call", "feed", "idempotency", "snapshot",
}

// domainImports is what a domain may know of ours.
var domainImports = []string{"cloud", "fault", "contract", "topology", "identity", "text", "entity"}

// rooms says what the other packages of shared/ may import of ours, and what a
// domain may besides.
var rooms = map[string][]string{
	// A key's item is laid out by the gate, which reads it on every request;
	// account writes it. One layout in one place outweighs the extra arrow.
	"account": {"gate"},
	// What the marketplace sends is read as strictly as what callers send.
	"feed": {"decode"},

	// One function publishes the catalogue, another serves it: what brings the
	// three domains together stands between them.
	"browse": {"catalog", "role", "snapshot"},

	"contract": nil,
	"topology": nil,
	"archtest": nil,
	"fault":    {"contract"},
	"identity": nil,
	"text":     nil,
	"cloud":    {"topology"},
	"decode":   {"contract", "fault", "identity"},
	"entity":   {"topology", "cloud", "identity"},
	"gate":     {"fault", "contract", "topology", "cloud"},
	"gateway":  {"gate", "fault", "contract", "topology", "cloud", "decode"},
	"openapi":  {"contract"},
	"client":   {"contract"},
}

// workers are the functions that no route leads to; they take AWS's own events.
var workers = []string{"functions/ingest", "functions/sweep", "functions/feed", "functions/catalog", "functions/keys"}

var importRules = []Rule{{
	Name: "leaves",
	Reason: "contract and topology are read by everything, the deployment included; " +
		"what they imported would be imported by everything",
	imports: func(f *File, imported string) bool {
		return f.in("shared/contract", "shared/topology") && ours(imported)
	},
}, {
	Name: "domains stand alone",
	Reason: "a domain that knows another can no longer be read, tested or replaced by itself; " +
		"the function that needs two of them brings their values together",
	imports: func(f *File, imported string) bool {
		own, other := room(f.Dir()), room(imported)
		return slices.Contains(domains, own) && slices.Contains(domains, other) && own != other
	},
}, {
	Name: "rooms of shared",
	Reason: "imports point one way (gateway, gate, fault, contract), and a domain sees " + strings.Join(domainImports, ", ") +
		" alone; a new room is entered in the table of this rule",
	imports: func(f *File, imported string) bool {
		own, other := room(f.Dir()), room(imported)
		if own == "" || !ours(imported) || own == other {
			return false
		}
		if slices.Contains(domains, own) && slices.Contains(domains, other) {
			return false // the rule before speaks of domains among themselves
		}
		return !slices.Contains(allowed(own), other)
	},
}, {
	Name:   "functions stand alone",
	Reason: "each function is deployed by itself; the container for large uploads is the one that serves another's handlers",
	imports: func(f *File, imported string) bool {
		return f.in("functions") && within(imported, "functions") && function(imported) != function(f.Dir()) &&
			(!f.in("functions/uploads") || function(imported) != "functions/submissions")
	},
}, {
	Name:   "nothing deployed is local",
	Reason: "the deployed code cannot tell that it runs on a developer's machine, and carries no demo data",
	imports: func(f *File, imported string) bool {
		return f.in("functions", "shared", "infra") && within(imported, "local")
	},
}, {
	Name:   "tests stay tests",
	Reason: "what exists for tests brings the testing package with it, and has no place in a deployed function",
	imports: func(f *File, imported string) bool {
		return !f.in("local") && imported == "testing"
	},
}, {
	Name:   "CDK only in infra",
	Reason: "CDK takes over a minute to compile and would be downloaded for every test of a function",
	imports: func(f *File, imported string) bool {
		return !f.in("infra") && external(imported, "github.com/aws/aws-cdk-go", "github.com/aws/constructs-go",
			"github.com/aws/jsii-runtime-go", "github.com/cdklabs")
	},
}, {
	Name:   "Lambda's types at the edge",
	Reason: "a domain or handler that knows an event's type cannot be called by a test, the container or another worker",
	imports: func(f *File, imported string) bool {
		edge := f.in("local", "shared/gateway") || f.in(workers...) ||
			f.in("functions") && strings.HasSuffix(f.Dir(), "/lambda")
		return !edge && external(imported, "github.com/aws/aws-lambda-go", "github.com/awslabs/aws-lambda-go-api-proxy")
	},
}}

func ours(imported string) bool {
	return slices.ContainsFunc([]string{"shared", "functions", "local", "infra"}, func(top string) bool { return within(imported, top) })
}

// external tells whether a path is one of these or lies below it.
func external(imported string, modules ...string) bool {
	return slices.ContainsFunc(modules, func(m string) bool { return within(imported, m) })
}

// room is the name of the package directly under shared/ that a path belongs to.
func room(dir string) string {
	rest, ok := strings.CutPrefix(dir, "shared/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// function is "functions/<group>" for a path in it.
func function(dir string) string {
	parts := strings.SplitN(dir, "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}

func allowed(own string) []string {
	if slices.Contains(domains, own) {
		return slices.Concat(domainImports, rooms[own])
	}
	return rooms[own]
}
