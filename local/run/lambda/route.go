package lambda

import "strings"

// Route sends the requests of one method and path to a function. Path may contain variables, "/batches/{batchId}", each
// of which matches one non-empty segment. The method ANY matches every method. The path "$default" matches what no other
// route does; its method is ignored.
type Route struct {
	Method, Path, Function string
}

const defaultRoute = "$default"

// routeKey returns the route key as API Gateway writes it: "GET /batches/{batchId}".
func (r Route) routeKey() string {
	if r.Path == defaultRoute {
		return defaultRoute
	}
	return r.Method + " " + r.Path
}

// RouteError reports what is wrong with a route of a configuration.
type RouteError struct {
	Key    string // the route key, such as "GET /batches/{batchId}"
	Reason string
}

func (e *RouteError) Error() string { return "route " + e.Key + " " + e.Reason }

// routeTable finds the route of a request.
type routeTable struct {
	table    []Route
	fallback *Route
}

func newRoutes(table []Route) (*routeTable, error) {
	rs := &routeTable{}
	seen := map[string]bool{}
	for _, r := range table {
		if seen[r.routeKey()] {
			return nil, &RouteError{Key: r.routeKey(), Reason: "is given twice"}
		}
		seen[r.routeKey()] = true
		switch {
		case r.Path == defaultRoute:
			rs.fallback = &r
		case !strings.HasPrefix(r.Path, "/"):
			return nil, &RouteError{Key: r.routeKey(), Reason: "must have a path that begins with a slash"}
		default:
			rs.table = append(rs.table, r)
		}
	}
	return rs, nil
}

// findRoute returns the most specific route and the path's variables. At the first segment where two routes differ, a
// literal is preferred to a variable; of equal paths, the method itself is preferred to ANY.
func (rs *routeTable) findRoute(method, path string) (best *Route, variables map[string]string) {
	got := strings.Split(path, "/")
	var bestRank string
	for i, r := range rs.table {
		if r.Method != method && r.Method != "ANY" {
			continue
		}
		rank, vars, ok := matchPath(strings.Split(r.Path, "/"), got)
		if r.Method == "ANY" {
			rank += "~" // after every other rank of the same path
		}
		if ok && (best == nil || rank < bestRank) {
			best = &rs.table[i]
			bestRank = rank
			variables = vars
		}
	}
	if best == nil {
		return rs.fallback, nil
	}
	return best, variables
}

// matchPath reports whether the segments of a pattern match those of a path. The rank orders patterns that match the
// same path: it has an "l" for each literal and a "v" for each variable.
func matchPath(pattern, got []string) (rank string, variables map[string]string, ok bool) {
	if len(pattern) != len(got) {
		return "", nil, false
	}
	for i, segment := range pattern {
		name, isVariable := variableName(segment)
		switch {
		case !isVariable && segment == got[i]:
			rank += "l"
		case isVariable && got[i] != "":
			rank += "v"
			if variables == nil {
				variables = map[string]string{}
			}
			variables[name] = got[i]
		default:
			return "", nil, false
		}
	}
	return rank, variables, true
}

func variableName(segment string) (name string, ok bool) {
	if !strings.HasPrefix(segment, "{") || !strings.HasSuffix(segment, "}") {
		return "", false
	}
	return segment[1 : len(segment)-1], true
}
