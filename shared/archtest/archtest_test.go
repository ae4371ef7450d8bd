package archtest

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestHouse holds the whole module to every rule.
func TestHouse(t *testing.T) {
	t.Parallel()
	files, err := Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(files, func(f *File) bool { return f.Path == "shared/contract/routes.go" }) {
		t.Fatal("the module's files were not found")
	}
	for _, rule := range Rules() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			if found := rule.Check(files); len(found) > 0 {
				t.Errorf("%s.\n%s", rule.Reason, strings.Join(found, "\n"))
			}
		})
	}
}

// TestExcusesAreNeeded holds that an excuse goes when its reason does.
func TestExcusesAreNeeded(t *testing.T) {
	t.Parallel()
	for name, reason := range excused {
		f, err := parse(os.DirFS("../.."), name)
		if err != nil || len(chance(f)) == 0 || reason == "" {
			t.Errorf("%s needs no excuse, or has no reason (%v)", name, err)
		}
	}
}

// TestArrowsAreNeeded holds that no room may import what it does not.
func TestArrowsAreNeeded(t *testing.T) {
	t.Parallel()
	files, err := Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]bool{}
	for _, f := range files {
		for _, imported := range f.Imports() {
			drawn[room(f.Dir())+" "+room(imported)] = true
		}
	}
	for own, others := range rooms {
		for _, other := range others {
			if !drawn[own+" "+other] {
				t.Errorf("%s imports no %s: take it out of the table of rooms", own, other)
			}
		}
	}
}

