package decode

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// checker walks a tree against its schema and collects what is wrong.
type checker struct {
	*problems
	// lower lowers page sizes above the maximum.
	lower bool
	// bodyless tells that the body could not be read, so its fields are not missed.
	bodyless bool
	// top is the top-level field or parameter that is being walked.
	top contract.Field
}

// fields checks the top level, where body and parameters meet.
func (c *checker) fields(n *node, s *contract.Schema) {
	for i, f := range s.Fields {
		if c.top = f; f.In != contract.InBody || !c.bodyless {
			c.field(&n.list[i], f, f.Name)
		}
	}
}

// say adds a problem of the value at path.
func (c *checker) say(path, format string, args ...any) {
	c.add(c.top.Name, contract.ValidationFailed, path+": "+fmt.Sprintf(format, args...))
}

func (c *checker) field(n *node, f contract.Field, path string) {
	switch {
	case n.sort == reported:
	case n.sort == absent && !f.Required, n.sort == null && f.Nullable:
	case n.sort == absent:
		c.say(path, "is required.")
	default:
		c.value(n, f.Schema, path)
	}
}

// kinds are the sorts that a kind accepts.
var kinds = map[contract.Kind]sort{
	contract.KindString: text, contract.KindInteger: number, contract.KindNumber: number,
	contract.KindBoolean: boolean, contract.KindArray: array, contract.KindObject: object,
}

// named is how people call a kind.
var named = map[contract.Kind]string{
	contract.KindString: "a string", contract.KindInteger: "an integer", contract.KindNumber: "a number",
	contract.KindBoolean: "true or false", contract.KindArray: "an array", contract.KindObject: "an object",
}

func (c *checker) value(n *node, s *contract.Schema, path string) {
	if n.sort == unfitting {
		c.say(path, "%s is not %s.", echo(n.raw), named[s.Kind])
		return
	}
	if n.sort != kinds[s.Kind] {
		c.say(path, "must be %s, not %s.", named[s.Kind], n.sort)
		return
	}
	switch s.Kind {
	case contract.KindString:
		c.text(n, s, path)
	case contract.KindInteger:
		c.integer(n, s, path)
	case contract.KindNumber:
		c.number(n, s, path)
	case contract.KindBoolean:
		c.constant(n.raw, s, path)
	case contract.KindArray:
		c.array(n, s, path)
	case contract.KindObject:
		c.object(n, s, path)
	}
}

func (c *checker) object(n *node, s *contract.Schema, path string) {
	for i, f := range s.Fields {
		c.field(&n.list[i], f, path+"."+f.Name)
	}
}

func (c *checker) array(n *node, s *contract.Schema, path string) {
	if s.Min != nil && int64(n.count) < *s.Min {
		c.say(path, "must have at least %d %s.", *s.Min, plural(*s.Min, "entry", "entries"))
	}
	if int64(n.count) > *s.Max {
		c.say(path, "must have at most %d %s; there are %d.", *s.Max, plural(*s.Max, "entry", "entries"), n.count)
		return
	}
	for i := range n.list {
		c.value(&n.list[i], s.Items, path+"["+strconv.Itoa(i)+"]")
	}
}

func (c *checker) text(n *node, s *contract.Schema, path string) {
	v := n.string()
	switch {
	case s.Enum != nil:
		c.enum(v, s.Enum, path)
	case s.Min != nil && *s.Min > 0 && v == "":
		c.say(path, "must not be empty.")
	case s.Min != nil && int64(len(v)) < *s.Min*utf8.UTFMax && int64(utf8.RuneCountInString(v)) < *s.Min:
		c.say(path, "must have at least %d characters.", *s.Min)
	case s.Max != nil && int64(len(v)) > *s.Max && int64(utf8.RuneCountInString(v)) > *s.Max:
		c.say(path, "must have at most %d characters; there are %d.", *s.Max, utf8.RuneCountInString(v))
	case s.Format != "" && !formats[s.Format].valid(v):
		c.say(path, "%s is not %s.", echo(v), formats[s.Format].what)
	default:
		c.constant(v, s, path)
	}
}

// enum refuses what is not in the set; in a query that is a kind of problem of
// its own, because a display name in a filter is what people send first.
func (c *checker) enum(v string, e *contract.Enum, path string) {
	if e.Has(v) {
		return
	}
	code := contract.ValidationFailed
	if c.top.In == contract.InQuery {
		code = contract.UnknownFilterValue
	}
	message := fmt.Sprintf("%s: %s is not a %s.", path, echo(v), e.Name)
	if c.full() {
		c.add(c.top.Name, code, message) // looking for a near value costs too much for nothing
		return
	}
	if near := suggest(v, e.Values); near != "" {
		message = fmt.Sprintf("%s; did you mean %q?", strings.TrimSuffix(message, "."), near)
	}
	c.addListing(c.top.Name, code, message, e.Values)
}

func (c *checker) constant(v string, s *contract.Schema, path string) {
	if s.Const != "" && v != s.Const {
		c.say(path, "must be %s.", s.Const)
	}
}

func (c *checker) integer(n *node, s *contract.Schema, path string) {
	v, err := integer(n.raw)
	if err != nil {
		c.say(path, "%s is %v.", cut(n.raw), err)
		return
	}
	if s.Page != nil {
		c.page(n, v, s.Page, path)
		return
	}
	c.bounds(s.Min != nil && v < *s.Min, s.Max != nil && v > *s.Max, s, path)
}

func (c *checker) number(n *node, s *contract.Schema, path string) {
	v, err := strconv.ParseFloat(n.raw, 64)
	if err != nil {
		c.say(path, "%s is too large.", cut(n.raw))
		return
	}
	c.bounds(s.Min != nil && v < float64(*s.Min), s.Max != nil && v > float64(*s.Max), s, path)
}

func (c *checker) bounds(below, above bool, s *contract.Schema, path string) {
	if below {
		c.say(path, "must be at least %d.", *s.Min)
	}
	if above {
		c.say(path, "must be at most %d.", *s.Max)
	}
}

// page checks the size of a page.
func (c *checker) page(n *node, v int64, p *contract.PageLimit, path string) {
	switch {
	case v < 1:
		c.say(path, "must be at least 1.")
	case v > p.Max && c.lower:
		n.raw = strconv.FormatInt(p.Max, 10)
	case v > p.Max:
		c.add(c.top.Name, contract.LimitTooLarge, fmt.Sprintf("%s: must be at most %d.", path, p.Max))
	}
}
