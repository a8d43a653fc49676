package bench

import (
	"testing"
	"time"
)

// TestParseHWM reads the line that Linux writes.
func TestParseHWM(t *testing.T) {
	got, err := parseHWM([]byte("Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t    2204 kB\nVmRSS:\t 1 kB\n"))
	if err != nil || got != 2204<<10 {
		t.Errorf("it is %d, %v", got, err)
	}
	if _, err := parseHWM([]byte("Name:\tx\n")); err == nil {
		t.Error("a status without the line gave no error")
	}
}

// TestSinglesTimesOneByOne spins for known CPU times.
func TestSinglesTimesOneByOne(t *testing.T) {
	one := newSingles()
	spin := func(d time.Duration) {
		one.time(func() {
			for from := threadCPU(); threadCPU()-from < d; {
			}
		})
	}
	spin(2 * time.Millisecond)
	spin(20 * time.Millisecond)
	s := one.into(Sample{Op: "wake"})
	if s.N != 2 || s.Worst < 20e6 || s.CPU < 11e6 || s.CPU > s.Worst {
		t.Errorf("two spins of 2 and 20 ms are %+v", s)
	}
}

// TestChunksAreMetered allocates and spins in both halves of every chunk: the CPU time of the first half must not count.
func TestChunksAreMetered(t *testing.T) {
	var keep []byte
	spin := func(d time.Duration) {
		for from := processCPU(); processCPU()-from < d; {
		}
	}
	prepared, done := 0, 0
	s := chunks("add", 3*chunk-1, func(from, to int) {
		prepared += to - from
		spin(30 * time.Millisecond)
	}, func(from, to int) {
		done += to - from
		for range to - from {
			keep = make([]byte, 1000)
		}
		spin(2 * time.Millisecond)
	})
	if prepared != 3*chunk-1 || done != prepared || s.N != done {
		t.Errorf("%d were prepared and %d done, the sample says %d", prepared, done, s.N)
	}
	if s.Allocs < 1 || s.Allocs > 1.2 || s.Bytes < 1000 || s.Bytes > 1400 {
		t.Errorf("an allocation of 1000 bytes each is %+v (%d)", s, len(keep))
	}
	if total := s.CPU * float64(s.N); total < 6e6 || total > 30e6 {
		t.Errorf("three spins of 2 ms, beside three of 30, are %.1f ms", total/1e6)
	}
	if per := s.per(4); per.N != 4*s.N || per.CPU != s.CPU/4 || per.Allocs != s.Allocs/4 {
		t.Errorf("a quarter of %+v is %+v", s, per)
	}
}

// TestInputsCostNoAllocation is what the meter relies on: what is drawn while it pauses does not show in its counts.
func TestInputsCostNoAllocation(t *testing.T) {
	w := newWorld(Case{Keys: 1000, Sources: 8, Peers: 20}, 1)
	if n := testing.AllocsPerRun(10, func() { w.prepare(0, chunk) }); n > 0 {
		t.Errorf("drawing the inputs of a chunk allocates %v times", n)
	}
}
