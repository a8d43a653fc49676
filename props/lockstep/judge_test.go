package lockstep_test

import (
	"testing"

	"fetchproof/ops"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// skewed is a subject that counts wrongly, and in whose state keys have no sources.
type skewed struct{ *subject.Builtin }

func (s *skewed) State(now ops.Time, into *ops.State) error {
	err := s.Builtin.State(now, into)
	into.Scheduler.Counters[0]++
	for i := range into.Scheduler.Queued {
		into.Scheduler.Queued[i].Untried = nil
	}
	return err
}

// What Judge refuses is as if it held: the program goes on to what it admits.
func TestJudge(t *testing.T) {
	p := lockstep.Program{Config: ops.DefaultConfig(ops.SchedulerMachine), Ops: []ops.Op{
		{Kind: ops.Depart, Peer: ops.PeerNamed("B")},
		{Kind: ops.Enqueue, Key: ops.KeyNamed("k1"), Sources: []ops.Peer{ops.PeerNamed("A")}},
	}}
	for _, c := range []struct {
		name  string
		judge func(string) bool
		want  string
		step  int
	}{
		{"all", nil, "state/counters", -1},
		{"counters", func(name string) bool { return name == "state/counters" }, "state/counters", -1},
		{"queued", func(name string) bool { return name == "state/queued" }, "state/queued", 1},
		{"nothing", func(string) bool { return false }, "", 0},
	} {
		r := lockstep.New(&skewed{subject.NewBuiltin()})
		r.Judge = c.judge
		f, err := r.Run(&p, false)
		switch {
		case err != nil:
			t.Fatal(err)
		case f == nil && c.want != "" || f != nil && (f.Property != c.want || f.Step != c.step):
			t.Errorf("%s: %+v, want %q at step %d", c.name, f, c.want, c.step)
		}
	}
}
