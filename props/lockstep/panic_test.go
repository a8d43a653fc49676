package lockstep_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"fetchproof/ops"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// fragile is a subject that does not survive a fill pass.
type fragile struct{ *subject.Builtin }

func (f *fragile) Apply(op *ops.Op, res *ops.Result) error {
	if op.Kind == ops.Fill {
		var none []int
		none[0]++
	}
	return f.Builtin.Apply(op, res)
}

// A panic of the subject says that it is the subject's, where it was, and what the model answers; and it says the same in
// every run.
func TestPanicOfTheSubject(t *testing.T) {
	p := lockstep.Program{Config: ops.DefaultConfig(ops.SchedulerMachine), Ops: []ops.Op{
		{Kind: ops.Enqueue, Key: ops.KeyNamed("k1"), Sources: []ops.Peer{ops.PeerNamed("A")}},
		{Kind: ops.Fill},
	}}
	var before string
	for range 3 {
		f, err := lockstep.New(&fragile{subject.NewBuiltin()}).Run(&p, false)
		if err != nil || f == nil {
			t.Fatal(f, err)
		}
		text := onScreen(t, f)
		wants(t, text, "FAIL  panic\n      the subject panics: runtime error: index out of range [0] with length 0\n",
			"model     start k1 from A #1\nsubject   no answer\n", "stack     fetchproof/props/lockstep_test.(*fragile).Apply ")
		if regexp.MustCompile(`0x[0-9a-f]`).MatchString(text) {
			t.Errorf("an address differs from run to run:\n%s", text)
		}
		if before != "" && text != before {
			t.Errorf("another text:\n%s\nthan before:\n%s", text, before)
		}
		before = text
	}
	if strings.Contains(before, "lockstep.(*Runner)") {
		t.Errorf("frames of the lockstep itself:\n%s", before)
	}
}

// mute is a subject that fails at a fill pass.
type mute struct{ *subject.Builtin }

func (m *mute) Apply(op *ops.Op, res *ops.Result) error {
	if op.Kind == ops.Fill {
		return errors.New("the wire is cut")
	}
	return m.Builtin.Apply(op, res)
}

// A subject that gives no answer is told of with the answer that was due, not with that to the operation before.
func TestNoAnswer(t *testing.T) {
	p := lockstep.Program{Config: ops.DefaultConfig(ops.SchedulerMachine), Ops: []ops.Op{
		{Kind: ops.Enqueue, Key: ops.KeyNamed("k1"), Sources: []ops.Peer{ops.PeerNamed("A")}},
		{Kind: ops.Fill},
	}}
	f, err := lockstep.New(&mute{subject.NewBuiltin()}).Run(&p, false)
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	wants(t, onScreen(t, f), "FAIL  subject\n      the wire is cut\n", "step 2    @0s fill\n",
		"model     start k1 from A #1\nsubject   no answer\n")
}
