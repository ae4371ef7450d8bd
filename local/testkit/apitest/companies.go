package apitest

import (
	"fmt"
	"math/rand/v2"
)

// Company is a drawn company.
type Company struct {
	Name string // in a shape that names of companies have
	Word string // the distinctive word of the name, which no other drawn company has
	Form string // another form of the name, as texts have it
}

// DrawCompanies returns n companies with invented names, the same ones for the same n.
func DrawCompanies(n int) []Company {
	r := rand.New(rand.NewPCG(32, uint64(n)))
	pick := func(parts ...string) string { return parts[r.IntN(len(parts))] }
	companies := make([]Company, n)
	for i := range companies {
		word := pick("Zq", "Xv", "Qz", "Vx") + pick("a", "o", "u") + pick("rn", "lk", "mb", "x") + string(rune('a'+i%26))
		word += pick("eph", "ung", "ilt", "ox") + string(rune('a'+i/26%26))
		name := pick("%s", "%s Inc.", "%s GmbH", "%s S.A.", "%s Labs", "%s.ai", "%s & Co", "%s Systems Group, LLC", "The %s Company", "Global %s",
			"%s Health AI Ltd.", "%s Technologies B.V.", "Studio %s", "%s & Sons", "%s-Data")
		form := pick("%s", "%sPay", "get%s", "%sLife", "My%s", "%ser", "%sdb", "#%s", "@%shq", "%s’s")
		companies[i] = Company{Name: fmt.Sprintf(name, word), Word: word, Form: fmt.Sprintf(form, word)}
	}
	return companies
}
