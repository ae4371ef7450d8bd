package words

import (
	_ "embed"
	"strings"
)

//go:embed places.txt
var placeList string

//go:embed cities.txt
var cityList string // of cities.py

// PlaceKey folds the spellings of a place.
func PlaceKey(s string) string { return Fold(strings.Trim(s, " .()")) }
