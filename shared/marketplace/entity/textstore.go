package entity

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
)

// Text is content that is too long for an item and is stored in a bucket.
type Text struct {
	// Key names the object. It must contain the version, so that a row never refers to another
	// version's text.
	Key, Type string
	Content   []byte
}

// TextStore applies changes with long text that is stored in a bucket. A text is stored before the rows
// that refer to it, and a replaced text is deleted after them; in between, a disposal refers to it.
// The text of an entity that is deleted or erased is deleted before the entity, to which alone it
// belongs.
type TextStore struct {
	Entities *Store
	Bucket   objectstore.Bucket
}

// Apply is Store.Apply with a text; nil stores none. The change's content must
// have no Body: the entity's item holds the text's name.
func (f TextStore) Apply(ctx context.Context, c Change, t *Text) (applied bool, err error) {
	defer fault.Wrap(&err, "entity.Apply")

	c.OnDelete = f.deleteText(ctx, c.OnDelete)
	objects := f.Entities.Objects(f.Bucket)
	var unused []string
	if live := c.Next; live != nil {
		c.Next = func(was State) (NewState, error) {
			next, err := live(was)
			unused = nil
			if t != nil && err == nil {
				next.Body = textBody{t.Key}
				unused = []string{t.Key}
				next.Actions = append(next.Actions, objects.Keep(t.Key))
				err = objects.Put(ctx, t.Key, t.Type, t.Content, f.Entities.CheckUnchanged(c.Key, was))
			}
			if replaced := was.textKey(); replaced != "" {
				next.Actions = append(next.Actions, objects.Dispose(replaced))
				unused = append(unused, replaced)
			}
			return next, err
		}
	}
	applied, err = f.Entities.Apply(ctx, c)
	if err != nil || len(unused) == 0 {
		return applied, err
	}
	now, err := f.Entities.Get(ctx, c.Key)
	for _, key := range unused { // what it replaced, or its own if it lost against another change or an erasure
		if err == nil && key != now.textKey() {
			err = f.Bucket.Delete(ctx, key)
		}
	}
	return applied, err
}

// Erase is Store.Erase with the text.
func (f TextStore) Erase(ctx context.Context, c Change) (applied bool, err error) {
	defer fault.Wrap(&err, "entity.Erase")

	c.OnDelete = f.deleteText(ctx, c.OnDelete)
	return f.Entities.Erase(ctx, c)
}

// deleteText returns onDelete, after the entity's text is deleted.
func (f TextStore) deleteText(ctx context.Context, onDelete func(State) ([]Action, error)) func(State) ([]Action, error) {
	return func(was State) ([]Action, error) {
		if key := was.textKey(); key != "" {
			if err := f.Bucket.Delete(ctx, key); err != nil {
				return nil, err
			}
		}
		if onDelete == nil {
			return nil, nil
		}
		return onDelete(was)
	}
}

// textBody is the item content of an entity with its text in a bucket.
type textBody struct {
	Text string `json:"text,omitempty"`
}

// textKey returns the name of an entity's text; a tombstone has none.
func (s State) textKey() string {
	body, _ := Decode[textBody](s)
	return body.Text
}
