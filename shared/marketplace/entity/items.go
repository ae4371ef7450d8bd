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

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// attributeNames are the attributes of one entity in its item.
type attributeNames struct{ version, gone, body, rows, at string }

func attributesOf(part string) attributeNames {
	return attributeNames{part + "v", part + "gone", part + "body", part + "rows", part + "at"}
}

// rowItem is a row as it is stored.
type rowItem struct {
	PK   string `dynamo:"pk,hash"`
	SK   string `dynamo:"sk,range"`
	Body []byte `dynamo:"body,omitempty"`
}

func (r Row) newItem() (rowItem, error) {
	body, err := encodeBody(r.Body)
	if len(body) > 0 && err == nil && r.Deflated {
		body, err = deflateBody(body)
	}
	return rowItem{r.PK, r.SK, body}, err
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

func deflateBody(body []byte) ([]byte, error) {
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	var out bytes.Buffer
	out.WriteByte(deflated)
	w.Reset(&out)
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

// decodeBody reads a stored body into what out points to; without content it does nothing.
func decodeBody(body []byte, out any) error {
	if len(body) == 0 {
		return nil
	}
	if body[0] != deflated {
		return json.Unmarshal(body, out)
	}
	return withContent(body, func(r io.Reader) error {
		inflated := bytes.NewBuffer(make([]byte, 0, 4*len(body)))
		if _, err := inflated.ReadFrom(r); err != nil {
			return err
		}
		return json.Unmarshal(inflated.Bytes(), out)
	})
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

// withContent calls read with the JSON of a stored body.
func withContent(body []byte, read func(io.Reader) error) error {
	if len(body) == 0 || body[0] != deflated {
		return read(bytes.NewReader(body))
	}
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(body[1:]), nil); err != nil {
		return err
	}
	return read(r)
}
