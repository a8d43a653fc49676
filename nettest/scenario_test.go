package nettest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"fetchproof/ops"
	"fetchproof/props/trace"
)

const small = `{
	"name": "small", "seed": 5, "keys": 6, "slots": 4, "timeout": "2s", "latency": "1ms", "order": "rotated", "requesters": 2,
	"holders": [{}, {"slow": "20ms"}, {"does": "silent"}], "verified": true
}`

// TestScenarioFile: a scenario file runs under all four policies and gives a table.
func TestScenarioFile(t *testing.T) {
	s, err := ParseScenario(strings.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	results, err := Run(t.Context(), s, Options{}, &table)
	if err != nil || len(results) != 4 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for _, r := range results {
		if r.Stored != 12 || r.Bytes != 12*1024 || r.Accepted < 60 {
			t.Errorf("%s: %+v", r.Policy, r)
		}
		if !strings.Contains(table.String(), r.Policy) {
			t.Errorf("no row for %s in\n%s", r.Policy, &table)
		}
	}
	again, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ParseScenario(bytes.NewReader(again)); err != nil || back.Timeout != s.Timeout || len(back.Holders) != 3 {
		t.Errorf("written and read: %+v, %v", back, err)
	}
}

// TestExample: the example runs, and everything in it is stored in the end whatever the policy.
func TestExample(t *testing.T) {
	s, err := ParseScenario(strings.NewReader(Example))
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	results, err := Run(t.Context(), s, Options{}, &table)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Stored != r.Keys {
			t.Errorf("%s: stored %d of %d\n%s", r.Policy, r.Stored, r.Keys, &table)
		}
	}
	t.Logf("\n%s", &table)
}

