package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
)

// Limits of zip containers; real documents have up to 44 entries and parts of 450 KB.
const (
	maxEntries = 1000
	maxPart    = 4 << 20  // bytes of one unpacked part
	maxTotal   = 16 << 20 // bytes of all unpacked parts
)

// archive reads the parts of a zip container and counts what it unpacks.
type archive struct {
	parts map[string]*zip.File
	left  int64
}

var errNoPart = errors.New("part is missing")

// OpenArchive opens a container. It fails if the container is broken or has too many
// entries. It unpacks nothing.
func OpenArchive(content []byte) (*archive, error) {
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

// readPart unpacks one part. It counts the bytes, because the sizes stated in the
// container may be false.
func (a *archive) readPart(name string) ([]byte, error) {
	f := a.parts[filetype.PartName(name)]
	if f == nil {
		return nil, document.CorruptFailure(errNoPart)
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
