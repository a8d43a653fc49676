package script_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
	"fetchproof/props/script"
	"fetchproof/props/subject"
)

// record is a drawn program as a trace: every operation with what the model answers, and the state after every few.
func record(t *testing.T, m ops.Machine, seed uint64) []string {
	t.Helper()
	f, p := campaign.Draw(lockstep.New(subject.NewBuiltin()), gen.Seeded(seed, 1), m, 80, nil)
	if f != nil {
		t.Fatal(f)
	}
	machine := model.New(&p.Config)
	var names ops.Resolver
	names.Reset()
	var op ops.Op
	var res ops.Result
	var st ops.State
	line, err := ops.AppendTraceLine(nil, &ops.Op{Kind: ops.Init, Config: &p.Config}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{string(line)}
	for i := range p.Ops {
		if !p.Ops[i].Kind.On(m) {
			continue
		}
		names.Resolve(&p.Ops[i], &op)
		machine.Apply(&op, &res)
		names.Watch(&op, &res)
		var state *ops.State
		if i%5 == 0 && op.Kind.Timed() {
			st.Reset(m)
			machine.State(op.Now, &st)
			state = &st
		}
		if line, err = ops.AppendTraceLine(nil, &op, &res, state); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	return lines
}

func replay(t *testing.T, lines []string) (*script.Failure, error) {
	t.Helper()
	scenario, err := ops.Parse("trace.jsonl", strings.NewReader(strings.Join(lines, "\n")+"\n"))
	if err != nil {
		return nil, err
	}
	outcome, err := script.Run(scenario, subject.NewBuiltin(), 1, false)
	if err != nil {
		t.Fatal(err)
	}
	return outcome.Failure, nil
}

var machines = []ops.Machine{ops.SchedulerMachine, ops.ResponderMachine}

func TestTraceReplays(t *testing.T) {
	for _, m := range machines {
		for seed := range uint64(8) {
			if f, err := replay(t, record(t, m, seed)); f != nil || err != nil {
				t.Fatalf("%s %d: %v %v", m, seed, f, err)
			}
		}
	}
}

// answerFields are the fields of a line that are of the answer. For some operations a name is that of an argument.
var answerFields = []string{
	"result", "why", "cooldown", "due", "charge", "events", "drained", "reason", "limiter", "ticket", "send", "place", "keys", "state",
}

// isArgument tells the fields that have the name of an answer's field and are arguments of the operation.
func isArgument(op, field string) bool {
	switch field {
	case "place":
		return op != "arrive"
	case "keys":
		return op != "ready"
	case "ticket", "send":
		return op != "request"
	}
	return false
}

// edited is the line with one field changed by f, or as it is if the field is not there.
func edited(t *testing.T, line, field string, f func(any) any) (string, bool) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		t.Fatal(err)
	}
	v, ok := object[field]
	if !ok || isArgument(fmt.Sprint(object["op"]), field) {
		return line, false
	}
	if v = f(v); v == nil {
		delete(object, field)
	} else {
		object[field] = v
	}
	b, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), true
}

// Whatever a trace leaves out is not compared: any one field everywhere, or all of them.
func TestTraceThatLeavesOut(t *testing.T) {
	without := func(t *testing.T, lines []string, fields ...string) {
		t.Helper()
		for i := range lines {
			for _, field := range fields {
				lines[i], _ = edited(t, lines[i], field, func(any) any { return nil })
			}
		}
		if f, err := replay(t, lines); f != nil || err != nil {
			t.Errorf("without %v: %v %v", fields, f, err)
		}
	}
	for _, m := range machines {
		for _, field := range answerFields {
			if field != "charge" && field != "limiter" { // none, where the rest of the answer is there
				without(t, record(t, m, 3), field)
			}
		}
		without(t, record(t, m, 3), answerFields...)
		without(t, record(t, m, 3), "events", "charge")
		without(t, record(t, m, 3), "reason", "limiter")
	}
	lines := record(t, ops.SchedulerMachine, 3)
	for i := range lines {
		lines[i], _ = edited(t, lines[i], "state", func(v any) any {
			state := v.(map[string]any)
			for _, field := range []string{"contact", "heap", "index", "counters"} {
				delete(state, field)
			}
			return state
		})
	}
	if f, err := replay(t, lines); f != nil || err != nil {
		t.Errorf("with half of the state: %v %v", f, err)
	}
}

// other is a value of the same kind that is not v.
func other(field string, v any) any {
	switch v := v.(type) {
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			return 7
		}
		return n ^ 1
	case bool:
		return !v
	case []any:
		if len(v) == 0 && field == "events" {
			return []any{map[string]any{"event": "park", "key": strings.Repeat("ab", 32)}}
		} else if len(v) == 0 {
			return []any{strings.Repeat("ab", 32)}
		}
		return v[1:]
	case map[string]any:
		v["clock"] = 12345
		return v
	}
	words := map[string][]string{
		"charge": {"malformed", "connection-timeout"}, "reason": {"pool", "peer_share"}, "limiter": {"peer_rate", "global_rate"},
		"result": {"ok", "stale", "queued", "no-source", "admitted", "invalid", "silent", "serve", "shed", "present", "not-pending"},
	}
	for _, w := range words[field] {
		if w != v {
			return w
		}
	}
	return v
}

