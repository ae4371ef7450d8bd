//go:build !linux

package emulator

import "syscall"

// childAttr has nothing to ask for here: the end of stdin tells the child to end.
func childAttr() *syscall.SysProcAttr { return nil }
