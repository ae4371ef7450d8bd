//go:build unix && !solaris && !aix

package client

import (
	"os"
	"syscall"
)

// lockFile locks the file until it is closed or the process ends; it fails if another one has it.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
