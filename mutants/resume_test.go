package mutants

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fetchproof/mutants/engine"
)

// A verdict of an accepted survivor that was spared the slow parts counts for as long as it would be spared them now.
func TestResumeSpared(t *testing.T) {
	m := at("x/a.go", "F", "a  ->  !a")
	m.ID = "abc"
	verdict := Verdict{Mutant: m.ID, Source: "s", Test: "t", Status: Survived, Spared: true}
	line, err := json.Marshal(verdict)
	if err != nil {
		t.Fatal(err)
	}
	log := written(t, string(line)+"\n")
	for _, c := range []struct {
		name     string
		accepted bool
		change   func(*Options)
		counts   bool
	}{
		{"accepted", true, func(*Options) {}, true},
		{"accepted no more", false, func(*Options) {}, false},
		{"thorough", true, func(o *Options) { o.Thorough = true }, false},
		{"quick", false, func(o *Options) { o.Quick = true }, true},
	} {
		x := &campaign{Options: Options{Log: filepath.Clean(log)}, mutants: []*engine.Mutant{m}, sourceHash: "s", testHash: "t"}
		c.change(&x.Options)
		if c.accepted {
			x.ledger = Ledger{m.ID: Entry{}}
		}
		if err := x.resume(); err != nil {
			t.Fatal(err)
		}
		if _, counts := x.resumed[m.ID]; counts != c.counts {
			t.Errorf("%s: counts: %t", c.name, counts)
		}
	}
}

// A mutant that was left unbuilt has a verdict only for campaigns that leave it so, too.
func TestResumeUnbuilt(t *testing.T) {
	line, err := json.Marshal(Verdict{Mutant: "abc", Source: "s", Test: "t", Status: Unbuilt})
	if err != nil {
		t.Fatal(err)
	}
	for _, apart := range []bool{false, true} {
		o := Options{Log: written(t, string(line)+"\n"), Apart: apart}
		x := &campaign{Options: o, mutants: []*engine.Mutant{{ID: "abc"}}, sourceHash: "s", testHash: "t"}
		if err := x.resume(); err != nil {
			t.Fatal(err)
		}
		if _, counts := x.resumed["abc"]; counts == apart {
			t.Errorf("apart %t: counts: %t", apart, counts)
		}
	}
}

// A file that is no log of a campaign is refused, whether it is to be resumed from or merged; one that a kill cut short is not.
// Only the log to resume from may be missing.
func TestResumeRefuses(t *testing.T) {
	const whole = `{"mutant":"abc","source":"s","test":"t","status":"killed","millis":1}` + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"whole", whole, ""},
		{"of other sources", strings.Replace(whole, `"s"`, `"old"`, 1), ""},
		{"cut", whole + whole[:20], ""},
		{"cut in the first line", whole[:20], ""},
		{"cut after a few bytes", whole[:5], ""},
		{"cut twice, and opened again", whole[:20] + "\n" + whole[:3] + "\n", ""},
		{"prose", "# fetchproof\n\nIt checks.\n", ":1: "},
		{"other lines of JSON", "{\"op\":\"init\"}\n{\"op\":\"fill\"}\n", ":1: "},
		{"cut, then prose", whole[:20] + "\nprose\n", ":2: "},
	} {
		path := written(t, c.text)
		for _, o := range []Options{{Log: path}, {Merge: []string{path}}} {
			err := (&campaign{Options: o}).resume()
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s: %v", c.name, err)
			case c.want != "" && (!errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), path+c.want)):
				t.Errorf("%s: %v, want %s", c.name, err, path+c.want)
			}
		}
	}
	none := filepath.Join(t.TempDir(), "none")
	if err := (&campaign{Options: Options{Log: none}}).resume(); err != nil {
		t.Errorf("a log that is yet to be: %v", err)
	}
	if err := (&campaign{Options: Options{Merge: []string{none}}}).resume(); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), none) {
		t.Errorf("no log to merge: %v", err)
	}
}
