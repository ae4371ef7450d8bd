package bulk_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/recruiting-marketplace/external-api/local/operate/bulk"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A source, whether a file or an object in S3, can be read from any offset, and has
// another version when its content is different.
func TestSources(t *testing.T) {
	t.Parallel()
	host := cloudtest.System(t, nil, time.Now)
	client := s3.NewFromConfig(host.AWS, func(o *s3.Options) { o.UsePathStyle = true })
	bucket, key, file := host.Getenv(topology.MarketplaceBucket.Env), "feed/a b.ndjson", filepath.Join(t.TempDir(), "a b.ndjson")
	inFile := func(text string) error { return os.WriteFile(file, []byte(text), 0o600) }
	inS3 := func(text string) error {
		_, err := client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: &bucket, Key: &key, Body: strings.NewReader(text)})
		return err
	}
	for name, put := range map[string]func(string) error{file: inFile, "s3://" + bucket + "/" + key: inS3} {
		if _, err := bulk.FindSource(t.Context(), client, name+"x"); err == nil {
			t.Errorf("%s: one that is not there is found", name)
		}
		const text = "one\ntwo\nthree\n"
		first := findTestSource(t, client, name, put, text)
		if first.Name != name || first.Size != int64(len(text)) {
			t.Errorf("got %s of %d bytes; want %s of %d", first.Name, first.Size, name, len(text))
		}
		for _, from := range []int{0, 4, len(text) - 1, len(text)} {
			if got := readFrom(t, first, from); got != text[from:] {
				t.Errorf("%s from %d: got %q; want %q", name, from, got, text[from:])
			}
		}
		if second := findTestSource(t, client, name, put, "four\n"); second.Version == first.Version {
			t.Errorf("%s: another content has the same version %s", name, first.Version)
		}
	}
}

func findTestSource(t *testing.T, client *s3.Client, name string, put func(string) error, text string) bulk.Source {
	t.Helper()
	if err := put(text); err != nil {
		t.Fatal(err)
	}
	source, err := bulk.FindSource(t.Context(), client, name)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func readFrom(t *testing.T, s bulk.Source, from int) string {
	t.Helper()
	body, err := s.Open(t.Context(), int64(from))
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	all, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}
