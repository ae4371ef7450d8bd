package role

import (
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// hostForm matches a link without a scheme up to its path: a host and the optional parts around it.
// Its groups are the slashes before it, the host, and its port.
var hostForm = text.Expression(`(?i)(//)?(?:[\pL\pN._%+-]+@)?((?:[\pL\pN_-]+\.)+[\pL\pN-]+)\.?(:\d+)?`)

// The groups of hostForm, as offsets into its matches.
const (
	slashesGroup = 2
	hostGroup    = 4
	portGroup    = 6
)

// notHosts are names of technologies and degrees that look like hosts.
var notHosts = []string{
	"asp.net", "vb.net", "ado.net", "ml.net", "socket.io", "draw.io", "b.sc", "m.sc", "b.com", "m.com", "b.tech", "m.tech", "b.ed", "m.ed",
}

// blanks end a link.
const blanks = " \t\r\n\f"

// removeHostLinks takes out the links without a scheme. A host alone stays, because it may be a name.
// The expression is run on those parts of a text alone that have a dot and what makes a host a link.
func removeHostLinks(s string) string {
	var out strings.Builder
	for s != "" {
		end := strings.IndexAny(s, blanks) + 1
		if end == 0 {
			end = len(s)
		}
		part := s[:end]
		if strings.Contains(part, ".") && strings.ContainsAny(part, "/?#:") {
			part = removeHostLinksIn(part)
		}
		out.WriteString(part)
		s = s[end:]
	}
	return out.String()
}

// removeHostLinksIn is removeHostLinks for a text with no blank but at its end.
func removeHostLinksIn(s string) string {
	var out strings.Builder
	for at := hostForm().FindStringSubmatchIndex(s); at != nil; at = hostForm().FindStringSubmatchIndex(s) {
		end, isLink := endOfLink(s, at)
		if isLink {
			out.WriteString(s[:at[0]] + trailingPunctuation(s[at[0]:end]))
		} else {
			out.WriteString(s[:end])
		}
		s = s[end:]
	}
	return out.String() + s
}

// endOfLink returns where a match of hostForm ends with its path, query and fragment, and whether it
// is a link: a host of a public suffix with one of these, a port, or slashes before it.
func endOfLink(s string, at []int) (end int, isLink bool) {
	end = at[hostGroup+1]
	if !isPublicHost(s[at[hostGroup]:end]) {
		return end, false
	}
	rest := restOfLink(s[at[1]:])
	if rest == 0 && at[slashesGroup] < 0 && at[portGroup] < 0 {
		return end, false
	}
	return at[1] + rest, true
}

// restOfLink returns how many bytes at the beginning of s are a path, a query or a fragment. A
// question mark at the end of a sentence does not count.
func restOfLink(s string) int {
	if s == "" || !strings.Contains("/?#", s[:1]) {
		return 0
	}
	end := strings.IndexAny(s, blanks+"<>\"'`")
	if end < 0 {
		end = len(s)
	}
	if s[0] != '/' && strings.Trim(s[:end], ".,;:!?#)]}") == "" {
		return 0
	}
	return end
}

// isPublicHost reports whether a host is under a suffix that the list of public suffixes has.
func isPublicHost(host string) bool {
	host = strings.ToLower(host)
	return !slices.Contains(notHosts, host) && publicSuffix(host) != ""
}

// publicSuffix returns the suffix of a host in lower case that the list of public suffixes has; ""
// if it has none.
func publicSuffix(host string) string {
	ascii, err := idna.Punycode.ToASCII(host) // as the list has it
	if err != nil {
		return ""
	}
	suffix, managed := publicsuffix.PublicSuffix(ascii)
	if !managed && !strings.Contains(suffix, ".") {
		return "" // the rule for suffixes that are not listed
	}
	return suffix
}
