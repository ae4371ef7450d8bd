package words

import (
	"testing"
)

// Of words with two meanings the first line counts, whatever kind they are of.
func TestFirstMeaningCounts(t *testing.T) {
	t.Parallel()
	v := new(Index)
	v.addWords("heading skills: Tern\nheading summary: tern\nclue skills: wren\nclue summary: wren\nmonth 3: kite\nmonth 4: kite\n")
	v.addWords("country DE: Ashdown\ncountry FR: ashdown\nlanguage Wickling: wick\nlanguage Second: wick\n")
	v.addPlaces("GB: Leeds\nFR: leeds\ncountry GB: Ashdown\n")
	month, _ := v.MonthNames.Find(Scan("kite"), 0)
	tongue, _ := v.Tongues.Find(Scan("wick"), 0)
	clue, _ := v.HeadingClue("wren")
	for what, got := range map[string]bool{
		"heading": v.Headings["tern"] == "skills", "heading without spaces": v.CompactHeadings["tern"] == "skills", "clue": clue == "skills",
		"month": month == 3, "language": v.TongueNames[tongue] == "Wickling", "country": v.Countries["ashdown"] == "DE", "city": v.Cities["leeds"] == "GB",
	} {
		if !got {
			t.Errorf("%s: the first meaning does not count", what)
		}
	}
}
