package gateway

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// segments splits a path; each begins after a slash.
func segments(path string) []string { return strings.Split(path, "/") }

// match finds the route of a method and an escaped path, and the decoded values
// of its parameters. There is no redirect and no cleaning: a path is a route's
// or it is unknown. Where a literal and a parameter both fit, the literal wins,
// even if it is another function's.
func (g *Gateway) match(method, escaped string) (*mounted, map[string]string) {
	sent := segments(escaped)
	var best *mounted
	for i := range g.routes {
		r := &g.routes[i]
		if r.Method == method && fits(r.segments, sent) && (best == nil || parameters(r.segments) < parameters(best.segments)) {
			best = r
		}
	}
	if best == nil || !best.served() {
		return nil, nil
	}
	decoded, ok := values(best.segments, sent)
	if !ok {
		return nil, nil
	}
	return best, decoded
}

func fits(pattern, sent []string) bool {
	if len(pattern) != len(sent) {
		return false
	}
	for i, p := range pattern {
		if _, isParameter := parameter(p); !isParameter && p != sent[i] || sent[i] == "" && i > 0 {
			return false
		}
	}
	return true
}

// values decodes the parameters; an undecodable one makes the path unknown.
func values(pattern, sent []string) (map[string]string, bool) {
	var all map[string]string
	for i, p := range pattern {
		name, isParameter := parameter(p)
		if !isParameter {
			continue
		}
		v, err := url.PathUnescape(sent[i])
		if err != nil || !utf8.ValidString(v) {
			return nil, false
		}
		if all == nil {
			all = map[string]string{}
		}
		all[name] = v
	}
	return all, true
}

// parameter gives the name in a {name} segment.
func parameter(segment string) (string, bool) {
	name, ok := strings.CutPrefix(segment, "{")
	return strings.TrimSuffix(name, "}"), ok
}

func parameters(pattern []string) (n int) {
	for _, p := range pattern {
		if _, ok := parameter(p); ok {
			n++
		}
	}
	return n
}
