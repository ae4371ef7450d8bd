package office

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
)

const (
	maxTag   = 64 << 10 // bytes from < to >; encoding/xml holds a whole tag in memory, many times over
	maxDepth = 256
)

var errDoctype = errors.New("document type declaration")

// walkXML calls visit for a part's raw tokens. It rejects document type declarations
// (so that no entity can be declared), tags over 64 KB and nesting over 256, and
// leaves namespaces unresolved: Name.Space is the prefix as written.
func walkXML(ctx context.Context, part []byte, visit func(xml.Token)) error {
	if !tagsAreShort(part) {
		return document.LimitFailure(nil)
	}
	decoder := xml.NewDecoder(bytes.NewReader(part))
	depth := 0
	progress := document.NewCheckpoint(ctx)
	for passed := int64(0); ; passed = decoder.InputOffset() {
		token, err := decoder.RawToken()
		if err := progress.CountBytes(int(decoder.InputOffset() - passed)); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) && depth == 0 {
			return nil
		}
		if err != nil {
			return document.CorruptFailure(err)
		}
		switch token.(type) {
		case xml.Directive:
			return document.CorruptFailure(errDoctype)
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
		if depth > maxDepth {
			return document.LimitFailure(nil)
		}
		visit(token)
	}
}

// tagsAreShort reports whether every tag is within maxTag; a > inside quotes ends none.
func tagsAreShort(part []byte) bool {
	for i := bytes.IndexByte(part, '<'); i >= 0; {
		length := tagLength(part[i:])
		if length < 0 {
			return false
		}
		next := bytes.IndexByte(part[i+length:], '<')
		if next < 0 {
			return true
		}
		i += length + next
	}
	return true
}

// unquoted are the constructs in which quotes mean nothing, by how they begin and end.
var unquoted = [][2][]byte{{[]byte("<!--"), []byte("-->")}, {[]byte("<?"), []byte("?>")}, {[]byte("<![CDATA["), []byte("]]>")}}

// tagLength returns the length of the tag at the beginning of tag, or -1 if it is over
// maxTag. An unfinished tag ends with the part.
func tagLength(tag []byte) int {
	for _, construct := range unquoted {
		if !bytes.HasPrefix(tag, construct[0]) {
			continue
		}
		if end := bytes.Index(tag[:min(len(tag), maxTag)], construct[1]); end >= 0 {
			return end + len(construct[1])
		}
		if len(tag) > maxTag {
			return -1
		}
		return len(tag)
	}
	var quote byte
	for i := range min(len(tag), maxTag+1) {
		switch c := tag[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	if len(tag) > maxTag {
		return -1
	}
	return len(tag)
}

func attrValue(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}
