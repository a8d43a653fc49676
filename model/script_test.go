package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fetchproof/ops"
)

// step is an operation and what it must answer, as show writes it; or, if look is set, a part of the state and what it
// must be, as look* writes it.
type step struct {
	op   ops.Op
	look string
	want string
}

// script is a case of a rule: steps on a scheduler with few slots.
type script struct {
	rule  string
	name  string
	cfg   func(*ops.SchedulerConfig)
	steps []step
}

func testConfig() ops.SchedulerConfig {
	cfg := ops.DefaultConfig(ops.SchedulerMachine).Scheduler
	cfg.Slots, cfg.Share = 4, 1
	return cfg
}

func runScripts(t *testing.T, scripts []script) {
	t.Helper()
	for _, sc := range scripts {
		t.Run(sc.rule+"/"+sc.name, func(t *testing.T) {
			cfg := testConfig()
			if sc.cfg != nil {
				sc.cfg(&cfg)
			}
			runSteps(t, NewScheduler(cfg), sc.steps)
		})
	}
}

func runSteps(t *testing.T, m Machine, steps []step) {
	t.Helper()
	var res ops.Result
	var state ops.State
	for i, st := range steps {
		var got string
		if st.look != "" {
			m.State(st.op.Now, &state)
			got = look(&state, st.look)
		} else {
			m.Apply(&st.op, &res)
			got = show(&res)
		}
		if got != st.want {
			t.Fatalf("step %d, %s %s:\n got %s\nwant %s", i, st.op.Kind, st.look, got, st.want)
		}
	}
}

