package submissions_test

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// function is the deployed function behind Lambda's events, with one agency's key.
type function struct {
	tb    testing.TB
	host  cloud.Host
	serve lambdahttp.Func
	key   string
	ahead atomic.Int64
}

func open(tb testing.TB) *function {
	tb.Helper()
	f := &function{tb: tb}
	begin := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	f.host = cloudtest.System(tb, map[string]string{"KEY_ENVIRONMENTS": "test"}, func() time.Time {
		return begin.Add(time.Duration(f.ahead.Load()))
	})
	f.host.Log = slog.New(slog.DiscardHandler)
	table, err := f.host.Table(topology.Accounts)
	f.must(err)
	f.must(account.NewStore(table, dynamo.New(f.host.AWS).WriteTx).PutAgency(tb.Context(), account.Agency{
		ID: "agy_1", Name: "Example Search", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true, PrimaryOwner: "rec_1",
		Members: map[string]account.Member{"rec_1": {ID: "rec_1", Name: "Olga Owner", Email: "olga@example.com", Owner: true, Approved: true}},
	}))
	service, err := keys.New(tb.Context(), f.host)
	f.must(err)
	made, err := service.Handle(tb.Context(), keys.Request{
		Action: keys.Create, Type: contract.AgencyKey, Principal: "agy_1", Actor: "rec_1", Name: "bench", Environment: "test",
		Scopes: contract.AgencyKey.Scopes(),
	})
	f.must(err)
	f.key = made.Secret
	f.start()
	return f
}

// start makes the function in its host as that is now.
func (f *function) start() {
	f.tb.Helper()
	handler, err := submissions.New(f.tb.Context(), f.host)
	f.must(err)
	f.serve = lambdahttp.Handler(handler)
}

func (f *function) must(err error) {
	f.tb.Helper()
	if err != nil {
		f.tb.Fatal(err)
	}
}

// post sends a body and answers what must be a 200. Each request is two seconds
// after the one before, so a key never uses up its window.
func (f *function) post(path, body string) string {
	f.tb.Helper()
	f.ahead.Add(int64(2 * time.Second))
	event := events.APIGatewayV2HTTPRequest{RawPath: contract.BasePath + path, Body: body, Headers: map[string]string{
		"authorization": "Bearer " + f.key, "content-type": "application/json", "idempotency-key": uuid.NewString(),
	}}
	event.RequestContext.HTTP.Method, event.RequestContext.DomainName = "POST", "api.example.com"
	answer, err := f.serve(context.Background(), event)
	f.must(err)
	if answer.StatusCode != 200 {
		f.tb.Fatalf("got %d %s", answer.StatusCode, answer.Body)
	}
	return answer.Body
}

// hundred is the body of a bulk submit of 100 candidates whom nobody else has.
func (f *function) hundred(resumeFileID string) string {
	run := uuid.NewString()
	items := make([]string, 100)
	for i := range items {
		items[i] = fmt.Sprintf(`{"name":"Ada Example","email":"%[1]s-%[2]d@example.com","linkedinUrl":"https://www.linkedin.com/in/%[1]s-%[2]d",
			"preferences":{"locations":["uk"],"workplaceTypes":["REMOTE"],"salaryMin":90000,"idealFundingRounds":["SEED"],
			"visaAuthorization":"NO_VISA_AUTHORIZATION_NEEDED"},"resume":{"resumeFileId":%[3]q},"onMarketConfirmed":true}`, run, i, resumeFileID)
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`
}

// BenchmarkBulk submits 100 fresh candidates where every AWS call takes 3 ms
// longer. "calls" is the time of a submit in times of one DynamoDB call; the
// issue's limit is 6. The local database writes one item after the other, which
// takes it longer than 3 ms for a hundred, so that time is told by itself:
// "instant" has services that take no time of their own.
func BenchmarkBulk(b *testing.B) {
	for name, client := range map[string]func(aws.HTTPClient) aws.HTTPClient{
		"emulated": func(c aws.HTTPClient) aws.HTTPClient { return c },
		"instant":  func(c aws.HTTPClient) aws.HTTPClient { return instant{c} },
	} {
		b.Run(name, func(b *testing.B) { benchmarkBulk(b, client) })
	}
}

func benchmarkBulk(b *testing.B, client func(aws.HTTPClient) aws.HTTPClient) {
	f := open(b)
	var upload contract.ResumeUpload
	f.must(json.Unmarshal([]byte(f.post("/resumes", `{"contentBase64":"QWRhIEV4YW1wbGU="}`)), &upload))
	f.host.AWS.HTTPClient = client(f.host.AWS.HTTPClient)
	f.host.AWS = cloud.WithHook(f.host.AWS, slow)
	f.start()
	table, err := f.host.Table(topology.Accounts)
	f.must(err)
	var submits, calls []time.Duration
	for b.Loop() {
		body := f.hundred(upload.ResumeFileID)
		submits = append(submits, took(func() { f.post("/talent-network/candidates/submit-bulk", body) }))
		calls = append(calls, took(func() {
			var item dynamo.Item
			f.must(table.Get(topology.PK, "A#agy_1").Range(topology.SK, dynamo.Equal, "A").Consistent(true).One(b.Context(), &item))
		}))
	}
	b.ReportMetric(float64(median(submits))/float64(median(calls)), "calls")
	b.ReportMetric(float64(median(submits).Microseconds())/1000, "ms/submit")
	b.ReportMetric(float64(median(calls).Microseconds())/1000, "ms/call")
}

// instant answers the two calls that cost an emulator most as the services do
// when all goes well, without asking them.
type instant struct{ others aws.HTTPClient }

// Do is an aws.HTTPClient's.
func (i instant) Do(r *http.Request) (*http.Response, error) {
	answer := "{}"
	switch target := r.Header.Get("X-Amz-Target"); {
	case strings.HasSuffix(target, ".SendMessageBatch"):
		var in struct {
			Entries []struct{ ID, MessageBody string }
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			return nil, err
		}
		taken := make([]string, len(in.Entries))
		for n, e := range in.Entries {
			taken[n] = fmt.Sprintf(`{"Id":%q,"MessageId":"m","MD5OfMessageBody":"%x"}`, e.ID, md5.Sum([]byte(e.MessageBody)))
		}
		answer = `{"Successful":[` + strings.Join(taken, ",") + `],"Failed":[]}`
	case !strings.HasSuffix(target, ".TransactWriteItems"):
		return i.others.Do(r)
	}
	sum := crc32.ChecksumIEEE([]byte(answer))
	return &http.Response{
		StatusCode: 200, Header: http.Header{"X-Amz-Crc32": {fmt.Sprint(sum)}},
		Body: io.NopCloser(strings.NewReader(answer)), ContentLength: int64(len(answer)), Request: r,
	}, nil
}

// slow is a hook that makes every AWS call take 3 ms longer.
func slow(_ context.Context, _ cloud.Call, send func() error) error {
	time.Sleep(3 * time.Millisecond)
	return send()
}

func took(do func()) time.Duration {
	begin := time.Now()
	do()
	return time.Since(begin)
}

func median(all []time.Duration) time.Duration { return slices.Sorted(slices.Values(all))[len(all)/2] }
