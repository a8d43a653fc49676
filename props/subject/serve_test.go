package subject_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"fetchproof/ops"
	"fetchproof/props/subject"
)

const (
	k1    = "6b31000000000000000000000000000000000000000000000000000000000000"
	peerA = "4100000000000000000000000000000000000000000000000000000000000000"
	near  = "0000000000000000000000000000000000000000000000000000000000000001"
)

// initLine is the init of a machine with the default configuration, with changes to its configuration.
func initLine(m ops.Machine, changes ...string) string {
	config := ops.DefaultConfig(m)
	line, err := (&ops.Op{Kind: ops.Init, Config: &config}).AppendJSON(nil)
	if err != nil {
		panic(err)
	}
	return strings.NewReplacer(changes...).Replace(string(line))
}

// conversation is a line sent and what the answer must be: a JSON object whose fields must be there with these values, or
// "error" for an error of any text.
type conversation struct{ line, want string }

// Every sentence of docs/PROTOCOL.md that says how a subject answers, in one session after another.
var conversations = []struct {
	name  string
	lines []conversation
}{
	{"init", []conversation{
		{initLine(ops.SchedulerMachine), `{"result":"ok","protocol":1,"name":"test"}`},
		{`{"op":"stop","now":5}`, `{"result":"ok"}`},
		{initLine(ops.SchedulerMachine), `{"result":"ok"}`}, // again, at any time: it starts afresh
		{`{"op":"state","now":0}`, `{"state":{"clock":0,"stopped":false,"next_place":1}}`},
		{initLine(ops.ResponderMachine), `{"result":"ok"}`},
		{`{"op":"state","now":0}`, `{"state":{"clock":0,"outstanding":0}}`},
	}},
	{"errors before init", []conversation{
		{`{"op":"fill","now":0}`, "error"},
		{`{"op":"state","now":0}`, "error"},
		{`no json`, "error"},
		{initLine(ops.SchedulerMachine), `{"result":"ok"}`},
	}},
	{"errors change nothing", []conversation{
		{initLine(ops.SchedulerMachine), `{"result":"ok"}`},
		{`{"op":"fill","now":7}`, `{}`},
		{``, "error"},
		{`{"op":"fill","now":99`, "error"},
		{`{"op":"fill","now":99} x`, "error"},
		{`[]`, "error"},
		{`5`, "error"},
		{`null`, "error"},
		{`{}`, "error"},
		{`{"op":null,"now":99}`, "error"},
		{`{"op":5,"now":99}`, "error"},
		{`{"op":"fill"}`, "error"},
		{`{"op":"fill","now":null}`, "error"},
		{`{"op":"fill","now":"99"}`, "error"},
		{`{"op":"fill","now":99.5}`, "error"},
		{`{"op":"fill","now":9223372036854775808}`, "error"},
		{`{"op":"fill","Now":99}`, "error"}, // names are exact
		{`{"OP":"fill","now":99}`, "error"},
		{`{"op":"add","now":99,"key":"` + k1 + `"}`, "error"},
		{`{"op":"add","now":99,"key":"` + k1 + `","hints":{}}`, "error"},
		{`{"op":"add","now":99,"key":"` + k1 + `","hints":[{"peer":"` + peerA + `"}]}`, "error"},
		{`{"op":"add","now":99,"key":"` + k1 + `","hints":[{"claimant":true}]}`, "error"},
		{`{"op":"add","now":99,"key":"` + strings.ToUpper(k1) + `","hints":[]}`, "error"},
		{`{"op":"add","now":99,"key":"` + k1[2:] + `","hints":[]}`, "error"},
		{`{"op":"enqueue","now":99,"key":"` + k1 + `","distance":1,"sources":[]}`, "error"},
		{`{"op":"enqueue","now":99,"key":"` + k1 + `","distance":"` + near + `"}`, "error"},
		{`{"op":"arrive"}`, "error"},
		{`{"op":"arrive","attempt":"1"}`, "error"},
		{`{"op":"arrive","attempt":{"of":"` + k1 + `"}}`, "error"},
		{`{"op":"answer","now":99,"attempt":1}`, "error"},
		{`{"op":"answer","now":99,"attempt":1,"place":"given"}`, "error"},
		{`{"op":"busy","now":99,"attempt":1,"place":2}`, "error"},
		{`{"op":"outcome","now":99,"attempt":1}`, "error"},
		{`{"op":"outcome","now":99,"attempt":1,"kind":7}`, "error"},
		{`{"op":"depart","now":99}`, "error"},
		{`{"op":"evict","now":99}`, "error"},
		{`{"op":"ready","now":99}`, "error"},
		{`{"op":"drained","now":99,"keys":"` + k1 + `"}`, "error"},
		{`{"op":"init","machine":"scheduler","config":{}}`, "error"},
		{initLine(ops.SchedulerMachine, `"protocol":1`, `"protocol":2`), "error"},
		{initLine(ops.SchedulerMachine, `"machine":"scheduler"`, `"machine":"dispatcher"`), "error"},
		{initLine(ops.SchedulerMachine, `"share":2,`, ``), "error"},
		{initLine(ops.SchedulerMachine, `"share":2`, `"share":0`), "error"},
		{initLine(ops.SchedulerMachine, `"share":2`, `"share":"2"`), "error"},
		{initLine(ops.SchedulerMachine, `"silence":true`, `"silence":1`), "error"},
		{initLine(ops.SchedulerMachine, `"busy_multiplier_max":8`, `"busy_multiplier_max":6`), "error"},
		{initLine(ops.SchedulerMachine, `"busy_wait_min":5000000000`, `"busy_wait_min":50000000000`), "error"},
		{`{"op":"state","now":0}`, `{"state":{"clock":7,"next_place":1}}`},
	}},
	{"operations that there are not", []conversation{
		{initLine(ops.SchedulerMachine), `{"result":"ok"}`},
		{`{"op":"dance"}`, `{"result":"unsupported"}`},
		{`{"op":"dance","now":"soon"}`, `{"result":"unsupported"}`}, // whatever its fields are
		{`{"op":"take","now":99,"ticket":-1.5}`, `{"result":"unsupported"}`},
		{`{"op":"request","now":99,"peer":"` + peerA + `","asks_busy":true}`, `{"result":"unsupported"}`},
		{`{"op":"take"}`, `{"result":"unsupported"}`},
		{initLine(ops.ResponderMachine), `{"result":"ok"}`},
		{`{"op":"fill","now":99}`, `{"result":"unsupported"}`},
		{`{"op":"state","now":0}`, `{"state":{"clock":0}}`},
	}},
	{"scheduler", []conversation{
		{initLine(ops.SchedulerMachine, `"slots":8`, `"slots":1`), `{"result":"ok"}`},
		{`{"op":"add","now":1,"key":"` + k1 + `","hints":[]}`, `{"result":"invalid"}`},
		{`{"op":"add","now":1,"key":"` + k1 + `","hints":[{"peer":"` + peerA + `","claimant":true}],"unknown":{"field":[1]}}`, `{"result":"admitted"}`},
		{`{"op":"ready","now":1,"limit":5}`, `{"keys":["` + k1 + `"]}`},
		{`{"op":"ready","now":1,"limit":0}`, `{"keys":[]}`},
		{`{"op":"drained","now":1,"keys":["` + k1 + `"]}`, `{"drained":false}`},
		{`{"op":"drained","now":1,"keys":[]}`, `{"drained":true}`},
		{`{"op":"promote","now":1,"key":"` + k1 + `","distance":"` + near + `","sources":[]}`, `{"result":"no-source"}`},
		{`{"op":"promote","now":1,"key":"` + k1 + `","distance":"` + near + `","sources":["` + peerA + `"]}`, `{"result":"queued"}`},
		{`{"op":"enqueue","now":1,"key":"` + k1 + `","distance":"` + near + `","sources":["` + peerA + `"]}`, `{"result":"present"}`},
		{`{"op":"fill","now":2}`, `{"events":[{"event":"start","key":"` + k1 + `","source":"` + peerA + `","attempt":1}]}`},
		{`{"op":"fill","now":2}`, `{"events":[]}`},
		{`{"op":"arrive","attempt":1}`, `{"result":"ok","place":2}`},
		{`{"op":"arrive","attempt":1}`, `{"result":"invalid"}`},
		{`{"op":"arrive","attempt":9}`, `{"result":"stale"}`},
		{`{"op":"busy","now":3,"attempt":1,"place":2,"wait":1}`, `{"result":"invalid"}`},
		{`{"op":"busy","now":3,"attempt":1,"place":2,"wait":5000000000}`, `{"result":"ok","cooldown":5000000000,"due":5000000003}`},
		{`{"op":"answer","now":3,"attempt":1,"place":2}`, `{"result":"invalid"}`},
		{`{"op":"outcome","now":4,"attempt":1,"kind":"Timeout"}`, `{"result":"invalid"}`},
		{`{"op":"outcome","now":4,"attempt":1,"kind":"Sunk","place":null}`, `{"result":"invalid"}`},
		{`{"op":"outcome","now":4,"attempt":1,"kind":"Busy","place":null}`, `{"result":"ok","events":[{"event":"pending","key":"` + k1 + `"}]}`},
		{`{"op":"depart","now":5,"peer":"` + peerA + `"}`, `{"events":[{"event":"left","key":"` + k1 + `","reason":"orphaned"}]}`},
		{`{"op":"remove","now":5,"key":"` + k1 + `"}`, `{"result":"not-pending"}`},
		{`{"op":"evict","now":5,"max_age":-3}`, `{"events":[]}`},
		{`{"op":"state","now":5}`, `{"state":{"clock":5,"next_place":3,"in_flight":{},"heap":[],"busy":{"` + peerA + `":{"streak":1,"last":3,"until":5000000003}}}}`},
	}},
	{"responder", []conversation{
		{initLine(ops.ResponderMachine, `"peer_share":2`, `"peer_share":1`), `{"result":"ok"}`},
		{`{"op":"request","now":0,"peer":"` + peerA + `"}`, "error"},
		{`{"op":"request","now":0,"peer":"` + peerA + `","asks_busy":true}`, `{"result":"admitted","ticket":1}`},
		{`{"op":"request","now":0,"peer":"` + peerA + `","asks_busy":true}`, `{"result":"busy","send":1,"reason":"peer_share"}`},
		{`{"op":"request","now":0,"peer":"` + peerA + `","asks_busy":false}`, `{"result":"silent","reason":"peer_share"}`},
		{`{"op":"take","now":0}`, "error"},
		{`{"op":"take","now":0,"ticket":1}`, `{"result":"serve"}`},
		{`{"op":"take","now":0,"ticket":1}`, `{"result":"stale"}`},
		{`{"op":"release","now":0,"ticket":1}`, `{"result":"ok"}`},
		{`{"op":"release","now":0,"ticket":1}`, `{"result":"stale"}`},
		{`{"op":"send_done","now":0,"send":1}`, `{"result":"ok"}`},
		{`{"op":"send_done","now":0,"send":1}`, `{"result":"stale"}`},
	}},
}

