package opensearch

import "github.com/recruiting-marketplace/external-api/shared/search/roleindex"

// relevanceParts returns the parts of a document's score by a plan, in points (package roleindex). OpenSearch
// adds them up in floating-point numbers of 24 bits, which are exact for scores.
func relevanceParts(words []roleindex.Word, p roleindex.Plan) (parts []object) {
	for i := range words {
		points := wordPoints(words, i, p, false, 0)
		if i == len(words)-1 {
			points = append(points, wordPoints(words, i, p, true, roleindex.WholePoints)...)
		}
		parts = append(parts, object{"dis_max": object{"queries": points}})
	}
	var pairs []object
	for _, pair := range p.Pairs(words) {
		pairs = append(pairs, matchIn([]fields{pairFields}, pair, pair.Typos))
	}
	if len(pairs) > 0 {
		parts = append(parts, constantScore(roleindex.AdjacentPoints, allOf(pairs, nil)))
	}
	return parts
}

// wordPoints returns what a word gives in each field, of which the most counts.
func wordPoints(words []roleindex.Word, i int, p roleindex.Plan, whole bool, more float64) []object {
	points := []object{
		constantScore(more+roleindex.TitlePoints, matchPlanned(words, i, p, whole, titleFields)),
		constantScore(more+roleindex.CompanyPoints, matchPlanned(words, i, p, whole, companyFields)),
		constantScore(more+roleindex.OtherPoints, matchPlanned(words, i, p, whole, textFields)),
	}
	if p.Stage == roleindex.InProse && more > 0 {
		points = append(points, constantScore(more, matchPlanned(words, i, p, whole, proseFields)))
	}
	return points
}

func constantScore(points float64, condition object) object {
	return object{"constant_score": object{"filter": condition, "boost": points}}
}
