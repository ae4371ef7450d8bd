// Command zip packs a function's program for Lambda: zip TARGET PROGRAM. The archive is
// reproducible: it contains no time and no owner.
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
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

func packProgram(target, program string) error {
	content, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	header := &zip.FileHeader{Name: "bootstrap", Method: zip.Deflate}
	header.SetMode(0o755)
	entry, err := archive.CreateHeader(header)
	if err != nil {
		return fmt.Errorf("add the program to the archive: %w", err)
	}
	if _, err := entry.Write(content); err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return fmt.Errorf("complete the archive: %w", err)
	}
	return os.WriteFile(target, packed.Bytes(), 0o644)
}
