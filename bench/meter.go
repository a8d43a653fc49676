package bench

import (
	"runtime"
	"time"
)

// Sample is what one operation cost in one process.
type Sample struct {
	Op      string  `json:"op"`
	N       int     `json:"n"`              // how many times it was carried out
	CPU     float64 `json:"cpu_ns"`         // ns of CPU time each, in the mean
	Worst   float64 `json:"worst_ns"`       // ns of CPU time of the dearest one, 0 if they were not timed one by one
	Allocs  float64 `json:"allocs"`         // objects allocated each, in the mean
	Bytes   float64 `json:"bytes"`          // bytes allocated each, in the mean
	RSS     float64 `json:"peak_rss_bytes"` // of the whole process, 0 if it was not read after this operation
	Left    float64 `json:"left_bytes"`     // of the heap in use afterwards, 0 if it was not read
	Touched float64 `json:"touched"`        // entries that each looked at, in the mean, 0 if they were not counted
	Most    float64 `json:"most_touched"`   // entries that one operation looked at at most, 0 if they were not counted
}

// meter measures what passes between start and stop, less the CPU time between pause and resume: there a load draws its
// inputs, and must not allocate. The memory statistics stop the world and empty the allocator's caches, so they are read
// at the ends only.
type meter struct {
	cpu           time.Duration
	allocs, bytes uint64

	at     time.Duration
	before runtime.MemStats
}

func (m *meter) start() {
	runtime.ReadMemStats(&m.before)
	m.resume()
}

func (m *meter) pause() { m.cpu += processCPU() - m.at }

func (m *meter) resume() { m.at = processCPU() }

func (m *meter) stop() {
	m.pause()
	allocs, bytes := m.before.Mallocs, m.before.TotalAlloc
	runtime.ReadMemStats(&m.before)
	m.allocs, m.bytes = m.before.Mallocs-allocs, m.before.TotalAlloc-bytes
}

// sample closes the account: n operations.
func (m *meter) sample(op string, n int) Sample {
	d := float64(max(n, 1))
	return Sample{
		Op: op, N: n,
		CPU: float64(m.cpu.Nanoseconds()) / d, Allocs: float64(m.allocs) / d, Bytes: float64(m.bytes) / d,
	}
}

// per is the cost of each of the parts that an operation has, in the mean.
func (s Sample) per(parts int) Sample {
	d := float64(parts)
	s.N *= parts
	s.CPU, s.Allocs, s.Bytes = s.CPU/d, s.Allocs/d, s.Bytes/d
	return s
}

// measure is one stretch of n operations.
func measure(op string, n int, f func()) Sample {
	var m meter
	m.start()
	f()
	m.stop()
	return m.sample(op, n)
}

// singles times operations one by one by the thread's CPU clock, less what reading the clock costs. The collector's
// work on other threads does not count.
type singles struct {
	n            int
	total, worst time.Duration
	overhead     time.Duration
}

// newSingles locks the goroutine to its thread for good: a case's process ends with it.
func newSingles() *singles {
	runtime.LockOSThread()
	s := &singles{overhead: time.Second}
	for range 1000 {
		at := threadCPU()
		s.overhead = min(s.overhead, threadCPU()-at)
	}
	return s
}

func (s *singles) time(f func()) {
	at := threadCPU()
	f()
	d := max(0, threadCPU()-at-s.overhead)
	s.n++
	s.total += d
	s.worst = max(s.worst, d)
}

// into replaces the CPU figures of a sample of the same operations.
func (s *singles) into(x Sample) Sample {
	x.N = s.n
	x.CPU = float64(s.total.Nanoseconds()) / float64(max(s.n, 1))
	x.Worst = float64(s.worst.Nanoseconds())
	return x
}
