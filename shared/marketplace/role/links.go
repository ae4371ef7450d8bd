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
// It repeats until nothing is found, because what is left may close up to a link. An expression is only run on a
// text that has what every match of it contains, because most texts have no link.
func removeLinks(s string) string {
	for range maxNestedLinks {
		before := s
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
		if s == before {
			return s
		}
		s = emptied().ReplaceAllString(s, "")
		s = strings.TrimSpace(spaces().ReplaceAllString(s, " "))
	}
	return ""
}

func containsWWW(s string) bool {
	run := 0
	for i := 0; i < len(s) && run < 3; i++ {
		run++
		if s[i]|0x20 != 'w' {
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
		isIndex := at[0] > 0 && strings.IndexByte(indexed, s[at[0]-1]) >= 0
		if isIndex || !isLink(s[at[len(at)-2]:at[len(at)-1]]) {
			continue
		}
		out.WriteString(s[from:at[0]])
		out.WriteString(s[at[2]:at[3]])
		from = at[1]
	}
	return out.String() + s[from:]
}

// indexed has the characters behind which brackets are an index of code.
const indexed = "_])0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

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

// removeHostLinksIn is removeHostLinks for a text with no blank but at its end. A link is a host of a
// public suffix with a path, query, fragment or port, or with slashes before it.
func removeHostLinksIn(s string) string {
	var out strings.Builder
	for at := hostForm().FindStringSubmatchIndex(s); at != nil; at = hostForm().FindStringSubmatchIndex(s) {
		end := at[hostGroup+1]
		rest := 0
		host := strings.ToLower(s[at[hostGroup]:end])
		isLink := !slices.Contains(notHosts, host) && publicSuffix(host) != ""
		if isLink {
			rest = restOfLink(s[at[1]:])
			isLink = rest > 0 || at[slashesGroup] >= 0 || at[portGroup] >= 0
		}
		if isLink {
			end = at[1] + rest
			out.WriteString(s[:at[0]] + trailingPunctuation(s[at[0]:end]))
		} else {
			out.WriteString(s[:end])
		}
		s = s[end:]
	}
	return out.String() + s
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
