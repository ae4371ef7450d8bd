package phone_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nyaruka/phonenumbers"

	"github.com/recruiting-marketplace/external-api/local/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/phone"
)

// parseWithLibrary is the model of Parse.
func parseWithLibrary(text, region string) (string, bool) {
	if region == "" {
		region = "ZZ"
	}
	number, err := phonenumbers.Parse(text, region)
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return "", false
	}
	return phonenumbers.Format(number, phonenumbers.E164), true
}

// checkParse compares Parse with the library, and reports whether the text is a number.
func checkParse(t *testing.T, text, region string) bool {
	t.Helper()
	got, ok := phone.Parse(text, region)
	want, wanted := parseWithLibrary(text, region)
	if got != want || ok != wanted {
		t.Errorf("%q in %q: got %q, %v; want %q, %v", text, region, got, ok, want, wanted)
	}
	return ok
}

// kinds are the kinds of numbers of which the library has an example for a region.
var kinds = []phonenumbers.PhoneNumberType{
	phonenumbers.FIXED_LINE, phonenumbers.MOBILE, phonenumbers.TOLL_FREE, phonenumbers.PREMIUM_RATE, phonenumbers.SHARED_COST,
	phonenumbers.PERSONAL_NUMBER, phonenumbers.VOIP, phonenumbers.PAGER, phonenumbers.UAN, phonenumbers.VOICEMAIL,
}

// Every region's example numbers, in all forms and with changed digits, are what the library takes
// them for, at home, abroad and where the country is not known.
func TestParseAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	if resumetest.RanPlain(t, "shared/candidate/resume/phone") {
		return
	}
	random, valid := rand.New(rand.NewPCG(1, 2)), 0
	for region := range phonenumbers.GetSupportedRegions() {
		for _, kind := range kinds {
			number := phonenumbers.GetExampleNumberForType(region, kind)
			if number == nil {
				continue
			}
			for _, text := range formsOf(number, random) {
				for _, home := range []string{region, "", "US", "AR"} {
					if checkParse(t, text, home) {
						valid++
					}
				}
			}
		}
	}
	if valid < 20_000 {
		t.Errorf("%d texts are numbers", valid)
	}
}

// formsOf returns a number as it is written and dialled, and each form with one other digit.
func formsOf(number *phonenumbers.PhoneNumber, random *rand.Rand) []string {
	code, national := number.GetCountryCode(), phonenumbers.GetNationalSignificantNumber(number)
	forms := []string{
		phonenumbers.Format(number, phonenumbers.E164), phonenumbers.Format(number, phonenumbers.INTERNATIONAL),
		digitsOf(phonenumbers.Format(number, phonenumbers.NATIONAL)), national, "+" + national, "0" + national,
		fmt.Sprint(code, national), fmt.Sprint("00", code, national), fmt.Sprint("011", code, national), fmt.Sprint("+", code, "0", national),
	}
	for _, form := range forms {
		other := []byte(form)
		if at := random.IntN(len(other)); other[at] >= '0' && other[at] <= '9' {
			other[at] = '0' + byte(random.IntN(10))
		}
		forms = append(forms, string(other))
	}
	return forms
}

// digitsOf leaves out letters, which some countries write between digits and Parse does not know.
func digitsOf(text string) string { return phonenumbers.NormalizeDigitsOnly(text) }

// Digits of any length after any beginning are what the library takes them for.
func FuzzParseAgreesWithTheLibrary(f *testing.F) {
	for _, seed := range []string{"+442079460000", "02079460000", "+0171 946 0000", "+999123456789", "0039 06 1234567", "011 44 20 7946 0000"} {
		f.Add(seed, "GB")
		f.Add(seed, "")
	}
	f.Fuzz(func(t *testing.T, text, region string) {
		plus := ""
		if text != "" && text[0] == '+' {
			plus = "+"
		}
		digits := digitsOf(text)
		if len(digits) < 7 || len(digits) > 17 || !phonenumbers.GetSupportedRegions()[region] && region != "" {
			return // the reader takes it for no number
		}
		checkParse(t, plus+digits, region)
	})
}

func ExampleParse() {
	fmt.Println(phone.Parse("(020) 7946 0000", "GB"))
	fmt.Println(phone.Parse("+44 20 7946 0000", ""))
	fmt.Println(phone.Parse("020 7946 0000", ""))
	// Output:
	// +442079460000 true
	// +442079460000 true
	//  false
}
