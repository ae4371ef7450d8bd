package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/decode"
)

// pathArgument takes the place of the content of a file.
const pathArgument = "path"

func (d directories) inputSchema(r contract.Route) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for _, f := range argumentsOf(r) {
		properties[f.Name] = d.describeArgument(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	o := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		o["required"] = required
	}
	if r.Input != nil {
		d.replaceContent(o, contract.SchemaOf(r.Input))
	}
	return o
}

// argumentsOf returns the fields of a route's input that are arguments. Of a body of two forms, it is
// the one with the object. A body repeats the id of the path for clients that send back what they read.
func argumentsOf(r contract.Route) (all []contract.Field) {
	if r.Input == nil {
		return nil
	}
	schema := contract.SchemaOf(r.Input)
	fields := schema.Fields
	if i, wrapped := schema.Forms(); i >= 0 {
		fields = wrapped
	}
	for _, f := range fields {
		known := slices.ContainsFunc(all, func(other contract.Field) bool { return other.Name == f.Name })
		if !known && f.In != contract.InHeader {
			all = append(all, f)
		}
	}
	return all
}

// describeArgument describes objects in full, with paths in place of the content of files, and values with one type
// each: models whose dialect of JSON Schema has no lists of types refuse a tool with one.
func (d directories) describeArgument(f contract.Field) map[string]any {
	writer := contract.JSONSchema{NullApart: true}
	writer.Object = func(s *contract.Schema) map[string]any {
		o := writer.Describe(s)
		d.replaceContent(o, s)
		return o
	}
	o := writer.Field(f)
	if f.Instead {
		o["description"] = "The complete new value: omitted fields are removed."
	}
	if page := f.Schema.Page; page != nil {
		o["minimum"] = 1
		o["default"] = page.Default
		o["description"] = fmt.Sprintf("%s At most %d.", f.Doc, page.Max)
	}
	return o
}

func (d directories) replaceContent(o map[string]any, s *contract.Schema) {
	properties, _ := o["properties"].(map[string]any)
	required, _ := o["required"].([]string)
	for _, f := range s.Fields {
		if _, ok := properties[f.Name]; !ok || !isContent(f) {
			continue
		}
		delete(properties, f.Name)
		properties[pathArgument] = map[string]any{"type": "string", "description": d.describePath()}
		if i := slices.Index(required, f.Name); i >= 0 {
			required[i] = pathArgument
		}
	}
}

func isContent(f contract.Field) bool { return f.Schema.Encoding == "base64" }

// prepare makes a value of the API from that of an assistant: without what is null, because
// assistants send it for omitted values, and with files in place of their paths. It returns an
// error for all names that the schema does not have.
func (d directories) prepare(at string, s *contract.Schema, value any) error {
	var problems []error
	switch value := value.(type) {
	case []any:
		for i, one := range value {
			if s.Items != nil {
				problems = append(problems, d.prepare(fmt.Sprintf("%s[%d]", at, i), s.Items, one))
			}
		}
	case map[string]any:
		if s.Kind == contract.KindObject {
			problems = append(problems, d.prepareFields(at, s.Fields, value))
		}
	}
	return errors.Join(problems...)
}

func (d directories) prepareFields(at string, fields []contract.Field, object map[string]any) error {
	if at != "" {
		at += "."
	}
	maps.DeleteFunc(object, func(_ string, value any) bool { return value == nil })
	var known []string
	for _, f := range fields {
		name := f.Name
		if isContent(f) {
			name = pathArgument
		}
		known = append(known, name)
	}
	slices.Sort(known)
	var problems []error
	unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(object)), func(name string) bool { return slices.Contains(known, name) })
	if len(unknown) > 0 {
		text := "%s%s: unknown. Accepted: %s"
		problems = append(problems, fmt.Errorf(text, at, strings.Join(unknown, ", "+at), strings.Join(known, ", ")))
	}
	for _, f := range fields {
		value, sent := object[f.Name]
		_, isObject := value.(map[string]any)
		switch {
		case isContent(f):
			problems = append(problems, d.fillContent(at, f.Name, object))
		case f.In == contract.InPath && !sent: // the API gets no request without one
			problems = append(problems, fmt.Errorf("%s: is required", f.Name))
		case f.In == contract.InQuery && isObject: // the API would search for its text
			problems = append(problems, fmt.Errorf("%s: must not be an object", f.Name))
		default:
			problems = append(problems, d.prepare(at+f.Name, f.Schema, value))
		}
	}
	return errors.Join(problems...)
}

