package network_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Two submissions of one person, in either order of arrival: both succeed, the latest
// statement wins, and only its file is kept.
func TestIngestionOutOfOrder(t *testing.T) {
	t.Parallel()
	for name, order := range map[string][]int{"in order": {0, 1}, "the newer first": {1, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(newTestServiceOn(t, cloudtest.System), 0, nil)
			first := c.candidate()
			second := c.candidate()
			for n, f := range []*flight{&first, &second} { // of one profile, under two addresses
				f.slug = 1
				f.email = n + 1
				f.candidate = newCandidate(olga, 1)
				f.candidate.Email = newCandidate(olga, n+1).Email
				f.candidate.Preferences = newPreferences(int64(n+1) * 1000)
				c.Move(time.Second)
				f.candidate.SubmittedAt = c.Now()
				c.real.submit(*f)
			}
			c.Move(time.Second)
			flights := c.flights
			for _, n := range order {
				c.real.land(flights[n])
			}
			c.differ("file", []string{"resumes/" + flights[1].batch + ".0/" + flights[1].submission}, c.fileKeys("resumes/"))
			c.readSome()
			if rows := c.listCandidates("").Candidates; len(rows) != 1 || rows[0].Email != second.candidate.Email {
				t.Errorf("got %+v, want one of %s", rows, second.candidate.Email)
			}
		})
	}
}

// fileKeys lists the keys in the resumes' bucket that begin with prefix.
func (b *testService) fileKeys(prefix string) (keys []string) {
	b.t.Helper()
	client := s3.NewFromConfig(b.host.AWS, func(o *s3.Options) { o.UsePathStyle = true })
	out, err := client.ListObjectsV2(b.t.Context(), &s3.ListObjectsV2Input{
		Bucket: aws.String(b.host.Getenv(topology.Resumes.Env)), Prefix: &prefix,
	})
	b.must(err)
	for _, object := range out.Contents {
		keys = append(keys, *object.Key)
	}
	return keys
}
