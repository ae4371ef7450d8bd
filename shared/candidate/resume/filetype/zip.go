package filetype

import (
	"archive/zip"
	"bytes"
	"io"
	"path"
	"strings"
)

// maxEntry bounds the bytes that are unpacked of an entry.
const maxEntry = 1 << 20

// IsZip reports whether content begins like a zip container, as DOCX and ODT do.
func IsZip(content []byte) bool {
	return bytes.HasPrefix(content, []byte("PK\x03\x04")) || bytes.HasPrefix(content, []byte("PK\x05\x06"))
}

// PartName returns the name of a container's entry with slashes and without a leading
// one; some writers use backslashes or a leading slash.
func PartName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// sniffZip returns the type of a zip container by its entries: all current Office
// formats are zip files.
func sniffZip(content []byte) (Type, error) {
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return Undecidable, nil // broken: it is accepted, and fails when it is read
	}
	if string(readEntry(r, "mimetype")) == ODT.ContentType() {
		return ODT, nil
	}
	if bytes.Contains(readEntry(r, "[Content_Types].xml"), []byte("wordprocessingml.")) {
		return DOCX, nil
	}
	return "", &Refusal{Message: "this is an archive or another kind of Office file; send the one resume in it as PDF or DOCX"}
}

// readEntry returns the first maxEntry bytes of an entry, or nil if it is missing or broken.
func readEntry(r *zip.Reader, name string) []byte {
	for _, f := range r.File {
		if PartName(f.Name) != name {
			continue
		}
		open, err := f.Open()
		if err != nil {
			return nil
		}
		defer open.Close()
		content, err := io.ReadAll(io.LimitReader(open, maxEntry))
		if err != nil {
			return nil
		}
		return content
	}
	return nil
}
