package pdf

import (
	"encoding/binary"
	"fmt"
)

// openDocument opens a file. The error is errLocked or errDamaged for a file that pdfium refuses.
func (s *sandbox) openDocument(content []byte) (document uint64, err error) {
	file, err := s.allocate(len(content))
	if err != nil {
		return 0, err
	}
	if !s.module.Memory().Write(uint32(file), content) {
		return 0, errMemory
	}
	document, err = s.call("FPDF_LoadMemDocument", file, uint64(len(content)), 0)
	if err != nil || document != 0 {
		return document, err
	}
	code, err := s.call("FPDF_GetLastError")
	if err != nil {
		return 0, err
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

func (s *sandbox) countPages(document uint64) (int, error) {
	count, err := s.call("FPDF_GetPageCount", document)
	return int(int32(count)), err
}

func (s *sandbox) loadPage(document uint64, index int) (page uint64, err error) {
	return s.call("FPDF_LoadPage", document, uint64(index))
}

func (s *sandbox) closePage(page uint64) error {
	_, err := s.call("FPDF_ClosePage", page)
	return err
}

// nextLink returns the first link annotation of a page from the index at, 0 if there is none, and
// the index after it.
func (s *sandbox) nextLink(page uint64, at int) (link uint64, next int, err error) {
	memory, err := s.read(s.scratch, scratchSize)
	if err != nil {
		return 0, 0, err
	}
	binary.LittleEndian.PutUint32(memory, uint32(at))
	found, err := s.call("FPDFLink_Enumerate", page, s.scratch, s.scratch+4)
	if err != nil || uint32(found) == 0 {
		return 0, 0, err
	}
	memory, err = s.read(s.scratch, scratchSize)
	if err != nil {
		return 0, 0, err
	}
	return uint64(binary.LittleEndian.Uint32(memory[4:])), int(int32(binary.LittleEndian.Uint32(memory))), nil
}

// linkURI returns the URI that a link opens, or "".
func (s *sandbox) linkURI(document, link uint64) (string, error) {
	action, err := s.call("FPDFLink_GetAction", link)
	if err != nil || action == 0 {
		return "", err
	}
	size, err := s.call("FPDFAction_GetURIPath", document, action, 0, 0)
	if err != nil || int32(size) <= 0 {
		return "", err
	}
	buffer, err := s.allocate(int(size))
	if err != nil {
		return "", err
	}
	_, err = s.call("FPDFAction_GetURIPath", document, action, buffer, size)
	if err != nil {
		return "", err
	}
	content, err := s.read(buffer, int(size)-1) // it ends with a zero
	if err != nil {
		return "", err
	}
	uri := string(content)
	_, err = s.call("free", buffer)
	return uri, err
}
