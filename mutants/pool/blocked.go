package pool

import (
	"context"
	"time"
)

// sleepy is for how long all threads of a worker must have been asleep, without a tick of processor time, to be asked where
// its goroutines are; blockedAfter, for how long to count as blocked if that tells nothing: much longer than a loaded machine
// keeps a thread that could run from being seen to want to.
const (
	sleepy       = 500 * time.Millisecond
	blockedAfter = 3 * time.Second
)

// watch sends on asleep, each time that another sleepy has passed, for how long all threads of the process with this id
// have been so. It returns when that is blockedAfter or the context ends.
func watch(ctx context.Context, pid int, asleep chan<- time.Duration) {
	const period = 100 * time.Millisecond
	t := time.NewTicker(period)
	defer t.Stop()
	var last int64
	slept, asked := time.Duration(0), false
	for slept < blockedAfter {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		ticks, runnable, ok := activity(pid)
		if !ok {
			return
		}
		slept += period
		if runnable || ticks != last && !asked { // to answer takes time, too
			slept = 0
		}
		last, asked = ticks, false
		if slept > 0 && slept%sleepy == 0 {
			select {
			case asleep <- slept:
				asked = true
			case <-ctx.Done():
			}
		}
	}
}
