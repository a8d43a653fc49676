// Package cputime reads how much processor time was used: a cost measured so is the same on a loaded machine.
package cputime

import (
	"syscall"
	"time"
)

// Self is what this process has used, in user and kernel mode, on all processors.
func Self() time.Duration { return used(syscall.RUSAGE_SELF) }

// Children is what this process's children have used that have ended and been waited for, with such children of
// theirs.
func Children() time.Duration { return used(syscall.RUSAGE_CHILDREN) }

func used(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic(err) // who is always valid
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
