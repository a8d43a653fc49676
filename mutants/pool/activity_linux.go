package pool

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// activity is the processor time that a process has used, in ticks of the kernel's, and whether any of its threads wants
// more; ok is false if the kernel does not say.
func activity(pid int) (ticks int64, runnable, ok bool) {
	tasks, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "stat"))
	if err != nil || len(tasks) == 0 {
		return 0, false, false
	}
	for _, path := range tasks {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the thread is gone
		}
		// The fields after the name, which is in parentheses and may hold anything: the state first, user and system time
		// eleventh and twelfth after it.
		end := bytes.LastIndexByte(text, ')')
		fields := bytes.Fields(text[end+1:])
		if len(fields) < 13 {
			return 0, false, false
		}
		runnable = runnable || fields[0][0] != 'S'
		for _, f := range fields[11:13] {
			n, err := strconv.ParseInt(string(f), 10, 64)
			if err != nil {
				return 0, false, false
			}
			ticks += n
		}
	}
	return ticks, runnable, true
}
