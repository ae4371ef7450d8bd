package decode

import (
	"errors"
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

// The reasons why a number is not an integer.
var (
	errFraction = errors.New("not a whole number")
	errRange    = errors.New("beyond the range of a 64-bit integer")
)

// parseInteger returns the exact value of a JSON number: 150000.0 and 1.5e5 are
// 150000. It works on the digits, so that an exponent of a billion costs no more than
// any other.
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
	case int64(len(trimmed))+shift > 19:
		return 0, errRange
	}
	if negative {
		trimmed = "-" + trimmed
	}
	n, err := strconv.ParseInt(trimmed+strings.Repeat("0", int(shift)), 10, 64)
	if err != nil {
		return 0, errRange
	}
	return n, nil
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
