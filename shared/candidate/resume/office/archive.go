package office

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// Limits of zip containers and of the XML in them; real documents have up to 44 entries and parts of 450 KB.
const (
	maxEntries = 1000
	maxPart    = 4 << 20  // bytes of one unpacked part
	maxTotal   = 16 << 20 // bytes of all unpacked parts
	maxTag     = 64 << 10 // bytes from < to >; encoding/xml holds a whole tag in memory, many times over
	maxDepth   = 256
)

var errTag = errors.New("tag over 64 KB")

// tagReader reads a part for a decoder byte by byte, and fails with errTag within a tag, comment or other construct over
// maxTag. When the decoder returns a token it has read to its end, and of what follows a text the first <.
type tagReader struct {
	*bytes.Reader
	last   byte
	length int // from the < of the open tag, or 0 in text
}

// ReadByte returns the next byte.
func (r *tagReader) ReadByte() (byte, error) {
	c, err := r.Reader.ReadByte()
	if r.length > 0 || c == '<' {
		r.length++
	}
	if r.length > maxTag {
		return 0, errTag
	}
	r.last = c
	return c, err
}

// walkPart calls visit for a part's raw tokens but for those of skipped elements; Name.Space is the prefix as written.
// It rejects document type declarations (so that no entity can be declared), tags over 64 KB and nesting over 256.
func (a *archive) walkPart(ctx context.Context, name string, skipped map[string]bool, visit func(xml.Token)) error {
	part, err := a.readPart(name)
	if err != nil {
		return err
	}
	content := &tagReader{Reader: bytes.NewReader(part)}
	decoder := xml.NewDecoder(content)
	depth := 0
	skip := 0 // depth inside a skipped element
	for {
		token, err := decoder.RawToken()
		content.length = 0
		if content.last == '<' {
			content.length = 1
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case errors.Is(err, io.EOF) && depth == 0:
			return nil
		case errors.Is(err, errTag):
			return document.LimitFailure(err)
		case err != nil:
			return document.CorruptFailure(err)
		}
		before := skip
		switch t := token.(type) {
		case xml.Directive:
			return document.CorruptFailure(errors.New("document type declaration"))
		case xml.StartElement:
			depth++
			if skip > 0 || skipped[t.Name.Local] {
				skip++
			}
		case xml.EndElement:
			depth--
			skip = max(0, skip-1)
		}
		if depth > maxDepth {
			return document.LimitFailure(nil)
		}
		if before == 0 && skip == 0 {
			visit(token)
		}
	}
}

func attrValue(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// archive reads the parts of a zip container and counts what it unpacks.
type archive struct {
	parts map[string]*zip.File
	left  int64
}

// CheckArchive fails if the content is not a zip container, or is one that is broken or has too many entries.
func CheckArchive(content []byte) error {
	_, err := openArchive(content)
	return err
}

// openArchive opens a container. It fails if the container is broken or has too many entries. It unpacks nothing.
func openArchive(content []byte) (*archive, error) {
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, document.CorruptFailure(err)
	}
	if len(r.File) > maxEntries {
		return nil, document.LimitFailure(nil)
	}
	a := &archive{parts: make(map[string]*zip.File, len(r.File)), left: maxTotal}
	for _, f := range r.File {
		if name := filetype.PartName(f.Name); a.parts[name] == nil {
			a.parts[name] = f
		}
	}
	return a, nil
}

// readPart unpacks one part. It counts the bytes, because the sizes stated in the container may be false.
func (a *archive) readPart(name string) ([]byte, error) {
	f := a.parts[filetype.PartName(name)]
	if f == nil {
		return nil, document.CorruptFailure(errors.New("part is missing"))
	}
	if f.Flags&1 != 0 {
		return nil, document.NewFailure(document.Encrypted, "the file needs a password; send one without", nil)
	}
	r, err := f.Open()
	if err != nil {
		return nil, document.CorruptFailure(err)
	}
	defer r.Close()
	limit := min(maxPart, a.left)
	content, err := io.ReadAll(io.LimitReader(r, limit+1))
	a.left -= int64(len(content))
	switch {
	case int64(len(content)) > limit:
		return nil, document.LimitFailure(nil)
	case err != nil:
		return nil, document.CorruptFailure(err)
	}
	return content, nil
}
