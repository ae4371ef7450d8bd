// Package optional converts between values and the pointers by which package
// contract says that a field may be null or absent. It knows no other type.
package optional

// Value returns what p points to, or the zero value if p is nil.
func Value[T any](p *T) T { return Or(p, *new(T)) }

// Or returns what p points to, or fallback if p is nil.
func Or[T any](p *T, fallback T) T {
	if p != nil {
		return *p
	}
	return fallback
}

// NonZero returns a pointer to v, or nil if v is the zero value: how "not
// recorded" becomes null on the wire.
func NonZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
