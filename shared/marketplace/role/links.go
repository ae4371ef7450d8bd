package role

import (
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// What a link looks like in prose. The texts of links stay.
var (
	markdownLink = text.Expression(`!?\[([^\[\]]*)\]\(\s*<?[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*>?(?:\s+["'(][^)]*)?\s*\)`)
	markdownRef  = text.Expression(`(?m)^[ \t]*\[([^\[\]]+)\]:[ \t]*\S+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t\r]*$`)
	markdownUse  = text.Expression(`!?\[([^\[\]]+)\]\[([^\[\]]*)\]`)
	shortUse     = text.Expression(`!?\[([^\[\]]+)\]`)
	htmlLink     = text.Expression(`(?i)</?\s*(?:a|img|iframe|video|audio|source|link|area|object|embed)\b[^<>]*>`)
	address      = text.Expression(`(?i)(?:[a-z][a-z0-9+.-]*:(?://|\\\\)|\bwww\d?\.|\b(?:mailto|tel|javascript|data):)[^\s<>"'` + "`" + `]*`)
	emptied      = text.Expression(`[(\[<]\s*[)\]>]`)
	spaces       = text.Expression(`[ \t]{2,}`)
)

// maxNestedLinks bounds how deep links may lie in links before a text is given up: no person wrote it.
const maxNestedLinks = 32

// removeLinks takes embedded links out of prose and keeps the words around them.
// It repeats until nothing is found, because what is left may close up to a link.
func removeLinks(s string) string {
	for range maxNestedLinks {
		next := removeLinksOnce(s)
		if next == s {
			return s
		}
		next = emptied().ReplaceAllString(next, "")
		s = strings.TrimSpace(spaces().ReplaceAllString(next, " "))
	}
	return ""
}

// removeLinksOnce takes out the links that are found in s as it is. An expression is only run on a
// text that has what every match of it contains, because most texts have no link.
func removeLinksOnce(s string) string {
	if strings.Contains(s, "](") {
		s = markdownLink().ReplaceAllString(s, "$1")
	}
	if strings.Contains(s, "]:") || strings.Contains(s, "][") {
		s = removeReferences(s)
	}
	if strings.Contains(s, "<") {
		s = htmlLink().ReplaceAllString(s, "")
	}
	if strings.Contains(s, ":") || containsWWW(s) {
		s = address().ReplaceAllStringFunc(s, trailingPunctuation)
	}
	if strings.Contains(s, ".") && strings.ContainsAny(s, "/?#:") {
		s = removeHostLinks(s)
	}
	return s
}

func containsWWW(s string) bool {
	run := 0
	for i := 0; i < len(s) && run < 3; i++ {
		if run++; s[i]|0x20 != 'w' {
			run = 0
		}
	}
	return run == 3
}

// trailingPunctuation returns the part of a removed link that stays: the sentence's punctuation.
func trailingPunctuation(link string) string {
	end := link[len(strings.TrimRight(link, ".,;:!?)]}")):]
	if strings.Count(link, "(") >= strings.Count(link, ")") {
		end = strings.TrimLeft(end, ")")
	}
	if strings.HasPrefix(end, ":") || end == link {
		return "" // what begins with a colon could be taken for a scheme again
	}
	return end
}

// removeReferences takes out Markdown's links by reference: of their uses the text stays, their definitions go. A use
// has a defined label, a number or no label, and does not follow a word, as an index of code does.
func removeReferences(s string) string {
	defined := map[string]bool{}
	for _, found := range markdownRef().FindAllStringSubmatch(s, -1) {
		defined[text.Fold(found[1])] = true
	}
	s = markdownRef().ReplaceAllString(s, "")
	s = replaceUses(s, markdownUse().FindAllStringSubmatchIndex(s, -1), func(label string) bool {
		return label == "" || strings.Trim(label, "0123456789") == "" || defined[text.Fold(label)]
	})
	if len(defined) == 0 {
		return s
	}
	return replaceUses(s, shortUse().FindAllStringSubmatchIndex(s, -1), func(label string) bool { return defined[text.Fold(label)] })
}

// replaceUses replaces each use with its text if its label, the last group of the match, is that of a link.
func replaceUses(s string, uses [][]int, isLink func(label string) bool) string {
	var out strings.Builder
	from := 0
	for _, at := range uses {
		label := s[at[len(at)-2]:at[len(at)-1]]
		if at[0] > 0 && isIndexed(s[at[0]-1]) || !isLink(label) {
			continue
		}
		out.WriteString(s[from:at[0]])
		out.WriteString(s[at[2]:at[3]])
		from = at[1]
	}
	return out.String() + s[from:]
}

// isIndexed reports whether brackets behind c are an index of code.
func isIndexed(c byte) bool {
	isDigit := '0' <= c && c <= '9'
	isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
	return isDigit || isLetter || strings.IndexByte("_])", c) >= 0
}

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

// restOfLink returns how many bytes at the beginning of s are a path, query or fragment, as a sentence's "?" is not.
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

// publicSuffix returns the suffix of a host in lower case that the list of public suffixes has, "" if none.
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
