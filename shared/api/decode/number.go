package decode

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// parseNumber reads a JSON number without interpreting it, so its size costs nothing.
func (p *parser) parseNumber() (node, error) {
	start := p.at
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else if !p.skipDigits() {
		return node{}, p.unexpectedError("a digit")
	}
	if p.peek() == '.' {
		if p.at++; !p.skipDigits() {
			return node{}, p.unexpectedError("a digit")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if !p.skipDigits() {
			return node{}, p.unexpectedError("a digit")
		}
	}
	return node{kind: kindNumber, raw: p.body[start:p.at]}, nil
}

// skipDigits skips digits and reports whether there was one.
func (p *parser) skipDigits() bool {
	start := p.at
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.at++
	}
	return p.at > start
}

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
