package emulator

import (
	"bytes"
	"io"
	"testing"
)

// A file that is being sent stays as it was read, whatever is written meanwhile.
func TestAFileIsSentWhileOthersAreWritten(t *testing.T) {
	t.Parallel()
	backend, closeBackend, err := s3Backend(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer closeBackend()
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	put := func(content []byte) {
		t.Helper()
		if _, err := backend.PutObject("files", "resume", nil, bytes.NewReader(content), int64(len(content)), nil); err != nil {
			t.Fatal(err)
		}
	}
	const size = 2000
	first := bytes.Repeat([]byte("a"), size)
	put(first)
	sent, err := backend.GetObject("files", "resume", nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		put(bytes.Repeat([]byte("b"), size))
	}
	content, err := io.ReadAll(sent.Contents)
	if err != nil || !bytes.Equal(content, first) {
		t.Errorf("the file was read as %.20q, %v; want it as it was", content, err)
	}
}
