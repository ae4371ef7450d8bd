package decode

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// errFraction is the reason why a number is not an integer.
var errFraction = errors.New("not a whole number")

// parseInteger returns the exact value of a JSON number: 150000.0 and 1.5e5 are
// 150000. Outside 64 bits it returns the nearest integer (contract, JSON bodies). It
// works on the digits, so that an exponent of a billion costs no more than any other.
func parseInteger(raw string) (int64, error) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(raw), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	shift := parseExponent(exponent) - int64(len(fraction))
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

// parseExponent returns the value of an exponent. It clamps what no mantissa in a
// body could balance.
func parseExponent(exponent string) int64 {
	const most = 1 << 40
	n, err := strconv.ParseInt(exponent, 10, 64)
	if err != nil && exponent != "" {
		n = most
		if exponent[0] == '-' {
			n = -most
		}
	}
	return max(-most, min(most, n))
}
