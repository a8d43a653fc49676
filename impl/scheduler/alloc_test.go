package scheduler

import (
	"fmt"
	"testing"
	"time"
)

// TestSteadyStateAllocations: at a steady state no operation allocates, observing
// and copying included.
func TestSteadyStateAllocations(t *testing.T) {
	for _, share := range []int{1, 4} {
		t.Run(fmt.Sprint("share=", share), func(t *testing.T) {
			cfg := seeded()
			cfg.Slots, cfg.Share, cfg.ContactTable, cfg.BusyTable = 4, share, 2, 2
			s, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			var copied Scheduler
			var st State
			c := cycle{s: s}
			for range 200 {
				c.run()
			}
			s.Observe(c.now, &st)
			copied.CopyFrom(s)
			if n := testing.AllocsPerRun(200, func() {
				c.run()
				s.Observe(c.now, &st)
				copied.CopyFrom(s)
			}); n != 0 {
				t.Fatalf("%v allocations in a cycle", n)
			}
			if share == 1 && st.Counters.Parked == 0 || st.Counters.Busy == 0 || st.Counters.MarksSet == 0 {
				t.Fatalf("the cycle is too tame: %+v", st.Counters)
			}
		})
	}
}

// cycle is a round of every operation over six keys and five peers, after which
// the scheduler is where it was.
type cycle struct {
	s      *Scheduler
	now    Time
	starts []Start
	events []Event
	keys   []Key
	from   [5]Peer
	hints  [5]Hint
}

func (c *cycle) run() {
	s := c.s
	c.now += Time(time.Second)
	for i := range c.from {
		c.from[i] = peer(rune('A' + i))
		c.hints[i] = Hint{c.from[i], i%2 == 0}
	}
	for n := range 6 {
		s.Add(c.now, key(n), c.hints[n%5:])
		s.Add(c.now, key(n), c.hints[:])
		s.Promote(c.now, key(n), dist(n), c.from[n%3:n%3+2])
		s.Add(c.now, key(n), c.hints[:])
	}
	c.starts = s.Fill(c.now, c.starts[:0])
	for i := 0; i < len(c.starts); i++ {
		a := c.starts[i].Attempt
		p, _ := s.Arrive(a)
		var r OutcomeReport
		switch i % 3 {
		case 0:
			s.Busy(c.now, a, p, 5*time.Second)
			r, _ = s.Outcome(c.now, a, OutcomeBusy, 0, false)
		case 1:
			r, _ = s.Outcome(c.now, a, OutcomeStored, p, true)
		case 2:
			r, _ = s.Outcome(c.now, a, OutcomeTimeout, 0, false)
		}
		if r.Event.Kind == EventStart {
			c.starts = append(c.starts, Start{Attempt: r.Event.Attempt})
		}
		c.starts = s.Fill(c.now, c.starts)
	}
	c.keys = s.Ready(c.now+Time(time.Hour), 10, c.keys[:0])
	for i := range c.from {
		c.events = s.Depart(c.now, c.from[i], c.events[:0])
	}
	c.events = s.Evict(c.now, 0, c.events[:0])
}

// BenchmarkTiny is a cycle of about seventy operations over six keys.
func BenchmarkTiny(b *testing.B) {
	cfg := seeded()
	cfg.Slots, cfg.Share, cfg.ContactTable, cfg.BusyTable = 4, 1, 2, 2
	s, err := New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	c := cycle{s: s}
	b.Run("cycle", func(b *testing.B) {
		for b.Loop() {
			c.run()
		}
	})
	b.Run("new", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s, _ := New(cfg)
			d := cycle{s: s}
			d.run()
		}
	})
	for n := range 6 {
		s.Add(c.now, key(n), c.hints[:])
		s.Promote(c.now, key(n), dist(n), c.from[:3])
	}
	s.Fill(c.now, nil)
	var st State
	b.Run("observe", func(b *testing.B) {
		for b.Loop() {
			s.Observe(c.now, &st)
		}
	})
	var to Scheduler
	b.Run("copy", func(b *testing.B) {
		for b.Loop() {
			to.CopyFrom(s)
		}
	})
}
