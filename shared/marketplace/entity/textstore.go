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

// TextStore applies changes whose long text lies in a bucket: the text is there
// before the rows that lead to it, and goes after them.
//
// A process that dies between the two leaves an object that nothing leads to.
type TextStore struct {
	Entities *Store
	Bucket   cloud.Bucket
}

// Apply is Store.Apply with a text; nil stores none. The change's content must
// have no Body: the entity's item holds the text's name.
func (f TextStore) Apply(ctx context.Context, c Change, t *Text) (applied bool, err error) {
	var old, written string
	recordReplacedText(&c, &old)
	if live := c.Next; live != nil && t != nil {
		c.Next = func(was State) (NewState, error) {
			next, err := live(was)
			if err != nil {
				return next, err
			}
			next.Body, written = textBody{t.Key}, t.Key
			return next, f.Bucket.Put(ctx, t.Key, t.Type, t.Content)
		}
	}
	if applied, err = f.Entities.Apply(ctx, c); err != nil {
		return false, err
	}
	if !applied {
		old = "" // the stored text was never replaced
	}
	return applied, f.deleteUnreferenced(ctx, c.Key, old, written)
}

// Erase is Store.Erase with the text.
func (f TextStore) Erase(ctx context.Context, c Change) (applied bool, err error) {
	var old string
	recordReplacedText(&c, &old)
	if applied, err = f.Entities.Erase(ctx, c); err != nil || !applied {
		return applied, err
	}
	return true, f.deleteUnreferenced(ctx, c.Key, old)
}

// recordReplacedText keeps the name of the text that a change takes the place of.
func recordReplacedText(c *Change, old *string) {
	live, dead := c.Next, c.OnDelete
	if live != nil {
		c.Next = func(was State) (NewState, error) { *old = was.textKey(); return live(was) }
	}
	c.OnDelete = func(was State) ([]Action, error) {
		if *old = was.textKey(); dead == nil {
			return nil, nil
		}
		return dead(was)
	}
}

// deleteUnreferenced removes objects that the entity does not lead to: the text that a change
// replaced, and the one it wrote if it lost against another or an erasure. The
// entity is read again, because a write may have happened though its answer was lost.
func (f TextStore) deleteUnreferenced(ctx context.Context, k Key, names ...string) error {
	names = slices.DeleteFunc(names, func(n string) bool { return n == "" })
	if len(names) == 0 {
		return nil
	}
	now, err := f.Entities.Get(ctx, k)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name != now.textKey() {
			err = errors.Join(err, f.Bucket.Delete(ctx, name))
		}
	}
	return err
}

// textBody is the content of the item of an entity whose text lies in a bucket.
type textBody struct {
	Text string `json:"text"`
}

func (s State) textKey() string {
	var body textBody
	if s.Into(&body) != nil {
		return ""
	}
	return body.Text
}
