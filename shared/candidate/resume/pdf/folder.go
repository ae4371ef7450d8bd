package pdf

import (
	"os"
)

// makePrivateFolder creates dir if it is missing and reports whether only this user may
// write to it.
func makePrivateFolder(dir string) bool {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir() && info.Mode().Perm()&0o022 == 0 && isOwn(info)
}
