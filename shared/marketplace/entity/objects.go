package entity

import (
	"context"
	"errors"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Objects stores objects in a bucket so that every object has an item that refers to it at any time. For one to
// which no entity refers yet, or any longer, that is a disposal, and the sweeper removes the object.
type Objects struct {
	entities *Store
	bucket   objectstore.Bucket
}

// Objects returns the objects of a bucket to which items of the store's table refer.
func (s *Store) Objects(bucket objectstore.Bucket) Objects { return Objects{s, bucket} }

// disposalItem names an object to which nothing else refers.
type disposalItem struct {
	PK    string `dynamo:"pk"`
	SK    string `dynamo:"sk"`
	Shard string `dynamo:"shard"`
	// Due is when the object is removed; justWritten until the sweeper has seen the disposal.
	Due int64 `dynamo:"due"`
}

const (
	// disposalShard is the partition of the due index that holds only disposals.
	disposalShard = "X"
	justWritten   = 1
	// disposalDelay is how long a disposal waits after its first sweep: by then a writer that has not stored an
	// item that refers to the object is dead, and readers of an item that did are done.
	disposalDelay = 10 * time.Minute
	// disposalPage is how many disposals a turn of a sweep takes, one after the other.
	disposalPage = 100
	// isRemoving is the condition that the sweeper has begun to remove the object.
	isRemoving = "attribute_exists(removing)"
)

// Put stores an object to which only its disposal refers, until a transaction has the action
// [Objects.Keep]. It fails on a condition while the sweeper removes an object of that key, or if
// one of checks fails. Nothing may refer to the key yet.
func (o Objects) Put(ctx context.Context, key, contentType string, content []byte, checks ...Action) (err error) {
	defer fault.Wrap(&err, "entity.Put(key, contentType)")

	tx := o.entities.write().Put(o.putDisposal(key).If("NOT " + isRemoving))
	for _, check := range checks {
		check(tx)
	}
	if err := tx.Run(ctx); err != nil {
		return err
	}
	return o.bucket.Put(ctx, key, contentType, content)
}

// Keep returns the action for the transaction that stores the item that refers to the object. The
// transaction fails on a condition if the object is being removed.
func (o Objects) Keep(key string) Action {
	pk, sk := itemkey.ObjectDisposal.Key(key)
	return func(tx *dynamo.WriteTx) {
		tx.Delete(o.entities.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("attribute_exists(pk) AND NOT " + isRemoving))
	}
}

// Dispose returns the action for the transaction that removes the item that refers to the object.
func (o Objects) Dispose(key string) Action {
	return func(tx *dynamo.WriteTx) { tx.Put(o.putDisposal(key)) }
}

func (o Objects) putDisposal(key string) *dynamo.Put {
	pk, sk := itemkey.ObjectDisposal.Key(key)
	return o.entities.table.Put(disposalItem{pk, sk, disposalShard, justWritten})
}

// NewSweep begins a sweep that removes the objects with disposals due at a time, and begins the wait of new ones.
// Each call of the function is a bounded turn ([cloud.DueWalk.Turn]); left reports whether another is left to do.
// Sweeps may be repeated and run concurrently. The error of one disposal does not stop the others.
func (o Objects) NewSweep(now time.Time) func(ctx context.Context, more func() bool) (left bool, err error) {
	due := cloud.DueQuery{Table: o.entities.table, Shards: []string{disposalShard}, Now: now, Page: disposalPage, Parallel: 1}.Begin()
	return func(ctx context.Context, more func() bool) (bool, error) {
		return due.Turn(ctx, more, func(ctx context.Context, page []cloud.DueKey) (failed error) {
			for _, item := range page {
				failed = errors.Join(failed, o.dispose(ctx, item, now))
			}
			return failed
		})
	}
}

// dispose relies on the conditions, because the index may be stale.
func (o Objects) dispose(ctx context.Context, item cloud.DueKey, now time.Time) error {
	mark := o.entities.table.Update(topology.PK, item.PK).Range(topology.SK, item.SK).If("due = ?", item.Due)
	if item.Due == justWritten {
		return cloud.IgnoreCondition(mark.Set("due", now.Add(disposalDelay).UnixMilli()).Run(ctx))
	}
	if err := mark.Set("removing", true).Run(ctx); err != nil {
		return cloud.IgnoreCondition(err)
	}
	values, _ := itemkey.ObjectDisposal.Parse(item.PK, item.SK)
	if err := o.bucket.Delete(ctx, values[0]); err != nil {
		return err
	}
	return cloud.IgnoreCondition(o.entities.table.Delete(topology.PK, item.PK).Range(topology.SK, item.SK).If(isRemoving).Run(ctx))
}

// Text is content that is too long for an item and is stored in a bucket.
type Text struct {
	// Key names the object. It must contain the version, so that a row never refers to another one's text.
	Key, Type string
	Content   []byte
}

// Apply is [Store.Apply] for an entity with a text; nil stores none. The text is stored before the rows that refer to it,
// and a replaced text is deleted after them; in between, a disposal refers to it. The change must have no Body, because
// the entity's item holds the text's name, and no OnDelete.
func (o Objects) Apply(ctx context.Context, c Change, t *Text) (applied bool, err error) {
	defer fault.Wrap(&err, "entity.Apply(key)")

	c.OnDelete = o.deleteText(ctx)
	var unused []string
	if live := c.Next; live != nil {
		c.Next = func(was State) (NewState, error) {
			next, err := live(was)
			unused = nil
			if t != nil && err == nil {
				next.Body = textBody{t.Key}
				unused = []string{t.Key}
				next.Actions = append(next.Actions, o.Keep(t.Key))
				err = o.Put(ctx, t.Key, t.Type, t.Content, o.entities.CheckUnchanged(c.Key, was))
			}
			if replaced := was.textKey(); replaced != "" {
				next.Actions = append(next.Actions, o.Dispose(replaced))
				unused = append(unused, replaced)
			}
			return next, err
		}
	}
	applied, err = o.entities.Apply(ctx, c)
	if err != nil || len(unused) == 0 {
		return applied, err
	}
	now, err := o.entities.Get(ctx, c.Key)
	for _, key := range unused { // what it replaced, or its own if it lost against another change or an erasure
		if err == nil && key != now.textKey() {
			err = o.bucket.Delete(ctx, key)
		}
	}
	return applied, err
}

// Erase is [Store.Erase] for an entity with a text. The change must have no OnDelete.
func (o Objects) Erase(ctx context.Context, c Change) (applied bool, err error) {
	defer fault.Wrap(&err, "entity.Erase(key)")

	c.OnDelete = o.deleteText(ctx)
	return o.entities.Erase(ctx, c)
}

// deleteText returns what deletes a text before its entity, to which alone it belongs.
func (o Objects) deleteText(ctx context.Context) func(State) ([]Action, error) {
	return func(was State) ([]Action, error) {
		key := was.textKey()
		if key == "" {
			return nil, nil
		}
		return nil, o.bucket.Delete(ctx, key)
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
