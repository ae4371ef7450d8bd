package pdf

import (
	"os"
	"syscall"
)

// makePrivateFolder creates dir if it is missing and reports whether it belongs to the user of this process, and only that
// user may write to it.
func makePrivateFolder(dir string) bool {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o022 != 0 {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid()
}
