package pool

import (
	"context"
	"time"
)

// blockedAfter is for how long all threads of a worker must have been asleep, without a tick of processor time, for it to
// count as blocked: much longer than a loaded machine keeps a thread that could run from being seen to want to.
const blockedAfter = 3 * time.Second

// watch sends on blocked once the process with this id is, and returns when that happened or the context ends.
func watch(ctx context.Context, pid int, blocked chan<- struct{}) {
	const period = 200 * time.Millisecond
	t := time.NewTicker(period)
	defer t.Stop()
	var last int64
	asleep := time.Duration(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		ticks, runnable, ok := activity(pid)
		if !ok {
			return
		}
		asleep += period
		if runnable || ticks != last {
			asleep = 0
		}
		last = ticks
		if asleep >= blockedAfter {
			blocked <- struct{}{}
			return
		}
	}
}
