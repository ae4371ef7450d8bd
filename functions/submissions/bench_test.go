package submissions_test

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

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
	upload := f.upload("QWRhIEV4YW1wbGU=")
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
