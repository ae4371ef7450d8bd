package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Stage is one deployment of the API: a row of "stages" in cdk.json. The zero
// value of every optional field is the cheapest choice.
type Stage struct {
	// Name is the row's key; the stacks are called rmk-<name>-data, -service and -edge.
	Name string `json:"-"`
	// Version is the deployed commit, which /health reports.
	Version string `json:"-"`
	// Generation changes with those outputs of the deployed service that the edge reads: CloudFormation
	// reads them only when it deploys a template that differs.
	Generation string `json:"-"`
	// Region is where data and service are, such as eu-west-1; empty leaves it to the command
	// line. The edge is always in us-east-1.
	Region string `json:"region"`
	// KeyEnvironments are those that the app can create keys for: "live", "test" or "live,test".
	// They are served, and "test" always is, for the canary, with a key that an operator creates
	// (docs/adr/063). Each has data of its own, but both read what the app sends (docs/adr/050).
	KeyEnvironments string `json:"keyEnvironments"`
	// KeepData protects tables and buckets from deletion, with the stack or by hand.
	KeepData bool `json:"keepData"`
	// Gradual deploys new versions of functions to a tenth of their calls first, and takes them
	// back by alarms.
	Gradual bool `json:"gradual"`
	// Edge puts CloudFront with its firewall in front of the API; it needs Region.
	Edge bool `json:"edge"`
	// Uploads runs the container that accepts bodies of 12 MB; it needs Edge. Without it
	// bodies are limited by Lambda, to about 6 MB.
	Uploads bool `json:"uploads"`
	// Domain and Certificate (its ARN, in us-east-1) are optional, need each other, and need Edge.
	Domain      string `json:"domain"`
	Certificate string `json:"certificate"`
	// RegionalCertificate (its ARN, in Region) is for the same domain, for the container's load
	// balancer; in us-east-1 it is Certificate.
	RegionalCertificate string `json:"regionalCertificate"`
	// OriginSecret is the slot, "a" or "b", of the secret that CloudFront sends. Both
	// are accepted, which makes rotation possible.
	OriginSecret string `json:"originSecret"`
	// Secrets is incremented after a secret was changed: CloudFormation reads a secret
	// again only if the resource that references it changes.
	Secrets int `json:"secrets"`
	// ProfileURL is the profile provider for live keys.
	ProfileURL string `json:"profileUrl"`
	// ProfileProvider is the provider at ProfileURL: peopledatalabs (the default) or enrichlayer.
	ProfileProvider string `json:"profileProvider"`
	// ProfileRate is how many look-ups a minute the provider takes of all workers together; 0 leaves it to
	// the worker's default. The queue starts one worker for 30 of them, which bounds the look-ups at a time.
	ProfileRate int `json:"profileRate"`
	// AlarmEmail receives every alarm; empty leaves the topics without subscribers.
	AlarmEmail string `json:"alarmEmail"`
	// PageURL is the HTTPS address of the pager, which receives the alarms that wake an operator.
	PageURL string `json:"pageUrl"`
	// TrafficFloor is the number of requests with live keys that a working stage answers in any 15
	// minutes; 0, before there are such callers, leaves out the alarm.
	TrafficFloor int `json:"trafficFloor"`
	// AccountConcurrency is the account's quota of instances of functions at a time in the region;
	// 0 means 1,000, Lambda's default, where it is not required. A new account has 10.
	AccountConcurrency int `json:"accountConcurrency"`
	// Tracing gives X-Ray each invocation, under the trace id that log lines have (docs/adr/065).
	Tracing bool `json:"tracing"`
	// LogDays is how long logs are kept.
	LogDays int `json:"logDays"`
	// Search is the OpenSearch domain in which roles are searched; without it the embedded index is used.
	Search *Search `json:"search"`
	// MonthlyBudget is in US dollars. A warning is sent at 80 percent of it and when it is
	// forecast to be exceeded.
	MonthlyBudget float64 `json:"monthlyBudget"`
	// RequestsPerSecond limits the whole API at the gateway.
	RequestsPerSecond int `json:"requestsPerSecond"`
	// WarmRequests is the number of requests a second for which the tables and indexes are kept
	// warm; 0 leaves them as DynamoDB creates them.
	WarmRequests int `json:"warmRequests"`
	// WarmThroughput is the least for which a table ("marketplace") or index ("submissions due") is kept
	// warm. A person raises it to the deployed value: DynamoDB does not accept less afterwards.
	WarmThroughput map[string]capacity.Units `json:"warmThroughput"`
	// Provisioned pays tables by the hour for units that follow their load, which costs 40 percent of
	// paying for each unit where the load is steady; it needs WarmRequests, from which their bounds are
	// computed. A jump of the load above what is provisioned is throttled for minutes.
	Provisioned bool `json:"provisioned"`
	// ReadTasks is the number of tasks, of two processors each, that always run of the container that serves
	// recruiters and the roles of agencies in place of API Gateway and functions; it needs Uploads and shares its
	// load balancer. 0 runs none: below some 10,000 requests a minute it costs more than it saves.
	ReadTasks int `json:"readTasks"`
	// GzipFrom is the size in bytes from which JSON is compressed; 0 compresses none.
	GzipFrom int `json:"gzipFrom"`
	// LogSample lets one in so many successful reads have a line in the log; 0 and 1 mean all.
	LogSample int `json:"logSample"`
	// Settings are values of settings of the functions and containers, by name: those of [stageSettings].
	Settings map[string]string `json:"settings"`
	// ReservedConcurrency is the number of instances reserved for a function, by its name. It is
	// also the function's limit.
	ReservedConcurrency map[string]int `json:"reservedConcurrency"`
	// RequestsPerAddress limits the requests of one IP address in five minutes, with Edge.
	RequestsPerAddress int `json:"requestsPerAddress"`
	// Restored maps a table's logical name to the deployed name of the table that was
	// restored in its place, which functions then use.
	Restored map[string]string `json:"restored"`
	// Account, if given, is the only account to which make deploy deploys the stage. A stage
	// with KeepData needs it, AccountConcurrency, AlarmEmail, PageURL, BackupAccount and, with Edge, Domain
	// and Certificate.
	Account string `json:"account"`
	// BackupAccount is the account with the vault to which backups are copied.
	BackupAccount string `json:"backupAccount"`
	// SAM is the processor, as Go calls it, of the machine that SAM runs the functions on; empty for a
	// deployment. For SAM the template declares every setting of a function and the AWS SDK's endpoint
	// variables, since SAM sets only variables that the template has.
	SAM string `json:"-"`
}

