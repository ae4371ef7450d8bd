// Package entity keeps what the marketplace owns: entities with versions, as
// items by their own id, and the rows by which lists find them.
//
// Events arrive at least once and in any order, so every write
// here is a condition on the stored version: a change that is not newer is
// dropped, a deletion leaves a tombstone with its version, and repeating a write
// after a lost answer changes nothing. An entity's item, its rows and
// everything that must agree with them are written in one transaction; the item knows its
// rows, so those that a change leaves behind are removed with it.
//
// Several entities may share an item as parts of it, each with a version of its
// own: what is read together lies together, whichever event came first.
//
// Entities about people are indexed by hashes of their identities, and an erased person stays erased ([Store.MarkErased]).
//
// The package knows no entity's fields. Keys and rows are the domains'.
package entity

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Key names an entity's item.
type Key struct {
	PK, SK string
	// Part begins the names of the entity's attributes in an item of several; "" for the item's only one.
	Part string
}

// KeyOf returns the key of an item of a kind, by its values (itemkey.Kind.Key).
func KeyOf(kind itemkey.Kind, values ...string) Key {
	pk, sk := kind.Key(values...)
	return Key{PK: pk, SK: sk}
}

// Row is an item that refers to an entity or repeats some of it.
type Row struct {
	PK, SK string
	// Body is stored as JSON; nil stores only the key.
	Body any
	// Deflated stores the body deflated: for a long text that is read alone. In a list, inflating takes more time than bytes.
	Deflated bool
}

// RowOf returns a row of a kind, by the values of its key.
func RowOf(kind itemkey.Kind, body any, values ...string) Row {
	pk, sk := kind.Key(values...)
	return Row{PK: pk, SK: sk, Body: body}
}

// State is an entity as it is stored.
type State struct {
	// Version is 0 when nothing is stored.
	Version int64
	// Deleted is set for a tombstone.
	Deleted bool
	body    []byte
	rows    []string
	// at is when the event of the content happened, in epoch milliseconds; 0 if it concerns no person.
	at int64
}

// Live reports whether there is content.
func (s State) Live() bool { return s.Version > 0 && !s.Deleted }

// Into reads the content into what out points to; without content it does nothing.
func (s State) Into(out any) error {
	if len(s.body) == 0 {
		return nil
	}
	if s.body[0] != deflated {
		return json.Unmarshal(s.body, out)
	}
	return withContent(s.body, func(r io.Reader) error {
		inflated := bytes.NewBuffer(make([]byte, 0, 4*len(s.body)))
		if _, err := inflated.ReadFrom(r); err != nil {
			return fmt.Errorf("inflate the content: %w", err)
		}
		return json.Unmarshal(inflated.Bytes(), out)
	})
}

// NewState is what becomes of an entity.
type NewState struct {
	// Body is stored as JSON in the entity's item; nil stores none.
	Body any
	Rows []Row
	// Due enters the entity into the index by that time; zero leaves it out.
	Due time.Time
	// Actions join the transaction. Their items are not the entity's.
	Actions []Action
	// FirstPart, unless nil, is another part of the item, stored along with an entity of which nothing was stored before.
	FirstPart *Part
}

// Part is another entity of an item.
type Part struct {
	Name    string
	Version int64
	Body    any
}

// Action is a part of a transaction.
type Action func(*dynamo.WriteTx)

// Stamp places an event among the others of its entity.
type Stamp struct {
	// Version grows with every event of the entity.
	Version int64
	// At is when it happened; an erased person is erased up to a time.
	At time.Time
}

// Change is what one event states about an entity.
type Change struct {
	Key Key
	Stamp
	// Persons are the hashes of the identities in the content, or for [Store.Erase] those of the person whose entity
	// is meant. A row leads from each to the entity (Copies).
	Persons []string
	// PersonsUnconditional commits without conditions on the tombstones of Persons, because many
	// entities may share a person, and reads the tombstones again afterwards ([Store.Apply]).
	PersonsUnconditional bool
	// ExpectNew expects that nothing is stored yet, and saves a read where that holds.
	ExpectNew bool
	// Next returns the entity's new state, given the old one; nil deletes the entity. It runs again when the
	// stored state has changed since it was read, so its side effects must be safe to repeat.
	Next func(old State) (NewState, error)
	// OnDelete returns the further actions of the deletion of a live entity; nil means none.
	OnDelete func(old State) ([]Action, error)
}

