package pool

import (
	"regexp"
	"slices"
	"strings"
)

// Deadlock is the error of a worker that can never answer: all of its goroutines wait for one another, one of them for a
// lock. It needs no clock to tell that.
type Deadlock struct{ Where string } // the function that waits for the lock

func (d *Deadlock) Error() string {
	return "deadlock: " + d.Where + " waits for a lock that nobody will give back"
}

var goroutineHead = regexp.MustCompile(`^goroutine \d+ .*\[([^],]+)`)

// forLock and forOthers are the states of goroutines that wait for something that only another goroutine can do. Those that
// wait for a channel might wait for a timer: they are none for sure, but where another one waits for a lock, and its holder
// is among them.
var (
	forLock   = []string{"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock"}
	forOthers = []string{"chan receive", "chan send", "sync.WaitGroup.Wait", "sync.Cond.Wait", "semacquire", "select (no cases)"}
)

// plumbing marks the goroutines that are not the layer's: those that read requests, one of which wrote the dump, and output,
// and that wait for the layer.
var plumbing = []string{"/mutants/worker.serve", "/testworker.capture.func", "os/signal."}

// durable marks what waits inside of a bubble of virtual time: the clock there stands still while another one waits for a lock.
const durable = "(durable)"

// readDump judges the goroutines of a dump.
func readDump(text string) *Deadlock {
	var d *Deadlock
	for _, g := range strings.Split(text, "\n\n") {
		head, stack, _ := strings.Cut(strings.TrimSpace(g), "\n")
		m := goroutineHead.FindStringSubmatch(head)
		if m == nil || ofRuntime(stack) || slices.ContainsFunc(plumbing, func(s string) bool { return strings.Contains(stack, s) }) {
			continue
		}
		switch state := m[1]; {
		case slices.Contains(forLock, state):
			if d == nil {
				d = &Deadlock{caller(stack)}
			}
		case !slices.Contains(forOthers, state) && !strings.Contains(state, durable):
			return nil
		}
	}
	return d
}

// functions are those of a stack, the innermost first, with what created it last.
func functions(stack string) (names []string) {
	for line := range strings.Lines(stack) {
		if !strings.HasPrefix(line, "\t") {
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "created by "), " in goroutine")
			if i := strings.LastIndexByte(name, '('); i > 0 && !strings.HasPrefix(line, "created by ") {
				name = name[:i]
			}
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// ofLibrary reports whether a function belongs to the runtime or its locks.
func ofLibrary(name string) bool {
	return slices.ContainsFunc([]string{"runtime.", "internal/", "sync."}, func(p string) bool { return strings.HasPrefix(name, p) })
}

// ofRuntime reports whether all of a stack is the runtime's.
func ofRuntime(stack string) bool {
	return !slices.ContainsFunc(functions(stack), func(n string) bool { return !ofLibrary(n) })
}

// caller is the first function of a stack outside of the standard library's locks.
func caller(stack string) string {
	for _, name := range functions(stack) {
		if !ofLibrary(name) {
			return name
		}
	}
	return "something"
}