// Conformance of a subject is checked on the built-in one and on those of adapters/.
func conforms(t *testing.T, talk func(t *testing.T, lines string) string) {
	for _, c := range conversations {
		t.Run(c.name, func(t *testing.T) {
			var lines strings.Builder
			for _, l := range c.lines {
				lines.WriteString(l.line + "\n")
			}
			answers := strings.Split(strings.TrimSuffix(talk(t, lines.String()), "\n"), "\n")
			if len(answers) != len(c.lines) {
				t.Fatalf("%d answers to %d lines", len(answers), len(c.lines))
			}
			for i, l := range c.lines {
				if err := answersAs(answers[i], l.want); err != nil {
					t.Errorf("%s\n\tis answered %s\n\t%v", l.line, answers[i], err)
				}
			}
		})
	}
}

func answersAs(answer, want string) error {
	var have any
	if err := json.Unmarshal([]byte(answer), &have); err != nil {
		return err
	}
	fields, isObject := have.(map[string]any)
	if !isObject {
		return fmt.Errorf("no object")
	}
	said, isError := fields["error"].(string)
	if want == "error" {
		if !isError || said == "" || len(fields) != 1 {
			return fmt.Errorf("want an error and nothing else")
		}
		return nil
	}
	var wanted any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		return err
	}
	return holds("", have, wanted)
}

