// Command zip packs a function's program for Lambda: zip TARGET PROGRAM. The archive is
// reproducible: it contains no time and no owner.
package main

import (
	"archive/zip"
	"errors"
	"io"
	"log"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: zip TARGET PROGRAM")
	}
	if err := packProgram(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func packProgram(target, program string) (err error) {
	in, err := os.Open(program)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(target)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	header := &zip.FileHeader{Name: "bootstrap", Method: zip.Deflate}
	header.SetMode(0o755)
	archive := zip.NewWriter(out)
	entry, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	if _, err := io.Copy(entry, in); err != nil {
		return err
	}
	return archive.Close()
}
