package topology

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Resource is what a grant is for: the items of a table, the entries of an index, the objects below a prefix
// of a bucket, or the messages of a queue or of its dead-letter queue.
type Resource struct {
	Kind Kind
	// Name is the logical name of the table, bucket or queue.
	Name string
	// Part is the index's name, or the prefix of the objects' keys.
	Part string
}

// Kind says what a Resource is.
type Kind string

// The kinds of resources.
const (
	Items    Kind = "table"
	Entries  Kind = "index"
	Objects  Kind = "objects"
	Messages Kind = "queue"
	// Dead are the messages of a queue's dead-letter queue.
	Dead Kind = "dlq"
)

// Items returns the table's items.
func (t Table) Items() Resource { return Resource{Kind: Items, Name: t.Name} }

// Entries returns the entries of the table's index.
func (t Table) Entries(i Index) Resource { return Resource{Entries, t.Name, i.Name} }

// Objects returns the objects with keys that begin with the prefix.
func (b Bucket) Objects(prefix string) Resource { return Resource{Objects, b.Name, prefix} }

// Messages returns the queue's messages.
func (q Queue) Messages() Resource { return Resource{Kind: Messages, Name: q.Name} }

// DeadLetters returns the messages of the queue's dead-letter queue.
func (q Queue) DeadLetters() Resource { return Resource{Kind: Dead, Name: q.Name} }

// String returns a readable form: "table accounts", "objects resumes/uploads/".
func (r Resource) String() string {
	name := string(r.Kind) + " " + r.Name
	if r.Part != "" {
		name += "/" + r.Part
	}
	return name
}

// Grant allows IAM actions on a resource.
type Grant struct {
	On      Resource
	Actions []string
}

// Function is what one deployed function gets. Which routes lead to it is the contract's table.
type Function struct {
	Name string
	// Memory is in MB; the processor's share grows with it.
	Memory int
	// Timeout ends an invocation; a container has none.
	Timeout time.Duration
	// Queue feeds a worker, Every schedules it.
	Queue *Queue
	Every time.Duration
	// Grants are all that it may do to the stack's tables, buckets and queues. It
	// gets the deployed names of these and of no others.
	Grants []Grant
	// Settings are further environment variables that it reads.
	Settings []string
}

// The environment variables that a deployment sets beside resource names. What it
// does not set has its default.
const (
	// SettingFunction is the function's own name, for its log and metrics.
	SettingFunction = "FUNCTION"
	// SettingStage is the name of the deployment, for its metrics.
	SettingStage = "STAGE"
	// SettingVersion is the deployed version.
	SettingVersion = "VERSION"
	// SettingPublicURL is the address of the deployment for callers, without a path: the reference shows it.
	SettingPublicURL = "PUBLIC_URL"
	// SettingKeyEnvironments are those with keys that are served.
	SettingKeyEnvironments = "KEY_ENVIRONMENTS"
	// SettingOriginSecrets are the accepted values of X-Origin-Secret.
	SettingOriginSecrets = "ORIGIN_SECRETS"
	// SettingGzipFrom is the size in bytes from which responses are compressed for callers who accept
	// it; 0, the default, compresses none.
	SettingGzipFrom = "GZIP_FROM"
	// SettingLogSample lets one in so many successful reads have a line in the log.
	SettingLogSample = "LOG_SAMPLE"
	// SettingProfileURL and SettingProfileKey say where profiles are verified.
	SettingProfileURL = "PROFILE_URL"
	SettingProfileKey = "PROFILE_API_KEY"
	// SettingProfileProvider names the provider there, and so the form of its
	// responses: peopledatalabs, the default, or enrichlayer.
	SettingProfileProvider = "PROFILE_PROVIDER"
	// SettingProfileRate is how many look-ups all workers together may make at that provider per
	// minute. The sweeper sends no more wake-up messages.
	SettingProfileRate = "PROFILE_RATE"
	// SettingPauseLimit is how many unresolved expired matches pause auto-match for a recruiter.
	SettingPauseLimit = "MATCH_PAUSE_LIMIT"
	// SettingSearchURL is the OpenSearch domain in which roles are searched; without it the
	// embedded index is used.
	SettingSearchURL = "SEARCH_URL"
	// SettingCatalogueAge is how long, in milliseconds, the role lists of all instances do without
	// reading the log of changes; 0 reads it for each list.
	SettingCatalogueAge = "CATALOGUE_MAX_AGE_MS"
	// SettingCanaryURL is the base URL at which the canary does the main jobs of callers, with the API key
	// of an agency and the personal key of a recruiter.
	SettingCanaryURL          = "CANARY_URL"
	SettingCanaryAgencyKey    = "CANARY_AGENCY_KEY"
	SettingCanaryRecruiterKey = "CANARY_RECRUITER_KEY"
)

