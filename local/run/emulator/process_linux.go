package emulator

import "syscall"

// childAttr makes the child die with the thread that started it, and keeps the terminal's Ctrl-C from it: the parent
// still needs its services while it stops.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
