package emulator_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
)

// A file that is being sent stays as it was read, whatever is written meanwhile.
func TestAFileIsSentWhileOthersAreWritten(t *testing.T) {
	t.Parallel()
	set, err := emulator.Start(t.Context(), t.TempDir(), emulator.S3)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Stop()
	client := s3Client(set.S3.Endpoint)
	const size = 16 << 20 // more than the buffers of a connection hold
	first := bytes.Repeat([]byte("a"), size)
	putObject(t, client, "files", first)
	bucket := aws.String("files")
	key := aws.String("a/b.bin")
	sent, err := client.GetObject(t.Context(), &s3.GetObjectInput{Bucket: bucket, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		other := bytes.NewReader(bytes.Repeat([]byte("b"), size))
		if _, err := client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: bucket, Key: key, Body: other}); err != nil {
			t.Fatal(err)
		}
	}
	content, err := io.ReadAll(sent.Body)
	if err != nil || !bytes.Equal(content, first) {
		t.Errorf("the file was read as %.20q, %v; want it as it was", content, err)
	}
}