// The metrics of a canary's run, in the namespace and with the dimension of all metrics of the
// log (dimension function, value canary): 1 for a run that failed and 0 for one that passed, and
// the milliseconds that it took.
const (
	MetricCanaryFailed   = "canary_failed"
	MetricCanaryDuration = "canary_ms"
)

// DefaultProfileRate is SettingProfileRate where it is not set: twice the submissions that are expected.
const DefaultProfileRate = 600

// MetricCatalogueAge is the age in seconds of a role catalogue that could not be brought up to date, in
// the stage's namespace and with the dimension of all metrics of the log (function, value roles). It has no value
// while the catalogue is up to date.
const MetricCatalogueAge = "catalogue_age_s"

// The metrics of a run of the sweeper that leaves items, every five minutes, in the namespace and with the dimension of
// all metrics of the log (function, value sweep): the minutes in which all items that wait can be looked up
// at the provider, and the minutes until the first of those that the run read is past its deadline.
const (
	MetricParked     = "parked_minutes"
	MetricParkedLeft = "parked_minutes_left"
)

// MetricsNamespace returns where CloudWatch keeps the metrics of a stage, which may share its account
// and region with others; the stage's name is empty outside of a deployment.
func MetricsNamespace(stage string) string {
	if stage == "" {
		return "rmk"
	}
	return "rmk/" + stage
}

// gatewaySettings are the settings of everything that has a gateway.
var gatewaySettings = []string{SettingKeyEnvironments, SettingOriginSecrets, SettingGzipFrom, SettingLogSample}

// Environment returns the variables that name tables, buckets and queues, with what each one names.
func Environment() map[string]Resource {
	env := map[string]Resource{}
	for _, t := range Tables {
		env[t.Env] = t.Items()
	}
	for _, b := range Buckets {
		env[b.Env] = Resource{Kind: Objects, Name: b.Name}
	}
	for _, q := range Queues {
		env[q.Env] = q.Messages()
		if q.DeadEnv != "" {
			env[q.DeadEnv] = q.DeadLetters()
		}
	}
	return env
}

// Environment lists the variables that name what the function has a grant on, with
// the resource that each one names: of an index, its table.
func (f Function) Environment() map[string]Resource {
	env := Environment()
	maps.DeleteFunc(env, func(_ string, on Resource) bool {
		return !slices.ContainsFunc(f.Grants, func(g Grant) bool {
			isOfKind := g.On.Kind == on.Kind || g.On.Kind == Entries && on.Kind == Items
			return isOfKind && g.On.Name == on.Name
		})
	})
	return env
}

// Allows reports whether a grant covers the action, and what that grant is on. A
// Part of objects is a prefix of the requested part; every other part is exact.
func (f Function) Allows(action string, on Resource) (granted Resource, ok bool) {
	for _, g := range f.Grants {
		isPart := g.On.Part == on.Part || on.Kind == Objects && strings.HasPrefix(on.Part, g.On.Part)
		if g.On.Kind == on.Kind && g.On.Name == on.Name && isPart && slices.Contains(g.Actions, action) {
			return g.On, true
		}
	}
	return Resource{}, false
}

// Visibility returns how long a received message stays hidden: six times the worker's
// time-out, as Lambda's event source wants it. It panics if the queue has no worker.
func (q Queue) Visibility() time.Duration {
	for _, w := range Workers {
		if w.Queue != nil && w.Queue.Name == q.Name {
			return 6 * w.Timeout
		}
	}
	panic("topology: no worker for the queue " + q.Name)
}

// Implicit are the actions that the platform takes with a function's role, each
// with its reason. None of the project's own calls shows them.
var Implicit = map[string]string{
	"logs:CreateLogStream":        "Lambda writes each instance's log to a stream of its own.",
	"logs:PutLogEvents":           "Lambda writes the log lines with the function's role.",
	"xray:PutTraceSegments":       "Lambda sends what it traces with the function's role, in a stage with tracing.",
	"xray:PutTelemetryRecords":    "Lambda reports what it could not send.",
	"sqs:ReceiveMessage":          "The event source polls the worker's queue with the function's role.",
	"sqs:DeleteMessage":           "The event source removes what the function has done.",
	"sqs:GetQueueAttributes":      "The event source looks at the queue's depth to scale.",
	"sqs:ChangeMessageVisibility": "The event source gives messages back that it could not hand over.",
}

// FunctionNamed returns a function's row; the zero value, which may do nothing, where there is none.
func FunctionNamed(name string) Function {
	for _, f := range slices.Concat(Containers, Functions) {
		if f.Name == name {
			return f
		}
	}
	return Function{Name: name}
}
