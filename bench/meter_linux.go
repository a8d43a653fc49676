package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// processCPU is the CPU time of the process so far, all threads and so the garbage collector's included.
func processCPU() time.Duration { return clock(unix.CLOCK_PROCESS_CPUTIME_ID) }

// threadCPU is the CPU time of the calling thread so far. It means something only while the goroutine is locked to it.
func threadCPU() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

func clock(id int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(id, &t); err != nil {
		panic("bench: the kernel has no CPU clock: " + err.Error())
	}
	return time.Duration(t.Nano())
}

// pinPages has the kernel back memory by small pages: with huge ones, which some machines use for everything, the peak RSS
// counts what was never touched. Where that is refused, the figure may come out higher, never lower.
func pinPages() { _ = unix.Prctl(unix.PR_SET_THP_DISABLE, 1, 0, 0, 0) }

// peakRSS is the most memory, in bytes, that this process ever had resident. It is read from the process itself: what
// a parent learns of a child is at least the parent's own size at the fork.
func peakRSS() (int64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("bench: reading the peak RSS: %w", err)
	}
	return parseHWM(status)
}

// parseHWM finds VmHWM in the text of /proc/self/status, in bytes.
func parseHWM(status []byte) (int64, error) {
	for line := range bytes.Lines(status) {
		f := bytes.Fields(line)
		if len(f) != 3 || string(f[0]) != "VmHWM:" || string(f[2]) != "kB" {
			continue
		}
		n, err := strconv.ParseInt(string(f[1]), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("bench: VmHWM: %w", err)
		}
		return n << 10, nil
	}
	return 0, fmt.Errorf("bench: /proc/self/status has no VmHWM line")
}
