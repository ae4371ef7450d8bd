//go:build unix && !solaris && !aix

package client

import (
	"os"
	"syscall"
)

// lockFile locks the file until it is unlocked or the process ends; it fails if another one has it.
func lockFile(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// unlockFile ends the lock, which closing alone does not while a program is being started: it has
// the open files of this process until it runs.
func unlockFile(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
