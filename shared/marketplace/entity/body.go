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
	"sync"
)

// deflated begins a body that is stored deflated. No JSON text begins with it.
const deflated = 1

// deflaters and inflaters are reused, because each has tables and a window of 40 KB to 1 MB
// (BenchmarkDeflatedRow).
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
	return withInflated(body, func(r io.Reader) error {
		inflated := bytes.NewBuffer(make([]byte, 0, 4*len(body)))
		if _, err := inflated.ReadFrom(r); err != nil {
			return err
		}
		return json.Unmarshal(inflated.Bytes(), out)
	})
}

// decodeMember reads one member of a stored body, which is an object, and nothing after it.
func decodeMember(body []byte, name string, out any) error {
	read := func(r io.Reader) error { return readMember(json.NewDecoder(r), name, out) }
	if len(body) == 0 || body[0] != deflated {
		return read(bytes.NewReader(body))
	}
	return withInflated(body, read)
}

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

func withInflated(body []byte, read func(io.Reader) error) error {
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(body[1:]), nil); err != nil {
		return err
	}
	return read(r)
}
