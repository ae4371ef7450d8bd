package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
)

// screen writes to a terminal text that may come from others: answers of a server, names of candidates,
// journals. Of the characters that a terminal acts on instead of showing them, only line feeds pass.
type screen struct {
	to      io.Writer
	replace func(rune) string
}

// newMessages returns a screen on which control characters become spaces.
func newMessages(to io.Writer) screen { return screen{to, func(rune) string { return " " }} }

// newResults returns a screen on which control characters become the escapes of JSON, which mean the same
// to a program that reads them. Tables have none (printable).
func newResults(to io.Writer) screen {
	return screen{to, func(r rune) string { return fmt.Sprintf(`\u%04x`, r) }}
}

// Write writes text without control characters. Its callers end it after a whole character.
func (s screen) Write(text []byte) (int, error) {
	var clean strings.Builder
	for _, r := range string(text) { // bytes that are not UTF-8 become U+FFFD
		if isControl(r) && r != '\n' {
			clean.WriteString(s.replace(r))
		} else {
			clean.WriteRune(r)
		}
	}
	_, err := io.WriteString(s.to, clean.String())
	return len(text), err
}

// terminal returns the terminal that a screen writes to, nil without one.
func (s screen) terminal() *os.File {
	file, ok := s.to.(*os.File)
	if !ok {
		return nil
	}
	if info, err := file.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return file
}

// isControl reports whether a character moves the cursor, begins a command to the terminal, ends a line or
// changes the direction of the text around it.
func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// blankControls returns text with spaces in place of its control characters.
func blankControls(text string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, text)
}

// printable returns text for one line of a terminal, "-" for none.
func printable(text string) string {
	if text == "" {
		return "-"
	}
	return blankControls(text)
}
