//go:build !linux && !darwin

package pdf

import "io/fs"

// isOwn reports true: the temporary folder of these systems is the user's own.
func isOwn(fs.FileInfo) bool { return true }
