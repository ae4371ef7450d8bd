package resume

import "os"

// makePrivateFolder makes dir if it is missing and tells whether no one else may write it.
func makePrivateFolder(dir string) bool {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	info, err := os.Lstat(dir)
	return err == nil && info.IsDir() && info.Mode().Perm()&0o022 == 0
}