type attributeNames struct{ version, gone, body, rows, at string }

func attributesOf(part string) attributeNames {
	return attributeNames{part + "v", part + "gone", part + "body", part + "rows", part + "at"}
}

type rowItem struct {
	PK   string `dynamo:"pk,hash"`
	SK   string `dynamo:"sk,range"`
	Body []byte `dynamo:"body,omitempty"`
}

func (r Row) newItem() (rowItem, error) {
	body, err := encodeBody(r.Body)
	if err != nil || len(body) == 0 || !r.Deflated {
		return rowItem{r.PK, r.SK, body}, err
	}
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	var out bytes.Buffer
	out.WriteByte(deflated)
	w.Reset(&out)
	_, err = w.Write(body)
	if err == nil {
		err = w.Close()
	}
	return rowItem{r.PK, r.SK, out.Bytes()}, err
}

// intIn returns the number in an attribute, 0 if the item does not have it.
func intIn(value types.AttributeValue) (int64, error) {
	if value == nil {
		return 0, nil
	}
	n, ok := value.(*types.AttributeValueMemberN)
	if !ok {
		return 0, fmt.Errorf("an attribute of type %T is not a number", value)
	}
	return strconv.ParseInt(n.Value, 10, 64)
}

// attribute returns an attribute as one of a type, the zero value if the item does not have it.
func attribute[T any](value any) (a T) {
	if stored, ok := value.(*T); ok {
		a = *stored
	}
	return a
}

func bytesIn(v types.AttributeValue) []byte { return attribute[types.AttributeValueMemberB](v).Value }

func textIn(v types.AttributeValue) string { return attribute[types.AttributeValueMemberS](v).Value }

// rowNames returns the names of rows in the item that owns them: their keys, which hold no line break.
func rowNames(rows []Row) []string {
	var names []string
	for _, r := range rows {
		names = append(names, r.PK+"\n"+r.SK)
	}
	return names
}

func splitRow(name string) (pk, sk string) {
	pk, sk, _ = strings.Cut(name, "\n")
	return pk, sk
}

// Shards are the partitions of the index by due time.
const Shards = cloud.Shards(16)

// deflated begins a body that is stored deflated. No JSON text begins with it.
const deflated = 1

// deflaters and inflaters are reused: each has tables and a window of 40 KB to 1 MB (BenchmarkDeflatedRow).
var (
	deflaters = sync.Pool{New: func() any {
		w, err := flate.NewWriter(nil, flate.DefaultCompression)
		if err != nil {
			panic(err) // only for an unknown level
		}
		return w
	}}
	inflaters = sync.Pool{New: func() any { return flate.NewReader(bytes.NewReader(nil)) }}
)

// encodeBody returns content as JSON; nil for nil and for a nil pointer.
func encodeBody(v any) ([]byte, error) {
	if isNil(v) {
		return nil, nil
	}
	body, err := json.Marshal(v)
	if err == nil && len(body) > maxBody {
		err = fmt.Errorf("%w: %d bytes", ErrTooLarge, len(body))
	}
	return body, err
}

func isNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}

// readMember reads one member of an object, and nothing after it.
func readMember(d *json.Decoder, name string, out any) error {
	_, err := d.Token() // the brace
	for err == nil && d.More() {
		member, broken := d.Token()
		if member == name {
			return d.Decode(out)
		}
		err = cmp.Or(broken, d.Decode(new(json.RawMessage)))
	}
	if errors.Is(err, io.EOF) {
		return nil // without content
	}
	return err
}

func withContent(body []byte, read func(io.Reader) error) error {
	if len(body) == 0 || body[0] != deflated {
		return read(bytes.NewReader(body))
	}
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(body[1:]), nil); err != nil {
		return fmt.Errorf("inflate the content: %w", err)
	}
	return read(r)
}
