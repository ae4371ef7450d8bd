package system_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// BenchmarkStart starts the program of platform, as it is deployed, with the database
// behind TLS, and asks it for its health, which calls nothing, and twice for an
// identity, which is one call. "init-ms" is the time to the first answer; "first-ms"
// and "second-ms" are the identities': what the first one takes longer was left undone
// at the start. It trusts Amazon's authorities, or the system's, read once or three
// times, as Go reads them on Amazon Linux (a file and two directories that link to it).
func BenchmarkStart(b *testing.B) {
	fatal := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	programs := buildPrograms(b)
	host := cloudtest.System(b, map[string]string{"KEY_ENVIRONMENTS": "test", "VERSION": "test"}, time.Now)
	table := host.Opener().Table(topology.Accounts)
	fatal(demo.Load(b.Context(), account.NewStore(table, dynamo.New(host.AWS).WriteTx)))
	service, err := keys.New(b.Context(), host)
	fatal(err)
	newKey := func() string {
		key, err := service.Handle(b.Context(), keys.Request{
			Action: keys.Create, Name: "test", Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: "test", Scopes: contract.AgencyKey.Scopes(),
		})
		fatal(err)
		return key.Secret
	}
	database, err := url.Parse(host.Getenv("AWS_ENDPOINT_URL_DYNAMODB"))
	fatal(err)
	front := httptest.NewUnstartedServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme = database.Scheme
		r.Out.URL.Host = database.Host
	}})
	front.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	front.StartTLS()
	defer front.Close()
	env := append(system.FunctionEnvironment(host, "platform"), "AWS_ENDPOINT_URL_DYNAMODB="+front.URL, "SSL_CERT_DIR=/nonexistent")
	own := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: front.Certificate().Raw})
	amazon, err := os.ReadFile("../../../shared/cloud/roots.pem")
	fatal(err)
	systems, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	if err != nil {
		systems = nil
	}
	for name, roots := range map[string][]byte{"Amazon": amazon, "system": systems, "system three times": bytes.Repeat(systems, 3)} {
		b.Run(name, func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "roots.pem")
			if err := os.WriteFile(file, append(roots, own...), 0o600); err != nil {
				b.Fatal(err)
			}
			benchmarkStart(b, programs["platform"], append(env, "SSL_CERT_FILE="+file), newKey)
		})
	}
}

// benchmarkStart reports the medians of its starts. A key serves 50 of them: it has a
// rate.
func benchmarkStart(b *testing.B, binary string, env []string, newKey func() string) {
	var took [3][]float64
	secret := ""
	for b.Loop() {
		if len(took[0])%50 == 0 {
			secret = newKey()
		}
		begun := time.Now()
		r, err := lambda.StartRuntime(lambda.RuntimeOptions{Binary: binary, Env: env, NewID: uuid.NewString})
		if err != nil {
			b.Fatal(err)
		}
		for i, path := range []string{"/health", "/identity", "/identity"} {
			out, err := r.Invoke(b.Context(), apiEvent(path, secret))
			if err != nil || !strings.Contains(string(out), `"statusCode":200`) {
				b.Fatalf("%s, %v", out, err)
			}
			took[i] = append(took[i], float64(time.Since(begun).Microseconds())/1000)
			begun = time.Now()
		}
		r.Stop()
	}
	for i, unit := range []string{"init-ms", "first-ms", "second-ms"} {
		slices.Sort(took[i])
		b.ReportMetric(took[i][len(took[i])/2], unit)
	}
}

// apiEvent is a request as API Gateway hands it on.
func apiEvent(path, key string) []byte {
	var e struct {
		RawPath        string            `json:"rawPath"`
		Headers        map[string]string `json:"headers"`
		RequestContext struct {
			DomainName string `json:"domainName"`
			HTTP       struct {
				Method   string `json:"method"`
				SourceIP string `json:"sourceIp"`
			} `json:"http"`
		} `json:"requestContext"`
	}
	e.RawPath = contract.BasePath + path
	e.Headers = map[string]string{"authorization": "Bearer " + key}
	e.RequestContext.DomainName = "api.example.com"
	e.RequestContext.HTTP.Method = "GET"
	e.RequestContext.HTTP.SourceIP = "192.0.2.1"
	payload, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return payload
}
