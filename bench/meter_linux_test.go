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

// TestMeterAddsUp counts allocations in stretches, and nothing between them.
func TestMeterAddsUp(t *testing.T) {
	var m meter
	var keep [][]byte
	for range 3 {
		m.start()
		for range 100 {
			keep = append(keep[:0], make([]byte, 1000))
		}
		m.stop()
		for range 1000 {
			keep = append(keep[:0], make([]byte, 1000))
		}
	}
	s := m.sample("add", 300)
	if s.Allocs < 1 || s.Allocs > 1.2 || s.Bytes < 1000 || s.Bytes > 1400 || s.CPU <= 0 {
		t.Errorf("300 allocations of 1000 bytes are %+v of %d", s, len(keep))
	}
}