// planted holds, for every rule, sources that break it and sources that do not.
var planted = map[string][]struct {
	file, source string
	want         []string
}{
	"leaves": {
		{"shared/contract/x.go", `package contract; import _ "` + Module + `/shared/fault"`, []string{"shared/contract/x.go:1: imports shared/fault"}},
		{"shared/topology/x.go", `package topology; import _ "` + Module + `/shared/contract"`, []string{"shared/topology/x.go:1: imports shared/contract"}},
		{"shared/contract/x.go", `package contract; import _ "time"`, nil},
	},
	"domains stand alone": {
		{"shared/submission/x.go", `package submission; import _ "` + Module + `/shared/network"`, []string{"shared/submission/x.go:1: imports shared/network"}},
		{"shared/profile/pdl/x.go", `package pdl; import _ "` + Module + `/shared/account"`, []string{"shared/profile/pdl/x.go:1: imports shared/account"}},
		{"shared/profile/pdl/x.go", `package pdl; import _ "` + Module + `/shared/profile"`, nil},
		{"functions/ingest/x.go", `package ingest; import (_ "` + Module + `/shared/network"; _ "` + Module + `/shared/profile")`, nil},
	},
	"rooms of shared": {
		{"shared/network/x.go", `package network; import _ "` + Module + `/shared/gateway"`, []string{"shared/network/x.go:1: imports shared/gateway"}},
		{"shared/fault/x.go", `package fault; import _ "` + Module + `/shared/cloud"`, []string{"shared/fault/x.go:1: imports shared/cloud"}},
		{"shared/gate/x.go", `package gate; import _ "` + Module + `/functions/platform"`, []string{"shared/gate/x.go:1: imports functions/platform"}},
		{"shared/attic/x.go", `package attic; import _ "` + Module + `/shared/fault"`, []string{"shared/attic/x.go:1: imports shared/fault"}},
		{"shared/network/x.go", `package network; import _ "` + Module + `/shared/gate"`, []string{"shared/network/x.go:1: imports shared/gate"}},
		{"shared/account/x.go", `package account; import _ "` + Module + `/shared/gate"`, nil},
		{"shared/network/x.go", `package network; import _ "` + Module + `/shared/identity"`, nil},
		{"shared/gateway/x.go", `package gateway; import _ "` + Module + `/shared/gate"`, nil},
	},
	"functions stand alone": {
		{"functions/network/x.go", `package network; import _ "` + Module + `/functions/submissions"`, []string{"functions/network/x.go:1: imports functions/submissions"}},
		{"functions/uploads/x.go", `package main; import _ "` + Module + `/functions/network"`, []string{"functions/uploads/x.go:1: imports functions/network"}},
		{"functions/uploads/x.go", `package main; import _ "` + Module + `/functions/submissions"`, nil},
		{"functions/network/lambda/x.go", `package main; import _ "` + Module + `/functions/network"`, nil},
	},
	"nothing deployed is local": {
		{"functions/platform/x.go", `package platform; import _ "` + Module + `/local/demo"`, []string{"functions/platform/x.go:1: imports local/demo"}},
		{"shared/resume/x.go", `package resume; import _ "` + Module + `/local"`, []string{"shared/resume/x.go:1: imports local"}},
		{"shared/resume/x_test.go", `package resume; import _ "` + Module + `/local"`, nil},
		{"local/x.go", `package main; import _ "` + Module + `/local/demo"`, nil},
	},
	"tests stay tests": {
		{"functions/platform/x.go", `package platform; import _ "testing"`, []string{"functions/platform/x.go:1: imports testing"}},
		{"local/cloudtest/x.go", `package cloudtest; import (_ "testing"; _ "` + Module + `/local/emulator")`, nil},
		{"shared/resume/x_test.go", `package resume; import _ "testing"`, nil},
	},
	"CDK only in infra": {
		{"shared/topology/x.go", `package topology; import _ "github.com/aws/aws-cdk-go/awscdk/v2"`, []string{"shared/topology/x.go:1: imports github.com/aws/aws-cdk-go/awscdk/v2"}},
		{"infra/x.go", `package main; import _ "github.com/aws/aws-cdk-go/awscdk/v2"`, nil},
	},
	"Lambda's types at the edge": {
		{"functions/network/x.go", `package network; import _ "github.com/aws/aws-lambda-go/events"`, []string{"functions/network/x.go:1: imports github.com/aws/aws-lambda-go/events"}},
		{"shared/submission/x.go", `package submission; import _ "github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"`, []string{"shared/submission/x.go:1: imports github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"}},
		{"functions/network/lambda/main.go", `package main; import _ "github.com/aws/aws-lambda-go/lambda"`, nil},
		{"functions/ingest/x.go", `package ingest; import _ "github.com/aws/aws-lambda-go/events"`, nil},
	},
	"one place answers": {
		{"functions/platform/x.go", "package platform\nimport \"net/http\"\nfunc f(w http.ResponseWriter) {}", []string{"functions/platform/x.go:3: http.ResponseWriter"}},
		{"shared/account/x.go", "package account\nimport web \"net/http\"\nvar s web.Server", []string{"shared/account/x.go:3: http.Server"}},
		{"functions/platform/x.go", "package platform\nimport \"net/http\"\nvar h http.Handler", nil},
		{"shared/profile/x.go", "package profile\nimport \"net/http\"\nvar c http.Client", nil},
		{"shared/gateway/x.go", "package gateway\nimport \"net/http\"\nvar w http.ResponseWriter", nil},
	},
	"time and chance come in": {
		{"shared/match/x.go", "package match\nimport \"time\"\nvar t = time.Now()", []string{"shared/match/x.go:3: time.Now"}},
		{"shared/match/x.go", "package match\nimport clock \"time\"\nvar f = clock.Now", []string{"shared/match/x.go:3: time.Now"}},
		{"shared/role/x.go", "package role\nimport \"math/rand/v2\"\nvar n = rand.N(3)", []string{"shared/role/x.go:2: imports math/rand/v2"}},
		{"shared/account/x.go", "package account\nimport \"crypto/rand\"\nvar r = rand.Reader", []string{"shared/account/x.go:3: rand.Reader"}},
		{"shared/submission/x.go", "package submission\nimport \"github.com/google/uuid\"\nvar id = uuid.New()", []string{"shared/submission/x.go:3: uuid.New"}},
		{"shared/submission/x.go", "package submission\nimport \"github.com/google/uuid\"\nvar id, _ = uuid.Parse(\"\")", nil},
		{"shared/cloud/x.go", "package cloud\nimport \"time\"\nvar t = time.Now", nil},
		{"shared/account/event.go", "package account\nimport \"math/rand/v2\"\nvar n = rand.N(3)", nil},
		{"shared/account/event.go", "package account\nimport \"time\"\nvar t = time.Now", []string{"shared/account/event.go:3: time.Now"}},
	},
	"no Scan": {
		{"shared/network/x.go", "package network\nimport \"github.com/guregu/dynamo/v2\"\nfunc f(t dynamo.Table) { t.Scan() }", []string{"shared/network/x.go:3: calls Scan"}},
		{"shared/feed/x.go", "package feed\nimport \"github.com/aws/aws-sdk-go-v2/service/dynamodb\"\nvar in dynamodb.ScanInput", []string{"shared/feed/x.go:3: dynamodb.ScanInput"}},
		{"shared/resume/x.go", "package resume\nimport \"bufio\"\nfunc f(s *bufio.Scanner) { s.Scan() }", nil},
		{"local/x.go", "package main\nimport \"github.com/guregu/dynamo/v2\"\nfunc f(t dynamo.Table) { t.Scan() }", nil},
	},
	"names say what is inside": {
		{"shared/utils/x.go", "package utils", []string{"shared/utils/x.go:1: package utils"}},
		{"functions/network/x.go", "package handlers", []string{"functions/network/x.go:1: package handlers"}},
		{"shared/fault/x.go", "package fault", nil},
	},
	"short files": {
		{"shared/role/x.go", "package role\n" + strings.Repeat("\n", longest), []string{"shared/role/x.go:1: 351 lines, above 350"}},
		{"shared/role/x.go", "package role\n" + strings.Repeat("\n", longest-1), nil},
	},
	"packages explain themselves": {
		{"shared/role/x.go", "package role", []string{"shared/role/x.go:1: package without a comment"}},
		{"functions/network/lambda/main.go", "package main", []string{"functions/network/lambda/main.go:1: package without a comment"}},
		{"shared/role/x.go", "// Package role is about roles.\npackage role", nil},
	},
	"names are documented": {
		{"shared/role/x.go", "package role\nfunc F() {}\nfunc f() {}", []string{"shared/role/x.go:2: F"}},
		{"shared/role/x.go", "package role\ntype T struct{}\nfunc (t *T) M() {}\nfunc (*t) M() {}\nfunc (*T) Error() string\ntype t struct{}", []string{"shared/role/x.go:2: T", "shared/role/x.go:3: M"}},
		{"shared/role/x.go", "package role\n// L is a list.\ntype L[T any] []T\nfunc (L[T]) Len() {}", []string{"shared/role/x.go:4: Len"}},
		{"shared/role/x.go", "package role\nconst (\n\tA = 1\n\tB = 2 // B is two\n)", []string{"shared/role/x.go:3: A"}},
		{"shared/role/x.go", "package role\n// The letters.\nconst (\n\tA = 1\n\tB = 2\n)\n\n// F does.\nfunc F() {}", nil},
	},
}

