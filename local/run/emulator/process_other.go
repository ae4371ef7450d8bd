//go:build !linux

package emulator

import "syscall"

// childAttr returns nil: on this platform the end of stdin makes the child end.
func childAttr() *syscall.SysProcAttr { return nil }
