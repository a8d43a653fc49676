// Package cputime reads how much processor time was used: a cost by it is the same on a loaded machine.
package cputime

import (
	"syscall"
	"time"
)

// Self is what this process has used, in user and kernel mode, on all processors.
func Self() time.Duration { return used(syscall.RUSAGE_SELF) }

// Children is what those of its children have used that have ended and were waited for, with theirs.
func Children() time.Duration { return used(syscall.RUSAGE_CHILDREN) }

func used(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic(err) // who is one that there is
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