// TestPlanted proves that every rule can fail, and does not fail at random.
func TestPlanted(t *testing.T) {
	t.Parallel()
	for _, rule := range Rules() {
		var fails, passes bool
		for _, p := range planted[rule.Name] {
			files, err := Load(fstest.MapFS{p.file: {Data: []byte(p.source)}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(p.want, rule.Check(files)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", rule.Name, p.source, diff)
			}
			fails, passes = fails || p.want != nil, passes || p.want == nil
		}
		if !fails || !passes || rule.Reason == "" {
			t.Errorf("the rule %q lacks a reason, a source that breaks it or one that does not", rule.Name)
		}
	}
	if len(planted) != len(Rules()) {
		t.Errorf("sources are planted for %d rules, there are %d", len(planted), len(Rules()))
	}
}

// TestLoad shows what is read and what is passed over.
func TestLoad(t *testing.T) {
	t.Parallel()
	source := &fstest.MapFile{Data: []byte("package x")}
	files, err := Load(fstest.MapFS{
		"shared/x/x.go": source, "shared/x/x_test.go": source, "shared/x/readme.md": source,
		"local/node_modules/x/x.go": source, ".tools/x.go": source, "shared/x/testdata/x.go": source,
	})
	if err != nil || len(files) != 1 || files[0].Path != "shared/x/x.go" {
		t.Errorf("got %v, %v", files, err)
	}
	if _, err := Load(fstest.MapFS{"x.go": {Data: []byte("package")}}); err == nil {
		t.Error("broken source was accepted")
	}
}
