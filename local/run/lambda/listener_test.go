package lambda_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
)

func TestLenient(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Path", fmt.Sprintf("%q", r.URL.Path))
	})}
	go func() { _ = server.Serve(lambda.LenientListener{Listener: listener}) }()
	t.Cleanup(func() { _ = server.Close() })
	for target, want := range map[string]string{
		"/a/b": `"/a/b"`, "/%zz": `"/%zz"`, "/%": `"/%"`, "/%4": `"/%4"`, "/%41%4": `"/A%4"`, "/a?q=%zz": `"/a"`,
	} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", target)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := response.Header.Get("Path"); response.StatusCode != http.StatusOK || got != want {
			t.Errorf("GET %s: %d with path %s, want 200 with %s", target, response.StatusCode, got, want)
		}
		_ = response.Body.Close()
		_ = conn.Close()
	}
}
