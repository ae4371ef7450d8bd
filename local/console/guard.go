package console

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// tokenHeader carries the token of this process with each change. A page of another origin can
// neither read the token nor send a header of its own without a preflight, which nothing answers.
const tokenHeader = "X-Console-Token"

// maxSent bounds the body of a request to the console: a resume in base64.
const maxSent = 13 << 20

// pagePolicy lets a page load and run nothing but the console's own files, and connect to nothing
// else. Trusted types make the browser refuse text as markup.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// checkLoopback returns an error for an address that other machines can reach.
func checkLoopback(address net.Addr) error {
	tcp, ok := address.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return fmt.Errorf("the console serves loopback only, not %s", address)
	}
	return nil
}

func ownsPath(path string) bool {
	return path == "/" || path == "/docs" || path == "/console" || strings.HasPrefix(path, "/console/")
}

// setPageHeaders sets the headers of every response of the console. A page has another policy.
func setPageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// redirectLocalhost redirects pages from localhost to the address, so that there is one origin.
func (c *Console) redirectLocalhost(w http.ResponseWriter, r *http.Request) bool {
	_, port, _ := net.SplitHostPort(c.address)
	if r.Host != net.JoinHostPort("localhost", port) || r.Method != http.MethodGet {
		return false
	}
	http.Redirect(w, r, "http://"+c.address+r.URL.EscapedPath(), http.StatusFound)
	return true
}

// admit reports whether a request comes from this console's own pages, or is one for a page. It
// answers all others.
func (c *Console) admit(w http.ResponseWriter, r *http.Request) bool {
	refusal := ""
	status := http.StatusForbidden
	switch {
	case r.Host != c.address: // a name that an attacker's page has made to lead here
		refusal = "The console is at http://" + c.address + "/ only."
		status = http.StatusMisdirectedRequest
	case isForeign(r) || http.NewCrossOriginProtection().Check(r) != nil: // of which the second lets each GET pass
		refusal = "The console accepts requests from its own pages only."
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
	case subtle.ConstantTimeCompare([]byte(r.Header.Get(tokenHeader)), []byte(c.token)) != 1:
		refusal = "The console was restarted; reload the page."
	}
	if refusal != "" {
		http.Error(w, refusal, status)
		return false
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxSent)
	return true
}

// isForeign reports whether a browser says that a page of another site sends the request. Only pages,
// which hold nothing that the sender could read, may be opened from elsewhere.
func isForeign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	isPage := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/console/data/")
	isOwn := slices.Contains([]string{"", "same-origin", "none"}, site)
	return !isOwn && !isPage
}
