package decode

import (
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// maxCloned is the length up to which a string is copied out of the body, so that a
// name kept in a cache does not keep a whole resume in memory.
const maxCloned = 4 << 10

// setString sets a string or a timestamp.
func setString(dst reflect.Value, v string, s *contract.Schema) {
	if at, ok := dst.Addr().Interface().(*contract.Time); ok {
		t, _ := time.Parse(time.RFC3339, v) // checkString reports what is none
		*at = contract.At(t)
		return
	}
	if s.Format == "uuid" {
		v = strings.ToLower(v) // the canonical spelling of the same id
	}
	if len(v) <= maxCloned {
		v = strings.Clone(v)
	}
	dst.SetString(v)
}

// errFraction is the reason why a number is not an integer.
var errFraction = errors.New("not a whole number")

// maxPower is more than any mantissa in a body could balance.
const maxPower = 1 << 40

// parseInteger returns the exact value of a JSON number: 150000.0 and 1.5e5 are
// 150000. Outside 64 bits it returns the nearest integer (contract, JSON bodies). It
// works on the digits, so that an exponent of a billion costs no more than any other.
func parseInteger(raw string) (int64, error) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(raw), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	power, _ := strconv.ParseInt(exponent, 10, 64) // the nearest one, or 0 without an exponent
	shift := max(-maxPower, min(power, maxPower)) - int64(len(fraction))
	trimmed := strings.TrimRight(digits, "0")
	shift += int64(len(digits) - len(trimmed))
	switch {
	case trimmed == "":
		return 0, nil
	case shift < 0:
		return 0, errFraction
	}
	if negative {
		trimmed = "-" + trimmed
	}
	// ParseInt returns the nearest integer for 20 digits too, and more are not needed.
	n, _ := strconv.ParseInt(trimmed+strings.Repeat("0", int(min(shift, 20))), 10, 64)
	return n, nil
}

// parseFloat returns the value of a JSON number, the nearest one that is finite.
func parseFloat(raw string) float64 {
	v, _ := strconv.ParseFloat(raw, 64)
	return max(-math.MaxFloat64, min(v, math.MaxFloat64))
}
