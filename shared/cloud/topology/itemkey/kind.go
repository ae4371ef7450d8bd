// Package itemkey is the table of all item keys: of every kind of item in the five tables, the form of its
// partition key and sort key, beside the packages that write it. They build and read their keys with it and
// have no key literals of their own, so a test can hold that no kind is ever taken for another.
//
// It knows no item's attributes and, like topology, imports nothing of this project.
package itemkey

import "strings"

// Kind is a kind of item.
//
// A form is literal text with values in angle brackets: "U#<recruiter>". No value holds a "#" (ids may not:
// contract's format id) unless its name ends in "…"; a value is a number if its name ends in ":number".
type Kind struct {
	// Partition and Sort are the forms of the two keys.
	Partition, Sort string
}

// Key returns both keys. The values are those of the partition key, then those of
// the sort key; it panics unless there is one for each place in the forms.
func (k Kind) Key(values ...string) (pk, sk string) {
	n := strings.Count(k.Partition, "<")
	return k.PK(values[:n]...), k.SK(values[n:]...)
}

// PK returns the partition key. It panics as Key does.
func (k Kind) PK(values ...string) string { return fillAll(k.Partition, values) }

// SK returns the sort key. It panics as Key does.
func (k Kind) SK(values ...string) string { return fillAll(k.Sort, values) }

// PartialKey returns the partition key and what all sort keys with the values after
// those of the partition key begin with.
func (k Kind) PartialKey(values ...string) (pk, prefix string) {
	n := strings.Count(k.Partition, "<")
	return k.PK(values[:n]...), k.Prefix(values[n:]...)
}

// Prefix returns what all sort keys with these first values begin with.
func (k Kind) Prefix(values ...string) string { return fillForm(k.Sort, values) }

// Parse returns the values of both keys in the order of Key, and reports whether the keys are of this kind.
func (k Kind) Parse(pk, sk string) (values []string, ok bool) {
	partition, inPartition := matchForm(k.Partition, pk)
	sort, inSort := matchForm(k.Sort, sk)
	return append(partition, sort...), inPartition && inSort
}

// ParseSK is Parse of a sort key alone, where the partition is known.
func (k Kind) ParseSK(sk string) (values []string, ok bool) { return matchForm(k.Sort, sk) }

// Has reports whether the keys are of this kind.
func (k Kind) Has(pk, sk string) bool {
	_, ok := k.Parse(pk, sk)
	return ok
}

// String returns both forms.
func (k Kind) String() string { return k.Partition + " " + k.Sort }

func fillAll(form string, values []string) string {
	if strings.Count(form, "<") != len(values) {
		panic("itemkey: the number of values does not fit " + form)
	}
	return fillForm(form, values)
}

// fillForm puts values in a form's first places and cuts it off before the next place.
func fillForm(form string, values []string) string {
	var key strings.Builder
	for _, value := range values {
		literal, rest, _ := strings.Cut(form, "<")
		_, form, _ = strings.Cut(rest, ">")
		key.WriteString(literal)
		key.WriteString(value)
	}
	literal, _, _ := strings.Cut(form, "<")
	key.WriteString(literal)
	return key.String()
}

// matchForm returns the values that fillForm has put in a form.
func matchForm(form, key string) (values []string, ok bool) {
	for {
		literal, rest, more := strings.Cut(form, "<")
		key, ok = strings.CutPrefix(key, literal)
		if !ok || !more {
			return values, ok && key == ""
		}
		name, after, _ := strings.Cut(rest, ">")
		next := "#" // which ends the value
		switch {
		case after != "":
			next = after[:1]
		case strings.HasSuffix(name, "…"):
			next = "\n" // in no key
		}
		value, _, _ := strings.Cut(key, next)
		if strings.HasSuffix(name, ":number") && strings.Trim(value, "0123456789") != "" {
			return nil, false
		}
		values = append(values, value)
		key = key[len(value):]
		form = after
	}
}
