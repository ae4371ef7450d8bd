package entity

import (
	"context"
	"errors"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Text is content that is too long for an item and lies in a bucket.
type Text struct {
	// Key names the object. It must hold the version, so that a row never leads to
	// another version's text.
	Key, Type string
	Content   []byte
}

// Shelf applies changes whose long text lies in a bucket: the text is there
// before the rows that lead to it, and goes after them.
//
// A process that dies between the two leaves an object that nothing leads to.
type Shelf struct {
	Entities *Store
	Bucket   cloud.Bucket
}

// Apply is Store.Apply with a text; nil stores none. The change's content must
// have no Body: the entity's item holds the text's name.
func (f Shelf) Apply(ctx context.Context, c Change, t *Text) (applied bool, err error) {
	var old, written string
	noting(&c, &old)
	if live := c.Live; live != nil && t != nil {
		c.Live = func(was State) (Next, error) {
			next, err := live(was)
			if err != nil {
				return next, err
			}
			next.Body, written = shelved{t.Key}, t.Key
			return next, f.Bucket.Put(ctx, t.Key, t.Type, t.Content)
		}
	}
	if applied, err = f.Entities.Apply(ctx, c); err != nil {
		return false, err
	}
	if !applied {
		old = "" // what stands was never replaced
	}
	return applied, f.clear(ctx, c.Key, old, written)
}

// Erase is Store.Erase with the text.
func (f Shelf) Erase(ctx context.Context, c Change) (applied bool, err error) {
	var old string
	noting(&c, &old)
	if applied, err = f.Entities.Erase(ctx, c); err != nil || !applied {
		return applied, err
	}
	return true, f.clear(ctx, c.Key, old)
}

// noting keeps the name of the text that a change takes the place of.
func noting(c *Change, old *string) {
	live, dead := c.Live, c.Dead
	if live != nil {
		c.Live = func(was State) (Next, error) { *old = was.text(); return live(was) }
	}
	c.Dead = func(was State) ([]Action, error) {
		if *old = was.text(); dead == nil {
			return nil, nil
		}
		return dead(was)
	}
}

// clear removes objects that the entity does not lead to: the text that a change
// replaced, and the one it wrote if it lost against another or an erasure. The
// entity is read again, because a write may have happened though its answer was lost.
func (f Shelf) clear(ctx context.Context, k Key, names ...string) error {
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if len(names) == 0 {
		return nil
	}
	now, err := f.Entities.Get(ctx, k)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name != now.text() {
			err = errors.Join(err, f.Bucket.Delete(ctx, name))
		}
	}
	return err
}

// shelved is the content of the item of an entity whose text lies in a bucket.
type shelved struct {
	Text string `json:"text"`
}

func (s State) text() string {
	var body shelved
	if s.Into(&body) != nil {
		return ""
	}
	return body.Text
}
