package subject_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fetchproof/ops"
	"fetchproof/props/subject"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		command string
		words   []string
	}{
		{"a", []string{"a"}},
		{"  python3\tx.py --fault  y ", []string{"python3", "x.py", "--fault", "y"}},
		{`a 'b c' "d e" f\ g`, []string{"a", "b c", "d e", "f g"}},
		{`a 'b"\c' "d'\"\\\n" ''`, []string{"a", `b"\c`, `d'"\\n`, ""}},
		{`one' and 'two`, []string{"one and two"}},
		{`$HOME *.go; rm`, []string{"$HOME", "*.go;", "rm"}},
	} {
		if words, err := subject.Split(c.command); err != nil || !slices.Equal(words, c.words) {
			t.Errorf("%s: %q, %v", c.command, words, err)
		}
	}
	for _, command := range []string{"", " \t ", "a 'b", `a "b`, `a \`} {
		if words, err := subject.Split(command); err == nil {
			t.Errorf("%q is split into %q", command, words)
		}
	}
	for _, word := range []string{"a b", "it's", `"`, `\`, "''"} {
		if words, err := subject.Split(subject.Quote(word)); err != nil || !slices.Equal(words, []string{word}) {
			t.Errorf("%s quoted: %q, %v", word, words, err)
		}
	}
}

func TestProcessFactoryRefuses(t *testing.T) {
	for _, c := range []struct {
		command  string
		deadline time.Duration
	}{{"", time.Second}, {"'", time.Second}, {"/no/such/command", time.Second}, {"true", 0}} {
		if _, err := subject.ProcessFactory(c.command, c.deadline)(); err == nil {
			t.Errorf("%q, %s: no error", c.command, c.deadline)
		}
	}
}

// Every way to fail is told from the others, with the line that was being answered and the subject's last words.
func TestTroubles(t *testing.T) {
	for _, c := range []struct {
		mode     string
		kind     subject.TroubleKind
		message  string
		deadline time.Duration
	}{
		{"crash", subject.Crash, "ended (exit status 3)", time.Minute},
		{"hang", subject.Hang, "not answered within 3s", 3 * time.Second},
		{"garbage", subject.Garbage, "other than JSON: \"panic: no json at all\"", time.Minute},
		{"wrong", subject.Answer, `"admitted" does not fit stop`, time.Minute},
		{"error", subject.Error, "I do not like this line", time.Minute},
		{"endless", subject.Garbage, "a line of more than 33554432 bytes", time.Minute},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			p := process(t, c.mode, c.deadline)
			config := ops.DefaultConfig(ops.SchedulerMachine)
			if err := p.Init(&config); err != nil {
				t.Fatal(err)
			}
			var res ops.Result
			err := p.Apply(&ops.Op{Kind: ops.Stop, Now: 7}, &res)
			var trouble *subject.Trouble
			if !errors.As(err, &trouble) || trouble.Kind != c.kind || !strings.Contains(trouble.Message, c.message) {
				t.Fatalf("%v, want %s: %s", err, c.kind, c.message)
			}
			if n := len(trouble.Sent); n != 2 || trouble.Sent[1] != `{"op":"stop","now":7}` {
				t.Errorf("the last lines sent are %q", trouble.Sent)
			}
			// What a process that goes on has said may come later than its answer, by another way.
			if c.kind != subject.Error && !strings.Contains(trouble.Detail(), "stderr    last words of "+c.mode) {
				t.Errorf("the last words are lost: %s", trouble.Detail())
			}
			// It starts again with the next program.
			if err := p.Init(&config); err != nil && c.kind != subject.Error {
				t.Errorf("the next program: %v", err)
			}
			if c.kind != subject.Hang {
				return
			}
			const less = "not answered within 1s (its deadline is 3s; it gets less after a hang)"
			if err := p.Apply(&ops.Op{Kind: ops.Stop, Now: 7}, &res); err == nil || !strings.Contains(err.Error(), less) {
				t.Errorf("the next hang: %v, want %s", err, less)
			}
		})
	}
}

// What fails ahead of its answer is told at the line that is missed, and how many lines were ahead.
func TestTroubleWithLinesAhead(t *testing.T) {
	p := process(t, "sabotage crash", time.Minute)
	config := ops.DefaultConfig(ops.SchedulerMachine)
	if err := p.Init(&config); err != nil {
		t.Fatal(err)
	}
	send := func(op ops.Op) {
		t.Helper()
		if err := p.Send(&op); err != nil {
			t.Fatal(err)
		}
	}
	var res ops.Result
	for now := range ops.Time(40) {
		send(ops.Op{Kind: ops.Fill, Now: now})
	}
	send(ops.Op{Kind: ops.Outcome, Now: ops.Time(9 * ops.Second), Ref: ops.Ref{N: 1}, Outcome: ops.Unreachable})
	for range 500 {
		send(ops.Op{Kind: ops.Fill})
	}
	for range 40 {
		if err := p.Receive(&res, nil); err != nil {
			t.Fatal(err)
		}
	}
	err := p.Receive(&res, nil)
	var trouble *subject.Trouble
	if !errors.As(err, &trouble) || trouble.Kind != subject.Crash || trouble.Ahead != 500 {
		t.Fatalf("%v", err)
	}
	if last := trouble.Sent[len(trouble.Sent)-1]; !strings.Contains(last, `"op":"outcome"`) {
		t.Errorf("the line at which it ended is told as %s", last)
	}
	if !strings.Contains(trouble.Said, "index out of range") {
		t.Errorf("its last words are %q", trouble.Said)
	}
}