func TestBadScenarios(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"", "line 1: empty"},
		{" \n", "line 1: empty"},
		{"keys", "line 1: invalid character 'k'"},
		{"{\n\"keys\": 1,\n\n\"slots\": yes}", "line 4: invalid character 'y'"},
		{"{\n\"keys\":\n\"1\"}", "line 3: json: cannot unmarshal string"},
		{"{\n\"keys\": 1}\n{}", "line 3: something after the scenario"},
		{strings.Repeat(" ", 1<<20+1), "more than 1048576 bytes"},
		{"{\n\"keys\": 1\n", "line 2: unexpected EOF"},
		{`{"cats": 1}`, "unknown field"},
		{`{"keys": 1, "slots": 1, "timeout": "1s"}`, "holders: want one or more"},
		{`{"keys": -12, "slots": 1, "timeout": "1s", "holders": [{}]}`, "keys: -12: want 1 or more"},
		{`{"keys": 1, "timeout": "1s", "holders": [{}]}`, "slots: 0: want 1 or more"},
		{`{"keys": 1, "slots": 1, "holders": [{}]}`, "timeout: 0s: want more than 0"},
		{`{"keys": 1, "slots": 1, "timeout": "soon", "holders": [{}]}`, "soon"},
		{`{"keys": 1, "slots": 1, "timeout": "1s", "holders": [{"does": "magic"}]}`, "magic"},
		{`{"keys": 1, "slots": 1, "timeout": "1s", "holders": [{}], "order": "random"}`, "random"},
		{`{"keys": 1, "slots": 1, "timeout": "1s", "holders": [{}], "policies": ["never"]}`, "never"},
		{`{"keys": 1, "slots": 1, "timeout": "1s", "holders": [{}], "holder_policy": "never"}`, "never"},
		{`{"keys": 1, "slots": 1, "timeout": "1s", "holders": [{}], "requesters": 5000}`, "nodes"},
		{`{"keys": 1000000, "slots": 1, "timeout": "1s", "holders": [{}]}`, "keys"},
		{`{"keys": 1, "slots": 1, "timeout": "1s", "holders": [{}], "loss": 1}`, "loss"},
	} {
		if _, err := ParseScenario(strings.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
}

// TestFlooding: whoever floods the holders gets its share of each and no more; the others get theirs.
func TestFlooding(t *testing.T) {
	s := Scenario{
		Name: "flood", Seed: 4, Requesters: 3, Keys: 10, Slots: 4, Timeout: short, Latency: flightTime, Holders: reading(2),
		Flooders: 2, Verified: true, Policies: []string{"share-and-busy"},
	}
	r, err := runOnce(t.Context(), s, "share-and-busy", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stored != 30 || r.charges() != "0,0" || r.Drained > time.Minute {
		t.Errorf("stored %d in %v, charges %s", r.Stored, r.Drained, r.charges())
	}
	for i, h := range r.Holders {
		if h.MostPlacesOfPeer != 2 || h.MostPlaces > 10 {
			t.Errorf("holder %d: %+v", i, h)
		}
	}
	if r.RefusedPeerShare == 0 {
		t.Error("nobody was refused")
	}
}

// TestLimit: a run that does not end is given up.
func TestLimit(t *testing.T) {
	s := Scenario{
		Name: "never", Keys: 1, Slots: 1, Timeout: short, Holders: []Holder{{Does: Silent}}, Verified: true,
		Limit: Duration(time.Minute), Policies: []string{"share"},
	}
	if _, err := Run(t.Context(), s, Options{}, &bytes.Buffer{}); !errors.Is(err, errLimit) {
		t.Errorf("%v", err)
	}
}

// TestVirtualPanic: a panic under virtual time is an error and not the end.
func TestVirtualPanic(t *testing.T) {
	err := Virtual(func() error { time.Sleep(time.Hour); panic("boom") })
	if err == nil || !strings.Contains(err.Error(), "boom") {
		t.Error(err)
	}
	if err := Virtual(func() error { return errLimit }); !errors.Is(err, errLimit) {
		t.Error(err)
	}
}

// TestChangedLine: a trace with the result of any one line changed is rejected at that line.
func TestChangedLine(t *testing.T) {
	s, err := ParseScenario(strings.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	r, err := runOnce(t.Context(), s, "share-and-busy", Options{})
	if err != nil {
		t.Fatal(err)
	}
	changes := []struct{ from, to string }{
		{`"result":"ok"`, `"result":"stale"`},
		{`"result":"queued"`, `"result":"no-source"`},
		{`"result":"admitted"`, `"result":"already-present"`},
		{`"event":"start"`, `"event":"park"`},
		{`"reason":"stored"`, `"reason":"dropped"`},
		{`"charge":"connection-timeout"`, `"charge":"malformed"`},
		{`"events":[]`, `"events":[{"event":"park","key":"` + strings.Repeat("00", 32) + `"}]`},
	}
	tried := map[string]int{}
	for name, data := range r.Traces {
		if !strings.HasPrefix(name, "requester") || !strings.Contains(name, "scheduler") {
			continue
		}
		lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
		for n, line := range lines[1:] {
			for _, c := range changes {
				if changed := bytes.Replace(line, []byte(c.from), []byte(c.to), 1); !bytes.Equal(changed, line) {
					tried[c.from]++
					rejectedAt(t, name, lines, n+2, changed)
				}
			}
		}
	}
	for _, c := range changes {
		if tried[c.from] == 0 {
			t.Errorf("no line with %s", c.from)
		}
	}
}

// rejectedAt replaces line n, from 1, and wants the model to reject it there.
func rejectedAt(t *testing.T, name string, lines [][]byte, n int, changed []byte) {
	t.Helper()
	all := append([][]byte(nil), lines...)
	all[n-1] = changed
	_, err := trace.Judge(name, bytes.NewReader(bytes.Join(all, []byte("\n"))))
	var rejected *trace.Rejected
	var misfit *ops.ParseError // a result that the operation cannot have
	if !(errors.As(err, &rejected) && rejected.Line == n) && !(errors.As(err, &misfit) && misfit.Line == n) {
		t.Errorf("%s: line %d changed to %s: %v", name, n, changed, err)
	}
}