// A line of a trace that is changed in any one field of its answer is rejected at that line, by the parser or by the model.
func TestChangedTraceIsRejectedAtItsLine(t *testing.T) {
	for _, m := range machines {
		changes := map[string]int{}
		for seed := range uint64(3) {
			lines := record(t, m, seed)
			for i := range lines {
				for _, field := range answerFields {
					changed, ok := edited(t, lines[i], field, func(v any) any { return other(field, v) })
					if !ok || field == "why" {
						continue
					}
					changes[field]++
					trace := append(append(append([]string(nil), lines[:i]...), changed), lines[i+1:]...)
					f, err := replay(t, trace)
					line := 0
					if f != nil {
						line = f.Line
					} else if err != nil {
						_, _ = fmt.Sscanf(err.Error(), "trace.jsonl:%d:", &line)
					}
					if line != i+1 {
						t.Fatalf("line %d, rejected at %d (%v %v): %s changed in\n%s", i+1, line, f, err, field, lines[i])
					}
				}
			}
		}
		if len(changes) < 6 {
			t.Errorf("%s: only %v were changed", m, changes)
		}
	}
}

// A charge that the rules want cannot be left out of an outcome that is otherwise given whole.
func TestTraceWithoutACharge(t *testing.T) {
	for seed := range uint64(20) {
		lines := record(t, ops.SchedulerMachine, seed)
		for i := range lines {
			without, ok := edited(t, lines[i], "charge", func(any) any { return nil })
			if !ok {
				continue
			}
			trace := append([]string(nil), lines...)
			trace[i] = without
			if f, err := replay(t, trace); err != nil || f == nil || f.Line != i+1 {
				t.Fatalf("line %d: %v %v\n%s", i+1, f, err, lines[i])
			}
			return
		}
	}
	t.Fatal("nothing was charged")
}

// A trace that is read and written again says the same, and no more.
func TestTraceRoundTrip(t *testing.T) {
	lines := record(t, ops.SchedulerMachine, 5)
	for i := range lines {
		if i%3 == 0 {
			lines[i], _ = edited(t, lines[i], "events", func(any) any { return nil })
		}
		lines[i], _ = edited(t, lines[i], "cooldown", func(any) any { return nil })
	}
	read := func(data []byte) []byte {
		scenario, err := ops.Parse("trace.jsonl", bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		out, err := scenario.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	once := read([]byte(strings.Join(lines, "\n")))
	if twice := read(once); !bytes.Equal(once, twice) {
		t.Error("a trace changes when it is read and written again")
	}
	for i, line := range strings.Split(strings.TrimSpace(string(once)), "\n") {
		var a, b map[string]any
		if json.Unmarshal([]byte(line), &a) != nil || json.Unmarshal([]byte(lines[i]), &b) != nil || len(a) != len(b) {
			t.Fatalf("%s\nis written as\n%s", lines[i], line)
		}
	}
}

// A trace that is not as the rules want it is told with both sides by their names, the rules that say so and what the model met.
func TestTraceFailureText(t *testing.T) {
	config := ops.DefaultConfig(ops.SchedulerMachine)
	init, err := ops.AppendTraceLine(nil, &ops.Op{Kind: ops.Init, Config: &config}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	id := func(letter string) string { return letter + strings.Repeat("0", 62) }
	add := `{"op":"add","now":1,"key":"` + id("6b") + `","hints":[{"peer":"` + id("41") + `","claimant":true}],`
	for line, wants := range map[string][]string{
		add + `"result":"already-present"}`: {
			"the trace answers otherwise", "\nrules     PND-2 ", "\napplied   ADV-1: ", "\nmodel     admitted\ntrace     already-present k\n",
		},
		add + `"result":"admitted","state":{"clock":2}}`: {
			"the trace's state differs from the model's in clock", "\nrules     DET-3\n", "\nstate     - model, + trace\n  - clock      1ns\n  + clock      2ns\n",
		},
	} {
		f, err := replay(t, []string{string(init), line})
		if err != nil || f == nil {
			t.Fatalf("%v, %v", f, err)
		}
		for _, want := range append(wants, "at        trace.jsonl:2\n") {
			if text := f.Text("trace.jsonl"); !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		if f.Lockstep.Property != script.TraceName || f.Shrinkable() {
			t.Errorf("%s, shrinkable: %t", f.Lockstep.Property, f.Shrinkable())
		}
	}
}
