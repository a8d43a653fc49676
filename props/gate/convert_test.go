package gate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fetchproof/corpus"
	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

func converted(t *testing.T, data []byte, o ConvertOptions) ([]byte, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scenario")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	o.Out = &out
	err := Convert(context.Background(), path, o)
	return out.Bytes(), err
}

// Every scenario of the corpus, and drawn programs of both machines, turn into JSON lines and back into the same text.
func TestConvertBothWays(t *testing.T) {
	scenarios, err := corpus.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		m := ops.Machine(seed % 2)
		_, p := campaign.Draw(lockstep.New(subject.NewBuiltin()), gen.Seeded(seed, 0), m, 60, nil)
		p.Ops = slices.DeleteFunc(p.Ops, func(op ops.Op) bool { return !op.Kind.On(m) })
		scenarios = append(scenarios, p.Scenario("A program.", "", "  It was drawn."))
	}
	for _, s := range scenarios {
		text := s.AppendText(nil)
		lines, err := converted(t, text, ConvertOptions{})
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if lines[0] != '{' {
			t.Fatalf("%s: no JSON lines: %.80s", s.Name, lines)
		}
		again, err := converted(t, lines, ConvertOptions{})
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("%s: %v\n%s\nwant\n%s", s.Name, err, again, text)
		}
	}
}

const traceWithResult = `{"op":"init","protocol":1,"machine":"responder","config":{"peer_share":2,"pool":12,"fetch_timeout":30000000000,"busy_send_permits":48,"busy_peer_burst":2,"busy_peer_rate":1,"busy_peer_in_flight":2,"busy_global_burst":32,"busy_global_rate":16,"busy_send_deadline":2000000000,"busy_peer_table":4096,"workers":3}}
{"op":"take","now":0,"ticket":1,"result":"stale"}
`

// What the other form cannot hold is refused with its line, or left out where that is wanted.
func TestConvertRefusesToLose(t *testing.T) {
	_, err := converted(t, []byte(traceWithResult), ConvertOptions{})
	var at *ops.ParseError
	if !errors.Is(err, ErrLossy) || !errors.As(err, &at) || at.Line != 2 {
		t.Errorf("a trace with a result: %v", err)
	}
	text, err := converted(t, []byte(traceWithResult), ConvertOptions{Drop: true})
	if err != nil || string(text) != "responder\ntake #1\n" {
		t.Errorf("with its result dropped: %q, %v", text, err)
	}
	comment := `{"comment":"one\ntake #7"}` + "\n" + traceWithResult
	if _, err := converted(t, []byte(comment), ConvertOptions{Drop: true}); err == nil {
		t.Errorf("a comment of two lines: %v", err)
	}
	for _, bad := range []string{"", "nonsense\n", `{"op":"take"}`} {
		if _, err := converted(t, []byte(bad), ConvertOptions{}); err == nil {
			t.Errorf("%q is converted", bad)
		}
	}
}

// A process is met before it is checked: what it lacks is told, one that cannot be met fails the check.
func TestCheckMeetsAProcess(t *testing.T) {
	for _, c := range []struct{ command, property string }{
		{"true", "subject/crash"}, {"cat", "subject/answer"}, {"echo hello", "subject/garbage"},
	} {
		var out bytes.Buffer
		held, err := Check(t.Context(), CheckOptions{
			Out: &out, Seed: 1, Steps: 10, FailureDir: t.TempDir(), Subject: SubjectOptions{Command: c.command, Deadline: DefaultDeadline},
		})
		if held || err != nil || !bytes.Contains(out.Bytes(), []byte("FAIL  "+c.property)) {
			t.Errorf("%s: held: %t, %v\n%s", c.command, held, err, &out)
		}
	}
	if _, err := Check(t.Context(), CheckOptions{Out: &bytes.Buffer{}, Subject: SubjectOptions{Command: "/no/such", Deadline: 1}}); err == nil {
		t.Error("a command that there is not is no error")
	}
}