// More lines than the pipes hold, in both directions at once: neither side waits for the other for ever.
func TestMoreLinesThanThePipesHold(t *testing.T) {
	p := process(t, "builtin", time.Minute)
	config := ops.DefaultConfig(ops.SchedulerMachine)
	if err := p.Init(&config); err != nil {
		t.Fatal(err)
	}
	var list []ops.Peer
	for i := range 100 {
		list = append(list, ops.PeerNamed(fmt.Sprintf("P%d", i)))
	}
	const n = 60 // lines of 7 KB, states that grow to 400 KB
	for i := range n {
		op := ops.Op{Kind: ops.Enqueue, Key: ops.KeyNamed(fmt.Sprintf("k%d", i)), Sources: list}
		if err := errors.Join(p.Send(&op), p.Send(&ops.Op{Kind: ops.StateQuery})); err != nil {
			t.Fatal(err)
		}
	}
	var res ops.Result
	var st ops.State
	for i := range n {
		if err := errors.Join(p.Receive(&res, nil), p.Receive(&res, &st)); err != nil {
			t.Fatal(err)
		}
		if res := len(st.Scheduler.Heap); res != i+1 {
			t.Fatalf("%d keys in the heap after %d enqueues", res, i+1)
		}
	}
}

// Init forgets what is still due, and what was learned outlives it.
func TestInitForgetsAndRemembers(t *testing.T) {
	p := process(t, "lacks fill", time.Minute)
	config := ops.DefaultConfig(ops.SchedulerMachine)
	var res ops.Result
	if err := p.Init(&config); err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(&ops.Op{Kind: ops.Fill}, &res); err != nil || res.Code != ops.Unsupported || !p.Lacks(ops.Fill) {
		t.Fatalf("%v, %s", err, res.Code)
	}
	for range 10 {
		if err := p.Send(&ops.Op{Kind: ops.Arrive, Ref: ops.Ref{N: 3}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Init(&config); err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(&ops.Op{Kind: ops.Stop}, &res); err != nil || res.Code != ops.OK {
		t.Errorf("after init: %v, %s", err, res.Code)
	}
	if !p.Lacks(ops.Fill) || p.Lacks(ops.Stop) || p.Name() != "lacks fill" {
		t.Errorf("lacks fill: %t, lacks stop: %t, name %q", p.Lacks(ops.Fill), p.Lacks(ops.Stop), p.Name())
	}
	responder := ops.DefaultConfig(ops.ResponderMachine)
	if err := p.Init(&responder); err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(&ops.Op{Kind: ops.Stop}, &res); err != nil || res.Code != ops.Unsupported || p.Lacks(ops.Stop) {
		t.Errorf("a responder has no stop, and the scheduler still has: %v, %s, %t", err, res.Code, p.Lacks(ops.Stop))
	}
}

// Close ends the process with everything it started, and one that does not want to end.
func TestCloseLeavesNothing(t *testing.T) {
	for _, mode := range []string{"family", "stubborn"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := process(t, mode, time.Minute)
			config := ops.DefaultConfig(ops.SchedulerMachine)
			if err := errors.Join(p.Init(&config), p.Send(&ops.Op{Kind: ops.Stop})); err != nil {
				t.Fatal(err)
			}
			pids := append(p.Pids(), childOf(p)...)
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			if want := map[string]int{"family": 2, "stubborn": 1}[mode]; len(pids) != want {
				t.Errorf("%d processes, want %d", len(pids), want)
			}
			for _, pid := range pids {
				if alive(pid) {
					t.Errorf("process %d is still there", pid)
				}
			}
			if err := p.Close(); err != nil {
				t.Errorf("closed again: %v", err)
			}
		})
	}
}

// childOf is the process that the subject says it has started.
func childOf(p *subject.Process) (pids []int) {
	var pid int
	if n, _ := fmt.Sscanf(p.Name(), "child %d", &pid); n == 1 {
		pids = append(pids, pid)
	}
	return pids
}

// alive reports whether a process runs. One that has ended may stay in the table until it is waited for.
func alive(pid int) bool {
	for range 1000 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return false
		}
		_, state, _ := strings.Cut(string(stat), ") ")
		if strings.HasPrefix(state, "Z") {
			return false
		}
		time.Sleep(time.Millisecond) // the kernel takes its time to end what was killed
	}
	return true
}

func TestMeet(t *testing.T) {
	a, err := subject.Meet(process(t, "builtin", time.Minute))
	if err != nil || a.Name != "built-in" || len(a.Has) != 2 {
		t.Errorf("%+v, %v", a, err)
	}
	_, err = subject.Meet(process(t, "crash", time.Minute))
	var trouble *subject.Trouble
	if !errors.As(err, &trouble) || trouble.Kind != subject.Crash {
		t.Errorf("a crash is met as %v", err)
	}
}
