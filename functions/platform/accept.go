package platform

import (
	"mime"
	"strconv"
	"strings"
)

// prefersJSON reports whether an Accept header (RFC 9110) prefers JSON to the page: by
// weight and, if weights are equal, by the more specific entry. The page is
// the default.
func prefersJSON(accept string) bool {
	page, pageExact := mediaWeight(accept, "text/html")
	data, dataExact := mediaWeight(accept, "application/json")
	return data > page || data == page && data > 0 && dataExact > pageExact
}

// mediaWeight returns the weight of a media type in the header, 0 to 1, and how
// specifically its entry names it: 0 for */*, 1 for the kind, 2 for the type itself.
// The most specific entry decides; unreadable entries are skipped.
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
			q = parseQuality(parameters["q"])
			exact = found
		}
	}
	return q, exact
}

func parseQuality(q string) float64 {
	if q == "" {
		return 1
	}
	v, err := strconv.ParseFloat(q, 64)
	isWeight := v >= 0 && v <= 1 // which NaN is not
	if err != nil || !isWeight {
		return 0
	}
	return v
}
