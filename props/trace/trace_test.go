package trace

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
	"fetchproof/ops"
)

// drive calls every operation of a scheduler and tells a recorder, as a worker does.
func drive(t *testing.T, rec worker.Recorder) {
	cfg := scheduler.Defaults()
	cfg.Slots, cfg.MaxPending, cfg.HashSeed = 4, 3, 1
	s, err := scheduler.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	rec.Init(cfg)
	a, b := scheduler.Peer{'A'}, scheduler.Peer{'B'}
	key := func(n byte) scheduler.Key { return scheduler.Key{n} }
	hints := []scheduler.Hint{{Peer: a, Claimant: true}, {Peer: b}}
	for n := range byte(4) { // the fourth is rejected
		rec.Add(1, key(n), hints, s.Add(1, key(n), hints))
	}
	rec.Add(1, key(0), hints, s.Add(1, key(0), hints))
	rec.Add(1, key(9), nil, s.Add(1, key(9), nil))
	rec.Ready(2, 2, s.Ready(2, 2, nil))
	both := []scheduler.Peer{a, b}
	rec.Promote(3, key(0), scheduler.Distance{1}, both, s.Promote(3, key(0), scheduler.Distance{1}, both))
	rec.Promote(3, key(0), scheduler.Distance{1}, both, s.Promote(3, key(0), scheduler.Distance{1}, both))
	for n := byte(4); n < 8; n++ {
		rec.Enqueue(3, key(n), scheduler.Distance{n}, both, s.Enqueue(3, key(n), scheduler.Distance{n}, both))
	}
	rec.Enqueue(3, key(8), scheduler.Distance{8}, nil, s.Enqueue(3, key(8), scheduler.Distance{8}, nil))
	rec.Fill(4, s.Fill(4, nil))
	p, v := s.Arrive(1)
	rec.Arrive(1, p, v)
	p2, v := s.Arrive(1)
	rec.Arrive(1, p2, v)
	rec.Answer(5, 1, p, s.Answer(5, 1, p))
	end := func(attempt scheduler.Place, kind scheduler.OutcomeKind, place scheduler.Place) {
		r, v := s.Outcome(6, attempt, kind, place, place != 0)
		rec.Outcome(6, attempt, kind, place, r, v)
	}
	end(1, scheduler.OutcomeStored, 0)
	end(1, scheduler.OutcomeStored, 0) // stale
	p, v = s.Arrive(2)
	rec.Arrive(2, p, v)
	br, v := s.Busy(6, 2, p, 7*time.Second)
	rec.Busy(6, 2, p, 7*time.Second, br, v)
	br, v = s.Busy(6, 2, p, time.Hour)
	rec.Busy(6, 2, p, time.Hour, br, v)
	end(2, scheduler.OutcomeBusy, 0)
	p, v = s.Arrive(3)
	rec.Arrive(3, p, v)
	end(3, scheduler.OutcomeNotFound, p)
	end(4, scheduler.OutcomeTimeout, 0)
	rec.Depart(7, b, s.Depart(7, b, nil))
	e, r := s.Remove(8, key(1))
	rec.Remove(8, key(1), e, r)
	e, r = s.Remove(8, key(1))
	rec.Remove(8, key(1), e, r)
	rec.Evict(9, 8, s.Evict(9, 8, nil))
	all := []scheduler.Key{key(0), key(4)}
	rec.Drained(9, all, s.Drained(all))
	s.Stop(10)
	rec.Stop(10)
	rec.Fill(11, s.Fill(11, nil))
}

// TestEveryOperation: the model accepts a trace of every operation with its failures, and every kind is in it.
func TestEveryOperation(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	drive(t, Requests{w})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	n, err := Judge("drive", bytes.NewReader(b.Bytes()))
	if err != nil || n != w.Lines()-1 {
		t.Errorf("accepted %d of %d lines: %v", n, w.Lines(), err)
	}
	file, err := ops.Parse("drive", &b)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[ops.Kind]bool{}
	for _, op := range file.Ops() {
		seen[op.Kind] = true
	}
	for k := range ops.NumKinds {
		if k.On(ops.SchedulerMachine) && k != ops.StateQuery && !seen[k] {
			t.Errorf("no %s in the trace", k)
		}
	}
}

// TestResponder: likewise for the responder.
func TestResponder(t *testing.T) {
	cfg := responder.Defaults()
	cfg.Pool, cfg.HashSeed = 2, 1
	r, err := responder.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := NewWriter(&b)
	rec := Serves{w}
	rec.Init(cfg)
	for n := range int64(8) {
		peer := responder.Peer{byte(n % 2)}
		d := r.Request(n, peer, n > 2)
		rec.Request(n, peer, n > 2, &d)
	}
	rec.Take(9, 1, r.Take(9, 1))
	rec.Take(9, 1, r.Take(9, 1))
	rec.Release(9, 1, r.Release(9, 1))
	rec.Release(9, 1, r.Release(9, 1))
	late := int64(time.Hour)
	rec.Take(late, 2, r.Take(late, 2))
	rec.SendDone(late, 1, r.SendDone(late, 1))
	rec.SendDone(late, 1, r.SendDone(late, 1))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if n, err := Judge("responder", &b); err != nil || n != 15 {
		t.Errorf("accepted %d: %v", n, err)
	}
}

