package pdf

import (
	"encoding/binary"
	"fmt"
)

// openDocument opens a file. The error is errLocked or errDamaged for a file that pdfium refuses.
func (s *sandbox) openDocument(content []byte) (document uint64, err error) {
	file := s.allocate(len(content))
	copy(s.read(file, len(content)), content)
	document = s.call("FPDF_LoadMemDocument", file, uint64(len(content)), 0)
	if document != 0 || s.err != nil {
		return document, s.err
	}
	code := s.call("FPDF_GetLastError")
	if s.err != nil {
		return 0, s.err
	}
	return 0, refusalError(code)
}

// refusalError returns the error for a code of FPDF_GetLastError.
func refusalError(code uint64) error {
	switch code {
	case 4, 5: // FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY
		return errLocked
	case 1, 2, 3, 6: // FPDF_ERR_UNKNOWN, FPDF_ERR_FILE, FPDF_ERR_FORMAT, FPDF_ERR_PAGE
		return errDamaged
	}
	return fmt.Errorf("pdfium refuses a document with code %d", code)
}

// nextLink returns the first link annotation of a page from the index at, 0 if there is none, and
// the index after it.
func (s *sandbox) nextLink(page uint64, at int) (link uint64, next int) {
	binary.LittleEndian.PutUint32(s.read(s.scratch, scratchSize), uint32(at))
	if uint32(s.call("FPDFLink_Enumerate", page, s.scratch, s.scratch+4)) == 0 {
		return 0, 0
	}
	memory := s.read(s.scratch, scratchSize)
	return uint64(binary.LittleEndian.Uint32(memory[4:])), int(int32(binary.LittleEndian.Uint32(memory)))
}

// linkURI returns the URI that a link opens, or "".
func (s *sandbox) linkURI(document, link uint64) string {
	action := s.call("FPDFLink_GetAction", link)
	if action == 0 {
		return ""
	}
	size := s.call("FPDFAction_GetURIPath", document, action, 0, 0)
	if int32(size) <= 0 {
		return ""
	}
	buffer := s.allocate(int(size))
	s.call("FPDFAction_GetURIPath", document, action, buffer, size)
	uri := string(s.read(buffer, int(size)-1)) // it ends with a zero
	s.call("free", buffer)
	return uri
}