// holds reports where an answer lacks something that is wanted. An object may have more.
func holds(where string, have, want any) error {
	fields, isObject := want.(map[string]any)
	if given, ok := have.(map[string]any); isObject && ok && len(fields) > 0 {
		for name, v := range fields {
			if name == "name" {
				continue
			}
			if err := holds(where+"."+name, given[name], v); err != nil {
				return err
			}
		}
		return nil
	}
	if list, isList := want.([]any); isList && len(list) == 0 && have == nil || isObject && len(fields) == 0 && where == "" {
		return nil // an empty list may be absent, and {} wants nothing in particular
	}
	if a, b := fmt.Sprint(have), fmt.Sprint(want); a != b {
		return fmt.Errorf("%s is %s, want %s", where, a, b)
	}
	return nil
}

func TestServeConforms(t *testing.T) {
	conforms(t, func(t *testing.T, lines string) string {
		var out bytes.Buffer
		if err := subject.Serve(strings.NewReader(lines), &out, "test", subject.BuiltinFactory); err != nil {
			t.Fatal(err)
		}
		return out.String()
	})
}

// What was answered is written before more is waited for, and a line that comes in pieces, or without an end, is one line.
func TestServeAnswersAsLinesCome(t *testing.T) {
	in, lines := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error)
	go func() { done <- subject.Serve(in, out, "test", subject.BuiltinFactory) }()
	read := func() string {
		b := make([]byte, 1<<16)
		n, err := answers.Read(b)
		if err != nil {
			t.Error(err)
		}
		return string(b[:n])
	}
	say := func(s string) {
		if _, err := lines.Write([]byte(s)); err != nil {
			t.Error(err)
		}
	}
	say(initLine(ops.SchedulerMachine) + "\n")
	if got := read(); !strings.Contains(got, `"ok"`) {
		t.Errorf("init is answered %s", got)
	}
	say(`{"op":"stop","now":1}` + "\n" + `{"op":"st`)
	if got := read(); got != `{"result":"ok"}`+"\n" {
		t.Errorf("stop is answered %q", got)
	}
	say(`op","now":2,"padding":"` + strings.Repeat("x", 200<<10) + "\"}\n")
	if got := read(); got != `{"result":"ok"}`+"\n" {
		t.Errorf("a long line is answered %q", got)
	}
	say(`{"op":"stop","now":3}`) // without an end
	if err := lines.Close(); err != nil {
		t.Error(err)
	}
	if got := read(); got != `{"result":"ok"}`+"\n" {
		t.Errorf("the last line is answered %q", got)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