// parseStage parses a row. It refuses unknown fields and combinations that cannot be deployed.
func parseStage(name string, row any) (Stage, error) {
	s := Stage{Name: name}
	data, err := json.Marshal(row)
	if err != nil {
		return s, fmt.Errorf("encode the stage: %w", err)
	}
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	if row == nil {
		return s, fmt.Errorf("cdk.json has no stage %s", name)
	}
	if err := strict.Decode(&s); err != nil {
		return s, fmt.Errorf("stage %s: %w", name, err)
	}
	if err := s.checkFields(); err != nil {
		return s, fmt.Errorf("stage %s: %w", name, err)
	}
	return s, nil
}

var stageName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,10}[a-z0-9]$`)

func need(ok bool, message string) error {
	if ok {
		return nil
	}
	return errors.New(message)
}

func (s Stage) checkFields() error {
	slot := s.OriginSecret == "a" || s.OriginSecret == "b"
	return errors.Join(
		s.checkReserved(),
		s.checkSettings(),
		s.checkQuota(),
		s.checkLookUps(),
		need(s.GzipFrom >= 0 && s.LogSample >= 0, "gzipFrom and logSample must not be negative"),
		need(s.ReadTasks >= 0 && s.ReadTasks != 1, "readTasks must be 0, or at least 2, for two zones"),
		need(s.ReadTasks == 0 || s.Uploads, "readTasks needs uploads: the container is behind the same load balancer"),
		need(!s.Provisioned || s.WarmRequests > 0, "provisioned needs warmRequests: the units are those of that load"),
		s.checkNames(),
		need(s.PageURL == "" || strings.HasPrefix(s.PageURL, "https://"), "pageUrl must begin with https://"),
		need(stageName.MatchString(s.Name), "the name must be 2 to 12 lower-case letters, digits and hyphens"),
		need(s.KeyEnvironments != "", "keyEnvironments is required: live, or live,test"),
		need(s.LogDays > 0 && s.MonthlyBudget > 0 && s.RequestsPerSecond > 0,
			"logDays, monthlyBudget and requestsPerSecond must be positive"),
		need(s.ProfileRate >= 0 && s.WarmRequests >= 0, "profileRate and warmRequests must not be negative"),
		need(!s.Edge || s.Region != "", "edge needs region: CloudFront, in us-east-1, is told where the API is"),
		need(!s.Edge || slot && s.RequestsPerAddress >= 10,
			"edge needs originSecret (a or b) and requestsPerAddress (10 or more)"),
		need(!s.Uploads || s.Edge, "uploads needs edge: CloudFront sends the upload paths to the container"),
		need((s.Domain == "") == (s.Certificate == ""), "domain and certificate come together"),
		need(s.Domain == "" || s.Edge, "domain needs edge"),
		need(s.RegionalCertificate == "" || s.Domain != "",
			"regionalCertificate needs domain: CloudFront verifies it against that name"),
		need(s.Search == nil || s.Search.Instance != "" && s.Search.Nodes > 0 && s.Search.Storage >= 10,
			"search needs instance, nodes (1 or more) and storage (10 or more, in GB)"),
	)
}

// stageSettings are the settings that a stage may have, which no other field of it decides, and what their values are.
var stageSettings = map[string]func(value string) bool{
	"ELIGIBILITY": isDuration, "INGEST_TIMEOUT": isDuration, "INGEST_RESEND": isDuration, "INGEST_RETRY_DELAY": isDuration,
	"INGEST_LEASE_GRACE": isDuration, "REQUEST_TIMEOUT": isDuration,
	topology.SettingCatalogueAge: isCount, topology.SettingPauseLimit: isCount,
}

func isDuration(value string) bool {
	d, err := time.ParseDuration(value)
	return err == nil && d > 0
}

func isCount(value string) bool {
	_, err := strconv.ParseUint(value, 10, 31)
	return err == nil
}

// checkSettings refuses settings that no function has, or that it would refuse when it starts.
func (s Stage) checkSettings() error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(s.Settings)) {
		isValid, known := stageSettings[name]
		switch {
		case !known:
			problems = append(problems, fmt.Errorf("settings: %s is not a setting of a stage", name))
		case !isValid(s.Settings[name]):
			problems = append(problems, fmt.Errorf("settings: %s cannot be %q", name, s.Settings[name]))
		}
	}
	return errors.Join(problems...)
}

// servedEnvironments returns the key environments that the stage serves, comma-separated.
func (s Stage) servedEnvironments() string {
	if strings.Contains(s.KeyEnvironments, "test") {
		return s.KeyEnvironments
	}
	return s.KeyEnvironments + ",test"
}

// checkDeployable refuses a stage with data to keep that would be deployed to whichever account
// is signed in, without a name for callers, with alarms that wake no one, without copies elsewhere, or
// with functions for which the account may have no instances.
func (s Stage) checkDeployable() error {
	if !s.KeepData {
		return nil
	}
	problem := errors.Join(
		need(s.Account != "", "account is required"),
		need(s.AccountConcurrency > 0,
			"accountConcurrency is required: aws lambda get-account-settings shows it, and a new account has 10"),
		need(s.AlarmEmail != "", "alarmEmail is required"),
		need(s.PageURL != "", "pageUrl is required: a mailbox wakes no one"),
		need(s.BackupAccount != "" && s.BackupAccount != s.Account, "backupAccount, another one, is required"),
		need(!s.Edge || s.Domain != "", "domain and certificate are required"),
		need(!s.Uploads || s.Region == edgeRegion || s.RegionalCertificate != "",
			"regionalCertificate is required outside "+edgeRegion),
	)
	if problem != nil {
		return fmt.Errorf("stage %s cannot be deployed, only checked (-c checking=true): %w", s.Name, problem)
	}
	return nil
}

// balancerCertificate returns the certificate of the container's load balancer, which must be
// in its region; empty if there is none.
func (s Stage) balancerCertificate() string {
	if s.RegionalCertificate == "" && s.Region == edgeRegion {
		return s.Certificate
	}
	return s.RegionalCertificate
}
