//go:build ignore

// Command generate writes the numbering plans of phonenumbers into territories.txt.
package main

import (
	"cmp"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// none is the pattern of a kind that a territory does not have.
const none = "NA"

func main() {
	collection, err := phonenumbers.MetadataCollection()
	if err != nil {
		log.Fatal(err)
	}
	slices.SortFunc(collection.Metadata, func(a, b *phonenumbers.PhoneMetadata) int {
		return cmp.Or(cmp.Compare(a.GetCountryCode(), b.GetCountryCode()), cmp.Compare(rank(a), rank(b)))
	})
	var out strings.Builder
	for _, m := range collection.Metadata {
		general := m.GetGeneralDesc()
		fields := []string{
			fmt.Sprint(m.GetCountryCode()), m.GetId(), m.GetInternationalPrefix(), m.GetNationalPrefixForParsing(), m.GetNationalPrefixTransformRule(),
			m.GetLeadingDigits(), joinLengths(general.PossibleLengthLocalOnly), describe(general),
		}
		for _, kind := range []*phonenumbers.PhoneNumberDesc{
			m.FixedLine, m.Mobile, m.TollFree, m.PremiumRate, m.SharedCost, m.PersonalNumber, m.Voip, m.Pager, m.Uan, m.Voicemail,
		} {
			pattern := kind.GetNationalNumberPattern()
			if d := describe(kind); pattern != "" && pattern != none && !slices.Contains(fields[8:], d) {
				fields = append(fields, d)
			}
		}
		fmt.Fprintln(&out, strings.Join(fields, "\t"))
	}
	if err := os.WriteFile("territories.txt", []byte(out.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}

// rank is the place of a territory among those that share its calling code: a number belongs to
// the first that it fits.
func rank(m *phonenumbers.PhoneMetadata) int {
	return slices.Index(phonenumbers.GetRegionCodesForCountryCode(int(m.GetCountryCode())), m.GetId())
}

// describe returns the lengths and the pattern of a kind of numbers.
func describe(d *phonenumbers.PhoneNumberDesc) string {
	return joinLengths(d.GetPossibleLength()) + ":" + d.GetNationalNumberPattern()
}

func joinLengths(lengths []int32) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(lengths), "[]"), " ", ",")
}
