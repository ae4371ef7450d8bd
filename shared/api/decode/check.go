package decode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// checker walks a tree along its schema and collects what is wrong.
type checker struct {
	*problems
	// lowerPageSize lowers a page size above the maximum instead of refusing it.
	lowerPageSize bool
	// bodyUnread means that the body could not be read: its fields are not reported
	// as missing.
	bodyUnread bool
	// encoded holds the texts in base64.
	encoded []encodedText
	// topField is the top-level field or parameter that is being walked.
	topField contract.Field
}

// checkFields checks the top level, where body and parameters meet.
func (c *checker) checkFields(n *node, s *contract.Schema) {
	other := dropOtherForm(n, s)
	for i, f := range s.Fields {
		c.topField = f
		isSkipped := f.In == contract.InBody && (c.bodyUnread || slices.Contains(other, i))
		if !isSkipped {
			c.checkField(&n.children[i], f, f.Name)
		}
	}
	c.checkEncoded()
}

// dropOtherForm removes, from a body that has two forms, the fields of the form that was not
// sent, and returns their positions.
func dropOtherForm(n *node, s *contract.Schema) (dropped []int) {
	own, rest, ok := s.Forms()
	if !ok {
		return nil
	}
	for i, f := range s.Fields {
		if kind := n.children[i].kind; f.Instead && (kind == kindAbsent || kind == kindNull) {
			own = rest
		}
	}
	for _, f := range own {
		i := s.Field(f.Name)
		n.children[i] = node{}
		dropped = append(dropped, i)
	}
	return dropped
}

// addProblem adds a problem of the value at path. A string cursor has one code for
// everything that is wrong with it.
func (c *checker) addProblem(path, format string, args ...any) {
	code := contract.ValidationFailed
	if c.topField.Name == "cursor" && c.topField.Schema.Kind == contract.KindString {
		code = contract.InvalidCursor
	}
	c.add(c.topField.Name, code, path+": "+fmt.Sprintf(format, args...))
}

func (c *checker) checkField(n *node, f contract.Field, path string) {
	switch {
	case n.kind == kindReported:
	case n.kind == kindAbsent && !f.Required, n.kind == kindNull && f.Nullable:
	case n.kind == kindAbsent:
		c.addProblem(path, "is required.")
	default:
		c.checkValue(n, f.Schema, path)
	}
}

// acceptedKinds maps a kind to the one it must have on the wire.
var acceptedKinds = map[contract.Kind]jsonKind{
	contract.KindString: kindString, contract.KindInteger: kindNumber, contract.KindNumber: kindNumber,
	contract.KindBoolean: kindBoolean, contract.KindArray: kindArray, contract.KindObject: kindObject,
}

// kindNames holds the words for each kind in messages.
var kindNames = map[contract.Kind]string{
	contract.KindString: "a string", contract.KindInteger: "an integer", contract.KindNumber: "a number",
	contract.KindBoolean: "true or false", contract.KindArray: "an array", contract.KindObject: "an object",
}

func (c *checker) checkValue(n *node, s *contract.Schema, path string) {
	if n.kind == kindMismatch {
		c.addProblem(path, "%s is not %s.", quoteShort(n.raw), kindNames[s.Kind])
		return
	}
	if n.kind != acceptedKinds[s.Kind] {
		c.addProblem(path, "must be %s, not %s.", kindNames[s.Kind], n.kind)
		return
	}
	switch s.Kind {
	case contract.KindString:
		c.checkString(n, s, path)
	case contract.KindInteger:
		c.checkInteger(n, s, path)
	case contract.KindNumber:
		c.checkNumber(n, s, path)
	case contract.KindBoolean:
		c.checkConst(n.raw, s, path)
	case contract.KindArray:
		c.checkArray(n, s, path)
	case contract.KindObject:
		c.checkObject(n, s, path)
	}
}

func (c *checker) checkObject(n *node, s *contract.Schema, path string) {
	for i, f := range s.Fields {
		c.checkField(&n.children[i], f, path+"."+f.Name)
	}
}