// show writes a result: its code, its fields and its events.
func show(res *ops.Result) string {
	var out []string
	put := func(present bool, format string, args ...any) {
		if present {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	put(res.Code != ops.None, "%v", res.Code)
	put(res.Place != 0, "%d", res.Place)
	put(res.Cooldown != 0, "cooldown=%v", res.Cooldown)
	put(res.Due != 0, "due=%v", res.Due)
	put(res.Charge != ops.NoCharge, "%v", res.Charge)
	put(res.Drained, "drained")
	put(res.Ticket != 0, "ticket=%d", res.Ticket)
	put(res.Send != 0, "send=%d", res.Send)
	put(res.Reason != ops.NoRefusal, "%v", res.Reason)
	put(res.Limiter != ops.NoBound, "%v", res.Limiter)
	for _, k := range res.Keys {
		put(true, "%v", k)
	}
	for _, e := range res.Events {
		put(e.Kind == ops.Start, "start %v %v %d", e.Key, e.Source, e.Attempt)
		put(e.Kind == ops.Left, "%v %v", e.Key, e.Reason)
		put(e.Kind == ops.Park || e.Kind == ops.ToPending, "%v %v", e.Kind, e.Key)
	}
	return strings.Join(out, " ")
}

// look writes a part of a state.
func look(state *ops.State, part string) string {
	s := &state.Scheduler
	var out []string
	put := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch part {
	case "heap":
		put("%v", s.Heap)
	case "index":
		for _, x := range s.Index {
			put("%v%v", x.Source, x.Keys)
		}
	case "queued":
		for _, q := range s.Queued {
			put("%v%v tried%v retry=%v", q.Key, q.Untried, q.Tried, q.HasRetry)
		}
	case "flights":
		for _, f := range s.InFlight {
			put("%v@%v#%d%v retry=%v", f.Key, f.Source, f.Attempt, f.Untried, f.HasRetry)
		}
	case "contact":
		for _, c := range s.Contact {
			put("%v:%d/%d/%v", c.Source, c.LastAnswer, c.LastUnanswered, c.MarkedUntil)
		}
	case "window":
		put("%v", s.OverflowUntil)
	case "busy":
		for _, b := range s.Busy {
			put("%v:%d/%v/%v", b.Source, b.Streak, b.Last, b.Until)
		}
	case "pending":
		for _, p := range s.Pending {
			put("%v%v%v by %v at %v", p.Key, p.Entry.Hints, p.Entry.Claimants, p.Entry.Owner, p.Entry.NextVerify)
		}
	case "retry":
		for _, q := range s.Queued {
			put("%v%v%v by %v", q.Key, q.Retry.Hints, q.Retry.Claimants, q.Retry.Owner)
		}
	case "charges":
		put("reserved=%d", s.Reserved)
		for _, c := range s.Charges {
			put("%v:%d", c.Owner, c.Charge)
		}
	case "marks":
		c := &s.Counters
		put("set=%d refreshed=%d cleared=%d expired=%d unanswered=%d", c[ops.MarksSet], c[ops.MarksRefreshed],
			c[ops.MarksCleared], c[ops.MarksExpired], c[ops.Unanswered])
	case "limiter":
		for _, l := range state.Responder.Limiter {
			put("%v:%d/%v", l.Peer, l.Sending, l.FullAt)
		}
	case "clock":
		put("%v", s.Clock)
	default:
		panic("no part " + part)
	}
	return strings.Join(out, " ")
}

// The operations, by the words of the protocol. A time is in seconds, and 0 is as good as any: it counts as the latest
// seen.

func at(d time.Duration, s step) step {
	s.op.Now = ops.Time(d)
	return s
}

func see(part, want string) step { return step{look: part, want: want} }

// add is an advertisement; a peer that ends in + claims to hold the key.
func add(key, peers, want string) step {
	op := ops.Op{Kind: ops.Add, Key: ops.KeyNamed(key)}
	for _, name := range strings.Fields(peers) {
		name, claims := strings.CutSuffix(name, "+")
		op.Hints = append(op.Hints, ops.Hint{Peer: ops.PeerNamed(name), Claimant: claims})
	}
	return step{op: op, want: want}
}

func withSources(kind ops.Kind, key string, distance uint64, peers, want string) step {
	op := ops.Op{Kind: kind, Key: ops.KeyNamed(key), Distance: ops.DistanceOf(distance)}
	for _, name := range strings.Fields(peers) {
		op.Sources = append(op.Sources, ops.PeerNamed(name))
	}
	return step{op: op, want: want}
}

func promote(key string, distance uint64, peers, want string) step {
	return withSources(ops.Promote, key, distance, peers, want)
}

func enqueue(key string, distance uint64, peers, want string) step {
	return withSources(ops.Enqueue, key, distance, peers, want)
}

func fill(want string) step { return step{op: ops.Op{Kind: ops.Fill}, want: want} }
func stop() step            { return step{op: ops.Op{Kind: ops.Stop}, want: "ok"} }

func arrive(attempt uint64, want string) step {
	return step{op: ops.Op{Kind: ops.Arrive, Ref: ops.Ref{N: attempt}}, want: want}
}

func answer(attempt, place uint64, want string) step {
	return step{op: ops.Op{Kind: ops.Answer, Ref: ops.Ref{N: attempt}, PlaceArg: ops.ThisPlace, Place: place}, want: want}
}

func busyReply(attempt, place uint64, wait time.Duration, want string) step {
	s := answer(attempt, place, want)
	s.op.Kind, s.op.Wait = ops.BusyReply, ops.Duration(wait)
	return s
}

// ends is an outcome without an answer place.
func ends(attempt uint64, kind ops.OutcomeKind, want string) step {
	return step{op: ops.Op{Kind: ops.Outcome, Ref: ops.Ref{N: attempt}, Outcome: kind}, want: want}
}

// endsAt is an outcome that brings an answer place.
func endsAt(attempt uint64, kind ops.OutcomeKind, place uint64, want string) step {
	s := ends(attempt, kind, want)
	s.op.PlaceArg, s.op.Place = ops.ThisPlace, place
	return s
}

func depart(peer, want string) step {
	return step{op: ops.Op{Kind: ops.Depart, Peer: ops.PeerNamed(peer)}, want: want}
}

func remove(key, want string) step {
	return step{op: ops.Op{Kind: ops.Remove, Key: ops.KeyNamed(key)}, want: want}
}

func evict(age time.Duration, want string) step {
	return step{op: ops.Op{Kind: ops.Evict, MaxAge: ops.Duration(age)}, want: want}
}

func ready(limit int64, want string) step {
	return step{op: ops.Op{Kind: ops.Ready, Limit: limit}, want: want}
}

func drained(want string, keys ...string) step {
	op := ops.Op{Kind: ops.Drained}
	for _, k := range keys {
		op.Keys = append(op.Keys, ops.KeyNamed(k))
	}
	return step{op: op, want: want}
}