// requestOf returns the request of a call. A retry of the call is safe; another call is another request.
func requestOf(r contract.Route, arguments map[string]any) decode.Request {
	path := map[string]string{}
	query := url.Values{}
	body := map[string]any{}
	for _, f := range contract.SchemaOf(r.Input).Fields {
		value, sent := arguments[f.Name]
		switch {
		case !sent:
		case f.In == contract.InPath:
			path[f.Name] = parameter(value)
		case f.In == contract.InQuery:
			list, isList := value.([]any)
			if !isList {
				list = []any{value}
			}
			for _, one := range list {
				query.Add(f.Name, parameter(one))
			}
		case f.In == contract.InBody:
			body[f.Name] = value
		}
	}
	return decode.Request{
		Path: path, Query: query.Encode(), Body: string(encode(body)),
		Header:     http.Header{"Idempotency-Key": {uuid.NewString()}},
		LowerLimit: r.KeyType == contract.PersonalKey,
	}
}

func parameter(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return string(encode(value))
}

// encode returns the JSON of a value that always has one.
func encode(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic("mcp: " + err.Error())
	}
	return text
}

// directories are those with files that may be sent. Links and ".." do not lead out of an [os.Root].
type directories []*os.Root

// read returns the content of a file, by its full path or by one that begins in a directory. The error is the same for a file that does
// not exist and one that must not be read, so that it says nothing of files elsewhere.
func (d directories) read(path string) ([]byte, error) {
	for _, root := range d {
		name := path
		if filepath.IsAbs(path) {
			relative, err := filepath.Rel(root.Name(), path)
			if err != nil {
				continue
			}
			name = relative
		}
		// Without O_NONBLOCK, opening a pipe waits for a program that writes to it.
		file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			return readRegular(file)
		}
	}
	names := d.names()
	if len(names) == 0 {
		return nil, errors.New("the allowed directories (--allow) contain no files")
	}
	const text = "the file is not in an allowed directory (--allow). Files there: %s"
	return nil, fmt.Errorf(text, strings.Join(names, ", "))
}

func readRegular(file *os.File) ([]byte, error) {
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Size() > contract.MaxFileBytes:
		return nil, fmt.Errorf("the file has more than %d bytes", contract.MaxFileBytes)
	}
	return io.ReadAll(io.LimitReader(file, contract.MaxFileBytes))
}

// fillContent replaces the path in an object by the content of the file and, where none is given, its name.
func (d directories) fillContent(at, field string, object map[string]any) error {
	path, ok := object[pathArgument].(string)
	if !ok || path == "" {
		return fmt.Errorf("%s%s: is required, as a string", at, pathArgument)
	}
	content, err := d.read(path)
	if err != nil {
		return fmt.Errorf("%s%s: %w", at, pathArgument, err)
	}
	if _, ok := object["fileName"]; !ok {
		object["fileName"] = filepath.Base(path)
	}
	delete(object, pathArgument)
	object[field] = content // base64, as any []byte
	return nil
}

const maxNames = 50

// names returns the paths of the first files in the directories. Hidden ones are left out.
func (d directories) names() (all []string) {
	for _, root := range d {
		_ = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
			switch {
			case len(all) == maxNames:
				return fs.SkipAll
			case err != nil || path == ".":
				return nil // a directory that cannot be read has no files to name
			case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
				return fs.SkipDir
			case entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), "."):
				all = append(all, path)
			}
			return nil
		})
	}
	return all
}

func (d directories) describePath() string {
	if len(d) == 0 {
		return "Path of the file. The user has to allow its directory first (--allow)."
	}
	var names []string
	for _, root := range d {
		names = append(names, root.Name())
	}
	const text = "Path of a file in %s: in full, or from that directory. The answer to a wrong path names the files."
	return fmt.Sprintf(text, strings.Join(names, " or "))
}