func (c *checker) checkArray(n *node, s *contract.Schema, path string) {
	if s.Min != nil && int64(n.count) < *s.Min {
		c.addProblem(path, "must have at least %s.", countEntries(*s.Min))
	}
	if int64(n.count) > *s.Max {
		c.addProblem(path, "must have at most %s, not %d.", countEntries(*s.Max), n.count)
		return
	}
	for i := range n.children {
		c.checkValue(&n.children[i], s.Items, path+"["+strconv.Itoa(i)+"]")
	}
}

func (c *checker) checkString(n *node, s *contract.Schema, path string) {
	if s.Encoding != "" && n.raw != "" {
		c.encoded = append(c.encoded, encodedText{c.topField.Name, path, n.stringValue()})
		return
	}
	v := n.stringValue()
	switch {
	case s.Enum != nil:
		c.checkEnum(v, s.Enum, path)
	case s.Min != nil && *s.Min > 0 && v == "", s.Nonblank && strings.TrimSpace(v) == "":
		c.addProblem(path, "must not be empty.")
	case s.Min != nil && int64(len(v)) < *s.Min*utf8.UTFMax && int64(utf8.RuneCountInString(v)) < *s.Min:
		c.addProblem(path, "must have at least %d characters.", *s.Min)
	case s.Max != nil && int64(len(v)) > *s.Max && int64(utf8.RuneCountInString(v)) > *s.Max:
		c.addProblem(path, "must have at most %d characters, not %d.", *s.Max, utf8.RuneCountInString(v))
	case s.Format != "" && !formats[s.Format].valid(v):
		c.addProblem(path, "%s is not %s.", quoteShort(v), formats[s.Format].description)
	default:
		c.checkConst(v, s, path)
	}
}

// checkEnum refuses what is not in the set. In a query that has a code of its own,
// because a display name in a filter is the most common mistake.
func (c *checker) checkEnum(v string, e *contract.Enum, path string) {
	if e.Has(v) {
		return
	}
	code := contract.ValidationFailed
	if c.topField.In == contract.InQuery {
		code = contract.UnknownFilterValue
	}
	message := fmt.Sprintf("%s: %s is not a %s.", path, quoteShort(v), e.Name)
	if c.isFull() {
		c.add(c.topField.Name, code, message) // it is only counted: do not look for a near value
		return
	}
	if near := suggestValue(v, e.Values); near != "" {
		message = fmt.Sprintf("%s; did you mean %q?", strings.TrimSuffix(message, "."), near)
	}
	c.addListing(c.topField.Name, code, message, e.Values)
}

func (c *checker) checkConst(v string, s *contract.Schema, path string) {
	if s.Const != "" && v != s.Const {
		c.addProblem(path, "must be %s.", s.Const)
	}
}

func (c *checker) checkInteger(n *node, s *contract.Schema, path string) {
	v, err := parseInteger(n.raw)
	if err != nil {
		c.addProblem(path, "%s is %v.", truncateTo(n.raw, maxEcho), err)
		return
	}
	if s.Page != nil {
		c.checkPageSize(n, v, s.Page, path)
		return
	}
	c.checkBounds(s.Min != nil && v < *s.Min, s.Max != nil && v > *s.Max, s, path)
}

func (c *checker) checkNumber(n *node, s *contract.Schema, path string) {
	v := parseFloat(n.raw)
	if r := s.Range; r != nil && (v < r[0] || v > r[1]) {
		c.addProblem(path, "must be between %v and %v.", r[0], r[1])
	}
	c.checkBounds(s.Min != nil && v < float64(*s.Min), s.Max != nil && v > float64(*s.Max), s, path)
}

func (c *checker) checkBounds(below, above bool, s *contract.Schema, path string) {
	if below {
		c.addProblem(path, "must be at least %d.", *s.Min)
	}
	if above {
		c.addProblem(path, "must be at most %d.", *s.Max)
	}
}

func (c *checker) checkPageSize(n *node, v int64, p *contract.PageLimit, path string) {
	switch {
	case v < 1:
		c.addProblem(path, "must be at least 1.")
	case v > p.Max && c.lowerPageSize:
		n.raw = strconv.FormatInt(p.Max, 10)
	case v > p.Max:
		c.add(c.topField.Name, contract.LimitTooLarge, fmt.Sprintf("%s: must be at most %d.", path, p.Max))
	}
}
