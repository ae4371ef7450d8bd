package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/testkit/conform"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// process is the real program, on the emulators.
type process struct {
	*exec.Cmd
	t *testing.T
	// url is its address, key an agency's key and otherKey one of another agency.
	url, key, otherKey string
	host               cloud.Host
	// ended is closed when it has ended, with how in end.
	ended chan struct{}
	end   error
}

// program is built once, by TestMain.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "uploads")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "uploads")
		if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			panic(string(out))
		}
		return conform.Run(m.Run)
	}())
}

// startProcess runs the program with further settings and waits until it listens.
func startProcess(t *testing.T, settings ...string) *process {
	t.Helper()
	host := cloudtest.System(t, map[string]string{"KEY_ENVIRONMENTS": "test"}, time.Now)
	p := &process{Cmd: exec.Command(program), t: t, host: host, ended: make(chan struct{})}
	p.key, p.otherKey = createAgencyKeys(t, host)
	p.Env = append(settings, "PORT=0", "KEY_ENVIRONMENTS=test", topology.SettingFunction+"=uploads", "REQUEST_TIMEOUT="+cloudtest.Patience)
	for _, name := range slices.Concat(awsNames, environmentNames(topology.Uploads)) {
		p.Env = append(p.Env, name+"="+host.Getenv(name))
	}
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Stderr = cloudtest.Output(t)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	p.listen(out)
	return p
}

// listen reads the address that the program prints, and the rest of its output until it ends.
func (p *process) listen(out io.Reader) {
	p.t.Helper()
	lines := bufio.NewScanner(out)
	for p.url == "" && lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Address != "" {
			p.url = "http://127.0.0.1" + line.Address[strings.LastIndex(line.Address, ":"):]
		}
	}
	go func() {
		defer close(p.ended)
		_, _ = io.Copy(p.Stderr, out)
		p.end = p.Wait()
	}()
	p.t.Cleanup(func() {
		_ = p.Process.Kill()
		<-p.ended
	})
	if p.url == "" {
		p.t.Fatal("the program does not listen")
	}
}

var awsNames = []string{
	"AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
	"AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_SQS", "AWS_ENDPOINT_URL_S3",
}

func environmentNames(f topology.Function) (all []string) {
	for name := range f.Environment() {
		all = append(all, name)
	}
	return all
}

// createAgencyKeys returns keys of two agencies.
func createAgencyKeys(t *testing.T, host cloud.Host) (key, otherKey string) {
	t.Helper()
	accounts := host.Opener().Table(topology.Accounts)
	if err := demo.Load(t.Context(), account.NewStore(accounts, dynamo.New(host.AWS).WriteTx)); err != nil {
		t.Fatal(err)
	}
	return createAgencyKey(t, host, demo.AgencyID, demo.OwnerID), createAgencyKey(t, host, demo.OtherAgencyID, demo.OtherOwnerID)
}

// newAgency creates an agency and returns its key.
func (p *process) newAgency(id string) string {
	p.t.Helper()
	accounts := account.NewStore(cloudtest.TableOf(p.t, p.host, topology.Accounts), dynamo.New(p.host.AWS).WriteTx)
	owner := account.Member{ID: id + "-owner", Name: "Olga Owner", Email: id + "@example.com", Owner: true, Approved: true}
	agency := account.Agency{ID: id, Name: "Example Search", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, PrimaryOwner: owner.ID}
	if err := (demo.Agency{Agency: agency, Members: []account.Member{owner}}).Apply(p.t.Context(), accounts, 1); err != nil {
		p.t.Fatal(err)
	}
	return createAgencyKey(p.t, p.host, id, owner.ID)
}

func createAgencyKey(t *testing.T, host cloud.Host, agency, owner string) string {
	t.Helper()
	service, err := keys.New(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	out, err := service.Handle(t.Context(), keys.Request{
		Action: keys.Create, Name: "test", Type: contract.AgencyKey, Principal: agency, Actor: owner,
		Environment: "test", Scopes: contract.AgencyKey.Scopes(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Secret
}

// post sends a body to submit and answers the response with its body.
func (p *process) post(body io.Reader, length int64) (*http.Response, string) {
	p.t.Helper()
	return p.postWith(p.t.Context(), body, length)
}

// postWith is post with a context and further headers, names and values in turn.
func (p *process) postWith(ctx context.Context, body io.Reader, length int64, headers ...string) (*http.Response, string) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+contract.BasePath+"/talent-network/candidates/submit", body)
	if err != nil {
		p.t.Fatal(err)
	}
	request.ContentLength = length
	request.Header.Set("Authorization", "Bearer "+p.key)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Error(err)
		return &http.Response{}, ""
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Error(err)
	}
	return response, string(answer)
}

// stop asks the program to end.
func (p *process) stop() {
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
}
