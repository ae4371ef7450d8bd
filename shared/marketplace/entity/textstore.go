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

// TextStore applies changes whose long text lies in a bucket. A text is there before the
// rows that lead to it. One that is replaced goes after them, and the entity names it, so
// that a repeated change removes what an attempt that died has left. One that is deleted or
// erased goes before the entity, which alone leads to it.
type TextStore struct {
	Entities *Store
	Bucket   cloud.Bucket
}

// Apply is Store.Apply with a text; nil stores none. The change's content must
// have no Body: the entity's item holds the text's name.
func (f TextStore) Apply(ctx context.Context, c Change, t *Text) (applied bool, err error) {
	c.OnDelete = f.deleteTexts(ctx, c.OnDelete)
	var body textBody
	var written []string
	if live := c.Next; live != nil {
		c.Next = func(was State) (NewState, error) {
			next, err := live(was)
			if err = errors.Join(err, f.deleteAll(ctx, was.texts().Replaced)); err != nil {
				return next, err
			}
			body = textBody{Replaced: was.texts().Text}
			if t != nil {
				body.Text, written = t.Key, []string{t.Key}
				err = f.Bucket.Put(ctx, t.Key, t.Type, t.Content)
			}
			if body != (textBody{}) {
				next.Body = body
			}
			return next, err
		}
	}
	if applied, err = f.Entities.Apply(ctx, c); err != nil {
		return false, err
	}
	if !applied && t != nil {
		written = []string{t.Key} // by an earlier attempt
	}
	if c.Next == nil || applied && body == (textBody{}) {
		return applied, nil
	}
	return applied, f.deleteUnreferenced(ctx, c.Key, written)
}

// Erase is Store.Erase with the text.
func (f TextStore) Erase(ctx context.Context, c Change) (applied bool, err error) {
	c.OnDelete = f.deleteTexts(ctx, c.OnDelete)
	return f.Entities.Erase(ctx, c)
}

// deleteTexts returns onDelete, after the entity's texts are deleted.
func (f TextStore) deleteTexts(ctx context.Context, onDelete func(State) ([]Action, error)) func(State) ([]Action, error) {
	return func(was State) ([]Action, error) {
		if err := f.deleteAll(ctx, was.texts().Text, was.texts().Replaced); err != nil || onDelete == nil {
			return nil, err
		}
		return onDelete(was)
	}
}

// deleteUnreferenced removes objects that the entity does not lead to: the text that it
// replaced, and those written if they lost against another change or an erasure. The
// entity is read again, because a write may have happened though its answer was lost.
func (f TextStore) deleteUnreferenced(ctx context.Context, k Key, written []string) error {
	now, err := f.Entities.Get(ctx, k)
	if err != nil {
		return err
	}
	unused := slices.DeleteFunc(written, func(key string) bool { return key == now.texts().Text })
	return f.deleteAll(ctx, append(unused, now.texts().Replaced)...)
}

// deleteAll removes objects; an empty name is none.
func (f TextStore) deleteAll(ctx context.Context, keys ...string) (err error) {
	for _, key := range keys {
		if key != "" {
			err = errors.Join(err, f.Bucket.Delete(ctx, key))
		}
	}
	return err
}

// textBody is the content of the item of an entity whose text lies in a bucket.
type textBody struct {
	Text string `json:"text,omitempty"`
	// Replaced is the text before, which may not be removed yet.
	Replaced string `json:"replaced,omitempty"`
}

// texts returns the names of an entity's texts; a tombstone has none.
func (s State) texts() (body textBody) {
	if s.Into(&body) != nil {
		return textBody{}
	}
	return body
}
