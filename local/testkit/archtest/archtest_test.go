package archtest

import (
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestModule fails for every place in the module that breaks a rule.
func TestModule(t *testing.T) {
	t.Parallel()
	files, err := loadFiles(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(files, func(f *file) bool { return f.Path == "shared/api/contract/routes.go" }) {
		t.Fatal("the module's files were not found")
	}
	for _, rule := range allRules() {
		t.Run(rule.name, func(t *testing.T) {
			t.Parallel()
			if found := rule.findViolations(files); len(found) > 0 {
				t.Errorf("%s.\n%s", rule.reason, strings.Join(found, "\n"))
			}
		})
	}
}

// TestTests fails for every header in a test that assigns to a variable of outside.
func TestTests(t *testing.T) {
	t.Parallel()
	files, err := loadTests(os.DirFS("../../.."))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, rule := range calmRules {
		if rule.name != headerRule {
			continue
		}
		if found := rule.findViolations(files); len(found) > 0 {
			t.Errorf("%s: %s.\n%s", rule.name, rule.reason, strings.Join(found, "\n"))
		}
	}
}

// TestExceptionsAreNeeded fails for an exception of a file that draws no random values.
func TestExceptionsAreNeeded(t *testing.T) {
	t.Parallel()
	for name, reason := range randomnessExceptions {
		f, err := parseFile(token.NewFileSet(), os.DirFS("../../.."), name)
		if err != nil || len(findRandomness(f)) == 0 || reason == "" {
			t.Errorf("%s needs no exception, or has no reason (%v)", name, err)
		}
	}
}

// TestFoundationsAreImported fails for a foundation that no package of its folder
// imports any more.
func TestFoundationsAreImported(t *testing.T) {
	t.Parallel()
	files, err := loadFiles(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string]bool{}
	for _, f := range files {
		for _, path := range f.Imports() {
			if folderOf(path) == folderOf(f.Dir()) {
				imported[path] = true
			}
		}
	}
	for _, path := range foundations {
		if !imported[path] {
			t.Errorf("no package of its folder imports %s: take it out of foundations", path)
		}
	}
}

// planted has, for every rule, sources that break it and sources that do not.
var planted = map[string][]struct {
	file, source string
	want         []string
}{
	"leaves": {
		{"shared/api/contract/x.go", `package contract; import _ "` + modulePath + `/shared/api/fault"`, []string{"shared/api/contract/x.go:1: imports shared/api/fault"}},
		{"shared/cloud/topology/x.go", `package topology; import _ "` + modulePath + `/shared/api/contract"`, []string{"shared/cloud/topology/x.go:1: imports shared/api/contract"}},
		{"shared/api/contract/x.go", `package contract; import _ "time"`, nil},
	},
	"layers of shared": {
		{"shared/agency/submission/x.go", `package submission; import _ "` + modulePath + `/shared/agency/network"`, []string{"shared/agency/submission/x.go:1: imports shared/agency/network"}},
		{"shared/candidate/profile/pdl/x.go", `package pdl; import _ "` + modulePath + `/shared/marketplace/role"`, []string{"shared/candidate/profile/pdl/x.go:1: imports shared/marketplace/role"}},
		{"shared/candidate/resume/x.go", `package resume; import _ "` + modulePath + `/shared/candidate/resume/filetype"`, nil},
		{"functions/ingest/x.go", `package ingest; import (_ "` + modulePath + `/shared/agency/network"; _ "` + modulePath + `/shared/candidate/profile")`, nil},
		{"shared/agency/network/x.go", `package network; import _ "` + modulePath + `/shared/gateway"`, []string{"shared/agency/network/x.go:1: imports shared/gateway"}},
		{"shared/api/fault/x.go", `package fault; import _ "` + modulePath + `/shared/cloud"`, []string{"shared/api/fault/x.go:1: imports shared/cloud"}},
		{"shared/account/apikey/x.go", `package apikey; import _ "` + modulePath + `/functions/platform"`, []string{"shared/account/apikey/x.go:1: imports functions/platform"}},
		{"shared/attic/x.go", `package attic; import _ "` + modulePath + `/shared/api/fault"`, []string{"shared/attic/x.go:1: imports shared/api/fault"}},
		{"shared/cloud/x.go", `package cloud; import _ "` + modulePath + `/shared/account/apikey"`, []string{"shared/cloud/x.go:1: imports shared/account/apikey"}},
		{"shared/account/x.go", `package account; import _ "` + modulePath + `/shared/account/apikey"`, nil},
		{"shared/agency/network/x.go", `package network; import _ "` + modulePath + `/shared/identity"`, nil},
		{"shared/gateway/x.go", `package gateway; import _ "` + modulePath + `/shared/account/apikey"`, nil},
		{"shared/search/catalogue/x.go", `package catalogue; import _ "` + modulePath + `/shared/marketplace/role"`, nil},
		{"shared/marketplace/role/x.go", `package role; import _ "` + modulePath + `/shared/search/catalogue"`, []string{"shared/marketplace/role/x.go:1: imports shared/search/catalogue"}},
		{"shared/candidate/resume/page/x.go", `package page; import _ "` + modulePath + `/shared/candidate/resume/jobs"`, []string{"shared/candidate/resume/page/x.go:1: imports shared/candidate/resume/jobs"}},
		{"shared/candidate/resume/jobs/x.go", `package jobs; import _ "` + modulePath + `/shared/candidate/resume/page"`, nil},
		{"shared/candidate/resume/jobs/x.go", `package jobs; import _ "` + modulePath + `/shared/candidate/resume/attic"`, []string{"shared/candidate/resume/jobs/x.go:1: imports shared/candidate/resume/attic"}},
	},
	"one door to the resume reader": {
		{"functions/ingest/x.go", `package ingest; import _ "` + modulePath + `/shared/candidate/resume/jobs"`, []string{"functions/ingest/x.go:1: imports shared/candidate/resume/jobs"}},
		{"functions/ingest/x.go", `package ingest; import _ "` + modulePath + `/shared/candidate/resume"`, nil},
		{"shared/candidate/resume/person/x.go", `package person; import _ "` + modulePath + `/shared/candidate/resume/jobs"`, nil},
	},
	"functions stand alone": {
		{"functions/network/x.go", `package network; import _ "` + modulePath + `/functions/submissions"`, []string{"functions/network/x.go:1: imports functions/submissions"}},
		{"functions/uploads/x.go", `package main; import _ "` + modulePath + `/functions/network"`, []string{"functions/uploads/x.go:1: imports functions/network"}},
		{"functions/uploads/x.go", `package main; import _ "` + modulePath + `/functions/submissions"`, nil},
		{"functions/network/lambda/x.go", `package main; import _ "` + modulePath + `/functions/network"`, nil},
	},
	"deployed code imports nothing local": {
		{"functions/platform/x.go", `package platform; import _ "` + modulePath + `/local/demo"`, []string{"functions/platform/x.go:1: imports local/demo"}},
		{"shared/candidate/resume/x.go", `package resume; import _ "` + modulePath + `/local"`, []string{"shared/candidate/resume/x.go:1: imports local"}},
		{"shared/candidate/resume/x_test.go", `package resume; import _ "` + modulePath + `/local"`, nil},
		{"local/x.go", `package main; import _ "` + modulePath + `/local/demo"`, nil},
	},
	"only local imports testing": {
		{"functions/platform/x.go", `package platform; import _ "testing"`, []string{"functions/platform/x.go:1: imports testing"}},
		{"local/testkit/cloudtest/x.go", `package cloudtest; import (_ "testing"; _ "` + modulePath + `/local/run/emulator")`, nil},
		{"shared/candidate/resume/x_test.go", `package resume; import _ "testing"`, nil},
	},
	"the terminal tool is small": {
		{"local/terminal/x.go", `package api; import _ "` + modulePath + `/shared/gateway"`, []string{"local/terminal/x.go:1: imports shared/gateway"}},
		{"local/terminal/x.go", `package api; import _ "github.com/aws/aws-sdk-go-v2/aws"`, []string{"local/terminal/x.go:1: imports github.com/aws/aws-sdk-go-v2/aws"}},
		{"local/terminal/x.go", `package api; import _ "` + modulePath + `/shared/api/client"`, nil},
		{"local/lab/bench/x.go", `package main; import _ "` + modulePath + `/shared/account"`, nil},
	},
	"clients of S3 and SQS stand alone": {
		{"shared/cloud/x.go", `package cloud; import _ "github.com/aws/aws-sdk-go-v2/service/s3"`, []string{"shared/cloud/x.go:1: imports github.com/aws/aws-sdk-go-v2/service/s3"}},
		{"shared/cloud/objectstore/x.go", `package objectstore; import _ "github.com/aws/aws-sdk-go-v2/service/sqs"`, []string{"shared/cloud/objectstore/x.go:1: imports github.com/aws/aws-sdk-go-v2/service/sqs"}},
		{"shared/gateway/x.go", `package gateway; import _ "` + modulePath + `/shared/cloud/messaging"`, []string{"shared/gateway/x.go:1: imports shared/cloud/messaging"}},
		{"shared/cloud/objectstore/x.go", `package objectstore; import _ "github.com/aws/aws-sdk-go-v2/service/s3/types"`, nil},
		{"functions/submissions/x.go", `package submissions; import _ "` + modulePath + `/shared/cloud/messaging"`, nil},
	},
	"CDK only in infra": {
		{"shared/cloud/topology/x.go", `package topology; import _ "github.com/aws/aws-cdk-go/awscdk/v2"`, []string{"shared/cloud/topology/x.go:1: imports github.com/aws/aws-cdk-go/awscdk/v2"}},
		{"infra/x.go", `package main; import _ "github.com/aws/aws-cdk-go/awscdk/v2"`, nil},
	},
	"Lambda's types at the edge": {
		{"functions/network/x.go", `package network; import _ "github.com/aws/aws-lambda-go/events"`, []string{"functions/network/x.go:1: imports github.com/aws/aws-lambda-go/events"}},
		{"shared/agency/submission/x.go", `package submission; import _ "github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"`, []string{"shared/agency/submission/x.go:1: imports github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"}},
		{"functions/network/lambda/main.go", `package main; import _ "github.com/aws/aws-lambda-go/lambda"`, nil},
		{"functions/ingest/x.go", `package ingest; import _ "github.com/aws/aws-lambda-go/events"`, nil},
	},
	"only the gateway writes responses": {
		{"functions/platform/x.go", "package platform\nimport \"net/http\"\nfunc f(w http.ResponseWriter) {}", []string{"functions/platform/x.go:3: http.ResponseWriter"}},
		{"shared/account/x.go", "package account\nimport web \"net/http\"\nvar s web.Server", []string{"shared/account/x.go:3: http.Server"}},
		{"functions/platform/x.go", "package platform\nimport \"net/http\"\nvar h http.Handler", nil},
		{"shared/candidate/profile/x.go", "package profile\nimport \"net/http\"\nvar c http.Client", nil},
		{"shared/gateway/x.go", "package gateway\nimport \"net/http\"\nvar w http.ResponseWriter", nil},
	},
	"domains read no clock and draw no random values": {
		{"shared/marketplace/match/x.go", "package match\nimport \"time\"\nvar t = time.Now()", []string{"shared/marketplace/match/x.go:3: time.Now"}},
		{"shared/marketplace/match/x.go", "package match\nimport clock \"time\"\nvar f = clock.Now", []string{"shared/marketplace/match/x.go:3: time.Now"}},
		{"shared/marketplace/role/x.go", "package role\nimport \"math/rand/v2\"\nvar n = rand.N(3)", []string{"shared/marketplace/role/x.go:2: imports math/rand/v2"}},
		{"shared/account/x.go", "package account\nimport \"crypto/rand\"\nvar r = rand.Reader", []string{"shared/account/x.go:3: rand.Reader"}},
		{"shared/agency/submission/x.go", "package submission\nimport \"github.com/google/uuid\"\nvar id = uuid.New()", []string{"shared/agency/submission/x.go:3: uuid.New"}},
		{"shared/agency/submission/x.go", "package submission\nimport \"github.com/google/uuid\"\nvar id, _ = uuid.Parse(\"\")", nil},
		{"shared/cloud/x.go", "package cloud\nimport \"time\"\nvar t = time.Now", nil},
		{"shared/account/event.go", "package account\nimport \"math/rand/v2\"\nvar n = rand.N(3)", nil},
		{"shared/account/event.go", "package account\nimport \"time\"\nvar t = time.Now", []string{"shared/account/event.go:3: time.Now"}},
	},
	"no Scan": {
		{"shared/agency/network/x.go", "package network\nimport \"github.com/guregu/dynamo/v2\"\nfunc f(t dynamo.Table) { t.Scan() }", []string{"shared/agency/network/x.go:3: calls Scan"}},
		{"shared/feed/x.go", "package feed\nimport \"github.com/aws/aws-sdk-go-v2/service/dynamodb\"\nvar in dynamodb.ScanInput", []string{"shared/feed/x.go:3: dynamodb.ScanInput"}},
		{"shared/candidate/resume/x.go", "package resume\nimport \"bufio\"\nfunc f(s *bufio.Scanner) { s.Scan() }", nil},
		{"local/x.go", "package main\nimport \"github.com/guregu/dynamo/v2\"\nfunc f(t dynamo.Table) { t.Scan() }", nil},
	},
	"only the gateway admits a tenant": {
		{"functions/submissions/x.go", "package submissions\nimport \"" + modulePath + "/shared/account/tenant\"\nvar a = tenant.Admit(\"agy_1\")", []string{"functions/submissions/x.go:3: tenant.Admit"}},
		{"functions/submissions/x.go", "package submissions\nimport \"" + modulePath + "/shared/account/tenant\"\nvar a tenant.Admission", []string{"functions/submissions/x.go:3: tenant.Admission"}},
		{"shared/agency/idempotency/x.go", "package idempotency\nimport \"" + modulePath + "/shared/account/tenant\"\nvar a = tenant.Admit(\"agy_1\")", []string{"shared/agency/idempotency/x.go:3: tenant.Admit"}},
		{"shared/agency/idempotency/x.go", "package idempotency\nimport \"" + modulePath + "/shared/account/tenant\"\nvar a tenant.Admission", nil},
		{"shared/gateway/x.go", "package gateway\nimport \"" + modulePath + "/shared/account/tenant\"\nvar a = tenant.Admit(\"agy_1\")", nil},
	},
	"methods that reach a store name themselves in their errors": {
		{"shared/agency/network/x.go", "package network\nfunc (s *Store) Put() error { return s.put() }", []string{"shared/agency/network/x.go:2: Store.Put"}},
		{"shared/agency/network/x.go", "package network\nfunc (s *Store) Put() (err error) {\n\tdefer fault.Wrap(&err, \"network.Put\")\n\treturn s.put()\n}", nil},
		{"shared/agency/network/x.go", "package network\nfunc (s *Store) put() error { return nil }\nfunc (s *Store) Len() int { return 0 }\nfunc Put() error { return nil }", nil},
		{"shared/agency/network/x.go", "package network\nfunc (s *Store) Put() (err error) {\n\tdefer fault.Wrap(&err, \"network.Get(id)\")\n\treturn s.put()\n}", []string{"shared/agency/network/x.go:2: Store.Put"}},
		{"shared/cloud/x.go", "package cloud\nfunc (w *Walk) Turn(ctx context.Context) error { return w.turn(ctx) }", []string{"shared/cloud/x.go:2: Walk.Turn"}},
		{"shared/cloud/x.go", "package cloud\nfunc (w *Walk) Turn(ctx context.Context) (err error) {\n\tdefer fault.Wrap(&err, \"cloud.Turn(key)\")\n\treturn w.turn(ctx)\n}", nil},
		{"shared/cloud/x.go", "package cloud\nfunc (w *Walk) Err() error { return nil }\nfunc (w walk) Turn(ctx context.Context) error { return nil }", nil},
		{"shared/api/client/x.go", "package client\nfunc (c *Client) Send(ctx context.Context) error { return c.send(ctx) }", nil},
		{"shared/search/catalogue/x.go", "package catalogue\nfunc (s State) Search(ctx context.Context) error { return nil }", nil},
	},
	"package names describe a subject": {
		{"shared/utils/x.go", "package utils", []string{"shared/utils/x.go:1: package utils"}},
		{"functions/network/x.go", "package handlers", []string{"functions/network/x.go:1: package handlers"}},
		{"shared/api/fault/x.go", "package fault", nil},
	},
	"short files": {
		{"shared/marketplace/role/x.go", "package role\n" + strings.Repeat("\n", longest), []string{"shared/marketplace/role/x.go:1: 351 lines, above 350"}},
		{"shared/marketplace/role/x.go", "package role\n" + strings.Repeat("\n", longest-1), nil},
		{"shared/marketplace/role/x.go", "// Code generated by x; DO NOT EDIT.\n\npackage role\n" + strings.Repeat("\n", longest), nil},
	},
	"few boolean operators": {
		{"shared/identity/x.go", "package identity\nvar a, b, c bool\nvar d = a && !b || a && c", []string{"shared/identity/x.go:3: 4 boolean operators, above 3"}},
		{"shared/identity/x.go", "package identity\nvar a, b bool\nvar d = a && b ||\n\t!(a && b)", []string{"shared/identity/x.go:3: 4 boolean operators, above 3"}},
		{"shared/identity/x.go", "package identity\nvar a, b bool\nvar d = f(a && b, a || b, !a, !b)", []string{"shared/identity/x.go:3: 4 boolean operators, above 3"}},
		{"shared/identity/x.go", "package identity\nvar a, b bool\nvar d = a && f(a || b,\n\ta && b,\n\t!a && b)", nil},
		{"shared/identity/x.go", "package identity\nvar a, b bool\nvar d = a && b || !a", nil},
	},
	headerRule: {
		{"shared/identity/x.go", "package identity\nfunc f(a bool) {\n\tif a = !a; a {\n\t}\n}", []string{"shared/identity/x.go:3: an assignment in a header"}},
		{"shared/identity/x.go", "package identity\nfunc f(a int) {\n\tswitch a += 1; a {\n\t}\n}", []string{"shared/identity/x.go:3: an assignment in a header"}},
		{"shared/identity/x.go", "package identity\nfunc f(a int) {\n\tif a++; a > 1 {\n\t}\n}", []string{"shared/identity/x.go:3: an assignment in a header"}},
		{"shared/identity/x.go", "package identity\nfunc f(a bool) {\n\tif b := !a; b {\n\t}\n}", nil},
	},
	"one variable an assignment": {
		{"shared/identity/x.go", "package identity\nfunc f(a, b int) {\n\ta, b = b, a+1\n}", []string{"shared/identity/x.go:3: an assignment of 2 values"}},
		{"shared/identity/x.go", "package identity\nfunc f() {\n\tif a, b := 1, 2; a < b {\n\t}\n}", []string{"shared/identity/x.go:3: an assignment of 2 values"}},
		{"shared/identity/x.go", "package identity\nfunc f(a []int) {\n\tfor i, j := 0, 1; j < len(a); i, j = i+1, j+1 {\n\t\ta[i], a[j] = a[j], a[i]\n\t}\n}", nil},
		{"shared/identity/x.go", "package identity\nfunc f() {\n\ta, b := f(), 1\n}", []string{"shared/identity/x.go:3: an assignment of 2 values"}},
		{"shared/identity/x.go", "package identity\nfunc f() {\n\ta, b := f()\n}", nil},
	},
	"lines fit the screen": {
		{"shared/identity/x.go", "package identity\n// " + strings.Repeat("é", widestLine-3), nil},
		{"shared/identity/x.go", "package identity\n// " + strings.Repeat("é", widestLine-2), []string{"shared/identity/x.go:2: 141 columns, above 140"}},
		{"shared/identity/x.go", "package identity\nvar a = []string{\n\"" + strings.Repeat("a", widestLine-3) + "\",\n}", nil},
		{"shared/identity/x.go", "package identity\nvar a = []string{\n\"" + strings.Repeat("a", widestLine-2) + "\",\n}", []string{"shared/identity/x.go:3: 141 columns, above 140"}},
		{"shared/identity/x.go", "package identity\nvar a = []string{\"" + strings.Repeat("a", widestLine) + "\"}", []string{"shared/identity/x.go:2: 160 columns, above 140"}},
		{"shared/identity/x.go", "package identity\ntype t struct {\n\tA int `json:\"" + strings.Repeat("a", widestLine) + "\"`\n}", nil},
		{"shared/identity/x.go", "package identity\nvar a = `\n" + strings.Repeat("a", widestLine+1) + "\n`", nil},
		{"shared/identity/x.go", "// Code generated by x; DO NOT EDIT.\n\npackage identity\n\n// " + strings.Repeat("a", widestLine), nil},
	},
	"exported names are documented": {
		{"shared/marketplace/role/x.go", "package role\nfunc F() {}\nfunc f() {}", []string{"shared/marketplace/role/x.go:2: F"}},
		{"shared/marketplace/role/x.go", "package role\ntype T struct{}\nfunc (t *T) M() {}\nfunc (*t) M() {}\nfunc (*T) Error() string\ntype t struct{}", []string{"shared/marketplace/role/x.go:2: T", "shared/marketplace/role/x.go:3: M"}},
		{"shared/marketplace/role/x.go", "package role\n// L is a list.\ntype L[T any] []T\nfunc (L[T]) Len() {}", []string{"shared/marketplace/role/x.go:4: Len"}},
		{"shared/marketplace/role/x.go", "package role\nconst (\n\tA = 1\n\tB = 2 // B is two\n)", []string{"shared/marketplace/role/x.go:3: A"}},
		{"shared/marketplace/role/x.go", "package role\n// The letters.\nconst (\n\tA = 1\n\tB = 2\n)\n\n// F does.\nfunc F() {}", nil},
	},
}

// TestPlanted checks every rule against its planted sources.
func TestPlanted(t *testing.T) {
	t.Parallel()
	for _, rule := range allRules() {
		var fails, passes bool
		for _, p := range planted[rule.name] {
			files, err := loadFiles(fstest.MapFS{p.file: {Data: []byte(p.source)}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(p.want, rule.findViolations(files)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", rule.name, p.source, diff)
			}
			fails = fails || p.want != nil
			passes = passes || p.want == nil
		}
		if !fails || !passes || rule.reason == "" {
			t.Errorf("the rule %q lacks a reason, a source that breaks it or one that does not", rule.name)
		}
	}
	if len(planted) != len(allRules()) {
		t.Errorf("sources are planted for %d rules, there are %d", len(planted), len(allRules()))
	}
}

// TestLoad checks which files are parsed and which are skipped.
func TestLoad(t *testing.T) {
	t.Parallel()
	source := &fstest.MapFile{Data: []byte("package x")}
	files, err := loadFiles(fstest.MapFS{
		"shared/x/x.go": source, "shared/x/x_test.go": source, "shared/x/readme.md": source,
		"local/node_modules/x/x.go": source, ".tools/x.go": source, "shared/x/testdata/x.go": source,
	})
	if err != nil || len(files) != 1 || files[0].Path != "shared/x/x.go" {
		t.Errorf("got %v, %v", files, err)
	}
	if _, err := loadFiles(fstest.MapFS{"x.go": {Data: []byte("package")}}); err == nil {
		t.Error("broken source was accepted")
	}
}
