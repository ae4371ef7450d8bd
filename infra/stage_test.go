package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Every option of a stage can be synthesized without breaking a rule. Options that exclude no other one are set together.
func TestStagesOfEveryKind(t *testing.T) {
	for name, c := range map[string]struct {
		change func(stage map[string]any)
		has    map[string]int // resources of a type in prod
	}{
		"a domain, a search domain, a backup account, addresses of alarms and tracing": {func(s map[string]any) {
			if s["edge"] == true {
				s["domain"] = "api.example.com"
				s["certificate"] = "arn:aws:acm:us-east-1:123456789012:certificate/x"
				s["regionalCertificate"] = "arn:aws:acm:" + s["region"].(string) + ":123456789012:certificate/y"
			}
			addSearchDomain(s)
			s["backupAccount"] = "210987654321"
			s["alarmEmail"] = "operator@example.com"
			s["pageUrl"] = "https://pager.example.com/x"
			s["trafficFloor"] = 101
			s["tracing"] = true
		}, map[string]int{
			"AWS::CloudFront::Distribution": 1, "AWS::ECS::Service": 1, "AWS::OpenSearchService::Domain": 1,
			"AWS::Backup::BackupPlan": 1, "AWS::CloudTrail::Trail": 1, "AWS::SNS::Subscription": 6,
			"AWS::Events::Rule": 5, // among them that of copies in the backup account
		}},
		"an edge without uploads": {func(s map[string]any) { s["uploads"] = false }, map[string]int{"AWS::CloudFront::Distribution": 1, "AWS::ECS::Service": 0, "AWS::EC2::VPC": 0}},
		"no edge, a backup account and tracing": {func(s map[string]any) {
			s["edge"] = false
			s["uploads"] = false
			s["backupAccount"] = "210987654321"
			s["tracing"] = true
		}, map[string]int{"AWS::CloudFront::Distribution": 0, "AWS::WAFv2::WebACL": 0, "AWS::Events::Rule": 5}},
		"a restored table": {restoreSubmissions, map[string]int{"AWS::DynamoDB::Table": len(topology.Tables)}},
	} {
		t.Run(name, func(t *testing.T) {
			tracing := "null"
			s, err := synthChecked(map[string]any{"stage": "prod-us"}, func(stage map[string]any) {
				c.change(stage)
				if stage["tracing"] == true {
					tracing = `{"Mode":"Active"}`
				}
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range topology.Functions {
				r := s.templates["prod-us"].findResource(t, "AWS::Lambda::Function", constructID(f.Name))
				if got := flatten(r.Properties["TracingConfig"]); got != tracing {
					t.Errorf("%s: tracing is %s; want %s", f.Name, got, tracing)
				}
			}
			for _, line := range s.annotations {
				t.Error(line)
			}
			for kind, want := range c.has {
				if got := len(s.templates["prod-us"].resourcesOf(kind)); got != want {
					t.Errorf("%s: got %d; want %d", kind, got, want)
				}
			}
		})
	}
}

// Only the functions that need the search domain have its URL and permissions: roles and the container reads
// search it, and the publisher writes to it. The domain accepts only TLS and encrypts its data.
func TestOnlyItsUsersReachTheSearchDomain(t *testing.T) {
	s, err := synthInContext(map[string]any{"stage": "dev"}, func(stage map[string]any) {
		stage["search"] = map[string]any{"instance": "r7g.large.search", "nodes": 1, "storage": 20}
	})
	if err != nil {
		t.Fatal(err)
	}
	for stage, tpl := range map[string]template{"dev": s.templates["dev"], "scale": synthDeployed(t).templates["scale"]} {
		checkSearchUsers(t, stage, tpl)
		checkSearchDomain(t, stage, tpl)
	}
}

func checkSearchUsers(t *testing.T, stage string, tpl template) {
	t.Helper()
	searchers := []string{"roles", topology.Reads.Name}
	for id, r := range tpl.resourcesOf("AWS::Lambda::Function") {
		env := variablesOf(r)
		name := env[topology.SettingFunction]
		isUser := slices.Contains(searchers, name) || name == topology.Publisher.Name
		if url := env[topology.SettingSearchURL]; (url == "https://${Search.DomainEndpoint}") != isUser {
			t.Errorf("%s: %s has the address %q", stage, id, url)
		}
	}
	policies := tpl.policiesByFunction(t)
	for name, p := range policies {
		writes := name == topology.Publisher.Name
		searches := writes || slices.Contains(searchers, name)
		if got := p.allowsAction("es:ESHttpPost", "${Search.Arn}/roles-v3/_msearch"); got != searches {
			t.Errorf("%s: %s may search: %v", stage, name, got)
		}
		if got := p.allowsAction("es:ESHttpDelete", "${Search.Arn}/roles-v3-x"); got != writes {
			t.Errorf("%s: %s may delete an index: %v", stage, name, got)
		}
	}
	if stage == "scale" && policies[topology.Reads.Name] == nil {
		t.Errorf("%s: reads has no policy", stage)
	}
}

func checkSearchDomain(t *testing.T, stage string, tpl template) {
	t.Helper()
	domains := tpl.resourcesOf("AWS::OpenSearchService::Domain")
	if len(domains) != 1 {
		t.Errorf("%s has %d domains", stage, len(domains))
	}
	for _, r := range domains {
		got := []any{r.Properties["DomainEndpointOptions"], r.Properties["EncryptionAtRestOptions"], r.Properties["NodeToNodeEncryptionOptions"], r.Properties["AccessPolicies"]}
		want := []any{
			map[string]any{"EnforceHTTPS": true, "TLSSecurityPolicy": "Policy-Min-TLS-1-2-PFS-2023-10"},
			map[string]any{"Enabled": true}, map[string]any{"Enabled": true}, nil,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", stage, diff)
		}
	}
}

// The rate of the profile provider is a setting of the worker and of the sweeper, if the stage has it.
func TestTheProvidersRateIsASettingOfWorkerAndSweeper(t *testing.T) {
	s, err := synthInContext(map[string]any{"stage": "prod-us"}, func(stage map[string]any) {
		stage["profileRate"] = 1830
		stage["reservedConcurrency"] = nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for rate, tpl := range map[string]template{"": synthDeployed(t).templates["dev"], "1830": s.templates["prod-us"]} {
		for id, r := range tpl.resourcesOf("AWS::Lambda::Function") {
			env := variablesOf(r)
			want := ""
			switch env[topology.SettingFunction] {
			case topology.Ingest.Name, topology.Sweep.Name:
				want = rate
			}
			if got := env[topology.SettingProfileRate]; got != want {
				t.Errorf("%s has the rate %q; want %q", id, got, want)
			}
		}
	}
}

func restoreSubmissions(stage map[string]any) {
	stage["restored"] = map[string]any{topology.Submissions.Name: "rmk-restored"}
}

// A restored table replaces the stack's own for every function, in name and permission.
func TestRestoredTableIsUsed(t *testing.T) {
	s, err := synthInContext(map[string]any{"stage": "prod-us"}, restoreSubmissions)
	if err != nil {
		t.Fatal(err)
	}
	tpl := s.templates["prod-us"]
	for _, r := range tpl.resourcesOf("AWS::Lambda::Function") {
		if got := variablesOf(r)[topology.Submissions.Env]; got != "" && got != "rmk-restored" {
			t.Errorf("a function uses %s", got)
		}
	}
	policies := tpl.policiesByFunction(t)
	if policies["sweep"].allowsAction("dynamodb:GetItem", tpl.deployedARN(t, topology.Submissions.Items())) {
		t.Error("the sweeper may still read the table that was replaced")
	}
	var resources []string
	for _, s := range policies["sweep"] {
		resources = append(resources, s.resources...)
	}
	if !strings.Contains(strings.Join(resources, " "), ":table/rmk-restored/index/due") {
		t.Errorf("the sweeper may use %v", resources)
	}
	if len(tpl.resourcesOf("AWS::DynamoDB::Table")) != len(topology.Tables) {
		t.Error("the replaced table is not kept")
	}
}

// A stage with tracing gives X-Ray every function's invocations, and its roles nothing more than
// sending them; other stages have neither.
func TestTracingIsASetting(t *testing.T) {
	traced, err := synthInContext(map[string]any{"stage": "prod-us"}, func(stage map[string]any) { stage["tracing"] = true })
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range topology.Functions {
		for want, s := range map[bool]synthesized{true: traced, false: synthDeployed(t)} {
			tpl := s.templates["prod-us"]
			if got := flatten(tpl.findResource(t, "AWS::Lambda::Function", constructID(f.Name)).Properties["TracingConfig"]) == `{"Mode":"Active"}`; got != want {
				t.Errorf("%s is traced: %t, want %t", f.Name, got, want)
			}
			policy := tpl.policiesByFunction(t)[f.Name]
			if policy.allowsAction("xray:PutTraceSegments", "*") != want || policy.allowsAction("xray:PutTelemetryRecords", "*") != want || policy.allowsAction("xray:GetTraceSummaries", "*") {
				t.Errorf("%s: the policy is %v", f.Name, policy)
			}
		}
	}
}

// In production the app can create live keys only. Test keys are accepted beside them, since an
// operator creates one for the canary.
func TestProductionCreatesLiveKeysOnly(t *testing.T) {
	s, err := build()
	if err != nil {
		t.Fatal(err)
	}
	for stage, want := range map[string]string{"prod-us": "live,test", "prod-eu": "live,test", "dev": "test"} {
		served := map[string]string{}
		for _, r := range s.templates[stage].resourcesOf("AWS::Lambda::Function") {
			if r.Properties["Environment"] != nil {
				served[variablesOf(r)[topology.SettingFunction]] = variablesOf(r)[topology.SettingKeyEnvironments]
			}
		}
		for _, f := range topology.Functions {
			expected := want
			if f.Name == topology.Keys.Name {
				expected = strings.TrimSuffix(want, ",test")
			}
			if got := served[f.Name]; slices.Contains(f.Settings, topology.SettingKeyEnvironments) && got != expected {
				t.Errorf("%s: %s serves keys of %q; want %q", stage, f.Name, got, expected)
			}
		}
		for _, r := range s.templates[stage].resourcesOf("AWS::ECS::TaskDefinition") {
			text := flatten(r.Properties["ContainerDefinitions"])
			if !strings.Contains(text, `{"Name":"`+topology.SettingKeyEnvironments+`","Value":"`+want+`"}`) {
				t.Errorf("%s: the uploads container has %s", stage, text)
			}
		}
	}
}

// The settings of a stage are those of its functions and containers.
func TestSettingsOfAStage(t *testing.T) {
	s, err := synthInContext(map[string]any{"stage": "prod-us"}, func(stage map[string]any) {
		stage["settings"] = map[string]any{"ELIGIBILITY": "1440h", "CATALOGUE_MAX_AGE_MS": "2000"}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range topology.Functions {
		env := variablesOf(s.templates["prod-us"].findResource(t, "AWS::Lambda::Function", constructID(f.Name)))
		if env["ELIGIBILITY"] != "1440h" || env[topology.SettingCatalogueAge] != "2000" {
			t.Errorf("%s has %v", f.Name, env)
		}
	}
	for _, r := range s.templates["prod-us"].resourcesOf("AWS::ECS::TaskDefinition") {
		if text := flatten(r.Properties["ContainerDefinitions"]); !strings.Contains(text, `{"Name":"ELIGIBILITY","Value":"1440h"}`) {
			t.Errorf("a container has %s", text)
		}
	}
}

// A stage that cannot be deployed is refused before synthesis.
func TestStagesThatAreRefused(t *testing.T) {
	good := map[string]any{"keyEnvironments": "test", "logDays": 1, "monthlyBudget": 1, "requestsPerSecond": 1}
	edge := map[string]any{"edge": true, "region": "us-east-1", "originSecret": "a", "requestsPerAddress": 100}
	if _, err := parseStage("dev", good); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		name   string
		change map[string]any
		want   string
	}{
		"a name":               {"Dev_1", nil, "name"},
		"an unknown field":     {"dev", map[string]any{"logDay": 1}, "logDay"},
		"no environments":      {"dev", map[string]any{"keyEnvironments": ""}, "keyEnvironments"},
		"a negative rate":      {"dev", map[string]any{"profileRate": -1}, "profileRate"},
		"no budget":            {"dev", map[string]any{"monthlyBudget": 0}, "monthlyBudget"},
		"uploads without edge": {"dev", map[string]any{"uploads": true}, "uploads needs edge"},
		"edge without region":  {"dev", mergeMaps(edge, map[string]any{"region": ""}), "edge needs region"},
		"edge without slot":    {"dev", mergeMaps(edge, map[string]any{"originSecret": "c"}), "originSecret"},
		"too few look-ups":     {"dev", map[string]any{"warmRequests": 2000, "profileRate": 1727}, "profileRate must be at least 1728"},
		"no look-ups":          {"dev", map[string]any{"warmRequests": 100}, "1.5 times the expected look-ups"},
		"look-ups at a time":   {"dev", map[string]any{"profileRate": 600, "profileConcurrency": 20}, `unknown field "profileConcurrency"`},
		"a negative size":      {"dev", map[string]any{"gzipFrom": -1}, "gzipFrom"},
		"a negative sample":    {"dev", map[string]any{"logSample": -1}, "logSample"},
		"reads of one task":    {"dev", map[string]any{"readTasks": 1}, "at least 2"},
		"reads alone":          {"dev", map[string]any{"readTasks": 2}, "readTasks needs uploads"},
		"units of no load":     {"dev", map[string]any{"provisioned": true}, "provisioned needs warmRequests"},
		"a negative load":      {"dev", map[string]any{"warmRequests": -1}, "warmRequests"},
		"an unknown function":  {"dev", map[string]any{"reservedConcurrency": map[string]any{"x": 100}}, "reservedConcurrency of x"},
		"an unknown setting":   {"dev", map[string]any{"settings": map[string]any{"STAGE": "x"}}, "settings: STAGE is not a setting of a stage"},
		"a setting in days":    {"dev", map[string]any{"settings": map[string]any{"ELIGIBILITY": "90d"}}, `ELIGIBILITY cannot be "90d"`},
		"a negative setting":   {"dev", map[string]any{"settings": map[string]any{"MATCH_PAUSE_LIMIT": "-1"}}, "MATCH_PAUSE_LIMIT cannot be"},
		"too few workers":      {"dev", map[string]any{"reservedConcurrency": map[string]any{"ingest": 19}}, "at least 20"},
		"a new account":        {"dev", map[string]any{"accountConcurrency": 10}, "accountConcurrency must be at least 100"},
		"half a domain":        {"dev", mergeMaps(edge, map[string]any{"domain": "api.example.com"}), "together"},
		"domain without edge":  {"dev", map[string]any{"domain": "api.example.com", "certificate": "arn"}, "domain needs edge"},
		"a restored misprint":  {"dev", map[string]any{"restored": map[string]any{"submission": "rmk-x"}}, "restored: no table is called submission"},
		"a restored index":     {"dev", map[string]any{"restored": map[string]any{"submissions due": "rmk-x"}}, "restored: no table is called submissions due"},
		"a warm misprint": {
			"dev", map[string]any{"warmThroughput": map[string]any{"submissions-due": map[string]any{"reads": 1}}},
			"warmThroughput: no table or index is called submissions-due",
		},
		"a certificate alone": {
			"dev", mergeMaps(edge, map[string]any{"uploads": true, "regionalCertificate": "arn"}), "regionalCertificate needs domain",
		},
	} {
		if _, err := parseStage(c.name, mergeMaps(good, c.change)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v; want an error about %s", name, err, c.want)
		}
	}
}

// A stage that keeps data is synthesized only for checking until it has what its deployment needs.
func TestStagesThatAreOnlyChecked(t *testing.T) {
	context, err := cdkContext()
	if err != nil {
		t.Fatal(err)
	}
	complete := map[string]any{
		"account": "123456789012", "accountConcurrency": 1000, "backupAccount": "210987654321", "alarmEmail": "operator@example.com", "pageUrl": "https://pager.example.com/x", "domain": "api.example.com",
		"certificate": "arn:aws:acm:us-east-1:123456789012:certificate/x", "regionalCertificate": "arn:aws:acm:eu-west-1:123456789012:certificate/y",
	}
	for name, c := range map[string]struct {
		stage  string
		change map[string]any
		want   string // empty if it can be deployed
	}{
		"complete":                   {"prod-eu", nil, ""},
		"without account":            {"prod-us", map[string]any{"account": ""}, "account is required"},
		"without backup account":     {"prod-us", map[string]any{"backupAccount": ""}, "backupAccount, another one"},
		"backups in its account":     {"prod-us", map[string]any{"backupAccount": "123456789012"}, "backupAccount, another one"},
		"without alarm address":      {"prod-us", map[string]any{"alarmEmail": ""}, "alarmEmail is required"},
		"without a known quota":      {"prod-us", map[string]any{"accountConcurrency": 0}, "accountConcurrency is required: aws lambda get-account-settings"},
		"without pager":              {"prod-us", map[string]any{"pageUrl": ""}, "pageUrl is required"},
		"without domain":             {"prod-us", map[string]any{"domain": "", "certificate": "", "regionalCertificate": ""}, "domain and certificate are required"},
		"the edge's in Virginia":     {"prod-us", map[string]any{"regionalCertificate": ""}, ""},
		"the edge's in Ireland":      {"prod-eu", map[string]any{"regionalCertificate": ""}, "regionalCertificate is required"},
		"a stage that keeps nothing": {"dev", map[string]any{"account": "", "alarmEmail": "", "domain": "", "certificate": ""}, ""},
	} {
		row := mergeMaps(context["stages"].(map[string]any)[c.stage].(map[string]any), complete, c.change)
		if c.stage == "dev" {
			row = context["stages"].(map[string]any)["dev"].(map[string]any)
		}
		stage, err := parseStage(c.stage, row)
		if err != nil {
			t.Fatal(name, err)
		}
		if err := stage.checkDeployable(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v; want an error about %q", name, err, c.want)
		}
	}
	for name, c := range map[string]struct {
		context map[string]any
		want    string
	}{
		"all stages":       {map[string]any{"checking": ""}, "stage prod-eu cannot be deployed"},
		"production":       {map[string]any{"checking": "", "stage": "prod-us"}, "stage prod-us cannot be deployed"},
		"no stage of ours": {map[string]any{"checking": "", "stage": "qa"}, "cdk.json has no stage qa"},
	} {
		if _, err := synthInContext(c.context, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v; want %q", name, err, c.want)
		}
	}
	s, err := synthInContext(map[string]any{"checking": "", "stage": "dev"}, nil)
	if err != nil || len(s.templates) != 1 || len(s.stacks) != 2 {
		t.Errorf("dev alone: got %d stages and %d stacks, %v", len(s.templates), len(s.stacks), err)
	}
}

func mergeMaps(all ...map[string]any) map[string]any {
	out := map[string]any{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}