// TestRejected: the first line that is not what the rules say is named, with both results.
func TestRejected(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	drive(t, Requests{w})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	const at = 13
	changed := strings.Replace(lines[at], `"result":"queued"`, `"result":"queue-full"`, 1)
	if changed == lines[at] {
		t.Fatalf("line %d is %s", at+1, lines[at])
	}
	lines[at] = changed
	n, err := Judge("changed", strings.NewReader(strings.Join(lines, "\n")))
	var r *Rejected
	if !errors.As(err, &r) || r.Line != at+1 || n != at-1 || !strings.Contains(err.Error(), "queue-full") {
		t.Errorf("accepted %d: %v", n, err)
	}
	lines[at] = strings.Replace(changed, `,"result":"queue-full"`, "", 1)
	var bare *ops.ParseError
	if _, err := Judge("bare", strings.NewReader(strings.Join(lines, "\n"))); !errors.As(err, &bare) || bare.Line != at+1 {
		t.Errorf("a line without a result: %v", err)
	}
}

// TestStatesJudged: the states that a trace brings are judged, in what of them it brings; so a time that decides no result is,
// where a line tells the clock.
func TestStatesJudged(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	drive(t, Requests{w})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	const at = 1 // the first advertisement, at time 1
	judge := func(changes ...string) error {
		changed := append([]string(nil), lines...)
		changed[at] = strings.NewReplacer(changes...).Replace(lines[at])
		if changed[at] == lines[at] {
			t.Fatalf("line %d is %s", at+1, lines[at])
		}
		_, err := Judge("trace", strings.NewReader(strings.Join(changed, "\n")))
		return err
	}
	// Without a state, a run in which the key was advertised earlier is as good.
	if err := judge(`"now":1`, `"now":0`); err != nil {
		t.Error(err)
	}
	if err := judge(`"result"`, `"state":{"clock":1},"result"`); err != nil {
		t.Error(err)
	}
	for _, changes := range [][]string{
		{`"now":1`, `"now":0`, `"result"`, `"state":{"clock":1},"result"`},
		{`"result"`, `"state":{"next_place":2},"result"`},
		{`"result"`, `"state":{"pending":{}},"result"`},
	} {
		var r *Rejected
		if err := judge(changes...); !errors.As(err, &r) || r.Line != at+1 || r.States == "" || !strings.Contains(err.Error(), "  - ") {
			t.Errorf("%s: %v", changes, err)
		}
	}
	// A state query is judged by its state.
	query := func(state string) error {
		_, err := Judge("trace", strings.NewReader(strings.Join(append(lines[:2:2], `{"op":"state","now":5,"state":`+state+`}`), "\n")))
		return err
	}
	var r *Rejected
	if err := query(`{"clock":1,"reserved":0}`); err != nil {
		t.Error(err)
	} else if err := query(`{"clock":2}`); !errors.As(err, &r) || r.Line != 3 {
		t.Error(err)
	}
}

// full is a writer without room.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestWriteFails: the error is kept, and the node is not disturbed.
func TestWriteFails(t *testing.T) {
	w := NewWriter(full{})
	for range 200 {
		drive(t, Requests{w})
	}
	if err := w.Flush(); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}

// BenchmarkLine is what recording costs, for each operation of a fetch: about the size that most lines have.
func BenchmarkLine(b *testing.B) {
	r := Requests{NewWriter(io.Discard)}
	for _, c := range []struct {
		name string
		op   func()
	}{
		{"enqueue", func() {
			r.Enqueue(1, scheduler.Key{1}, scheduler.Distance{2}, []scheduler.Peer{{1}, {2}, {3}}, scheduler.Queued)
		}},
		{"fill", func() { r.Fill(1, []scheduler.Start{{Key: scheduler.Key{1}, Attempt: 7}}) }},
		{"arrive", func() { r.Arrive(7, 8, scheduler.Verdict{}) }},
		{"answer", func() { r.Answer(1, 7, 8, scheduler.Verdict{}) }},
		{"outcome", func() {
			r.Outcome(1, 7, scheduler.OutcomeStored, 0, scheduler.OutcomeReport{Event: scheduler.Event{Kind: scheduler.EventLeft}}, scheduler.Verdict{})
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.op()
			}
		})
	}
}
