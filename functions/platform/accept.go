package platform

import (
	"mime"
	"strconv"
	"strings"
)

// prefersJSON tells whether an Accept header (RFC 9110) wants JSON rather than the
// page: by weight, and of equal weights by what it names more exactly. What says
// nothing of either gets the page.
func prefersJSON(accept string) bool {
	page, pageExact := mediaWeight(accept, "text/html")
	data, dataExact := mediaWeight(accept, "application/json")
	return data > page || data == page && data > 0 && dataExact > pageExact
}

// mediaWeight is how much a header wants a media type, 0 to 1, and how exactly its entry
// names it: 0 for every type, 1 for the kind, 2 for the type itself. The most exact
// entry decides; what cannot be read is none.
func mediaWeight(accept, media string) (q float64, exact int) {
	kind, _, _ := strings.Cut(media, "/")
	exact = -1
	for entry := range strings.SplitSeq(accept, ",") {
		name, parameters, err := mime.ParseMediaType(entry)
		if err != nil {
			continue
		}
		at := map[string]int{"*/*": 0, kind + "/*": 1, media: 2}
		if found, ok := at[name]; ok && found > exact {
			q, exact = parseQuality(parameters["q"]), found
		}
	}
	return q, exact
}

func parseQuality(q string) float64 {
	if q == "" {
		return 1
	}
	v, err := strconv.ParseFloat(q, 64)
	if err != nil || v < 0 || v > 1 {
		return 0
	}
	return v
}
