package lambda

import (
	"encoding/base64"
	"fmt"
	"net/http"

	"github.com/aws/aws-lambda-go/events"
)

// writeResponse writes a function's response as HTTP API does; it ignores multiValueHeaders. If it returns an error,
// nothing has been written.
func writeResponse(w http.ResponseWriter, response events.APIGatewayV2HTTPResponse) error {
	if response.StatusCode < 200 || response.StatusCode > 599 {
		return fmt.Errorf("the function answered status %d", response.StatusCode)
	}
	body := []byte(response.Body)
	if response.IsBase64Encoded {
		var err error
		body, err = base64.StdEncoding.DecodeString(response.Body)
		if err != nil {
			return fmt.Errorf("the function's base64 body: %w", err)
		}
	}
	header := w.Header()
	for name, value := range response.Headers {
		if !hopByHop[http.CanonicalHeaderKey(name)] {
			header.Set(name, value)
		}
	}
	for _, cookie := range response.Cookies {
		header.Add("Set-Cookie", cookie)
	}
	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", "text/plain;charset=UTF-8")
	}
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(body) // the client may have disconnected, which the function cannot learn
	return nil
}

// hopByHop are the headers that only the gateway sets; those of a function are dropped.
var hopByHop = map[string]bool{"Connection": true, "Content-Length": true, "Transfer-Encoding": true}
