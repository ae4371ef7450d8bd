package jobs

import (
	"testing"
)

func TestIsPlaces(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		use   slotUse
		apart bool
		want  bool
	}{
		"known places, and towns":                       {use: slotUse{known: 1, towns: 3}, want: true},
		"something else more often":                     {use: slotUse{known: 1, towns: 3, other: 2}},
		"apart, each with title and employer before":    {use: slotUse{towns: 2, employers: 2}, apart: true, want: true},
		"apart, most with title and employer before":    {use: slotUse{towns: 3, employers: 2}, apart: true, want: true},
		"behind an employer, in half of the lines":      {use: slotUse{towns: 4, employers: 2}, want: true},
		"behind what may be employers in one of three":  {use: slotUse{towns: 3, employers: 1}},
		"behind an employer, in the only line there is": {use: slotUse{towns: 1, employers: 1}},
	} {
		if got := test.use.isPlaces(placeSlot{apart: test.apart}); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}
