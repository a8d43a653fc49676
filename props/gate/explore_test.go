package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fetchproof/props/subject"
	"fetchproof/props/subject/sabotage"
)

func TestExploreHolds(t *testing.T) {
	var out bytes.Buffer
	held, err := Explore(context.Background(), ExploreOptions{Out: &out, Scopes: []string{"responder", "pending-time"}})
	if err != nil || !held {
		t.Fatalf("held: %t, %v\n%s", held, err, &out)
	}
	for _, want := range []string{
		"scope       responder: ", "with the peers merged (", "transitions per CPU-second in lockstep", "drains      from every state",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
}

// Without merging, the counts are those that the merged run computes.
func TestExploreRaw(t *testing.T) {
	var out bytes.Buffer
	held, err := Explore(context.Background(), ExploreOptions{Out: &out, Scopes: []string{"responder"}, Raw: true, JSON: true})
	if err != nil || !held {
		t.Fatalf("held: %t, %v\n%s", held, err, &out)
	}
	var results []exploreResult
	if err := json.Unmarshal(out.Bytes(), &results); err != nil {
		t.Fatal(err)
	}
	if r := results[0]; !r.Pinned || !r.Complete || r.Merged != r.States || r.Rate == 0 || r.ModelRate == 0 || r.Bound == 0 {
		t.Errorf("want a complete space with the pinned counts, unmerged, with rates and a bound: %+v", r)
	}
}

func TestExploreIncomplete(t *testing.T) {
	var out bytes.Buffer
	held, err := Explore(context.Background(), ExploreOptions{Out: &out, Scopes: []string{"stop"}, MaxStates: 100})
	if err != nil || !held || !strings.Contains(out.String(), "incomplete  stopped at ") {
		t.Errorf("held: %t, %v\n%s", held, err, &out)
	}
}

// A fault is reported with its shortest counterexample, in a file that fails in the same way when it is replayed.
func TestExploreReportsAFault(t *testing.T) {
	file := filepath.Join(t.TempDir(), "found.txt")
	faulty := SubjectOptions{Factory: func() (subject.Subject, error) {
		s, err := sabotage.Factory("lost-start")()
		return struct{ subject.Subject }{s}, err // not to be copied: a process cannot be either
	}}
	var out bytes.Buffer
	held, err := Explore(context.Background(), ExploreOptions{Out: &out, Scopes: []string{"share-parking-silence"}, File: file, Subject: faulty})
	if err != nil || held {
		t.Fatalf("held: %t, %v\n%s", held, err, &out)
	}
	for _, want := range []string{"none fails by fewer", "FAIL  result/fill", "replay    fetchproof replay " + file} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
	if held, err := Replay(context.Background(), file, ReplayOptions{Out: &out, Subject: faulty}); held || err != nil {
		t.Errorf("replayed: held %t, %v", held, err)
	}
	if held, err := Replay(context.Background(), file, ReplayOptions{Out: &out}); !held || err != nil {
		t.Errorf("replayed on the sound implementation: held %t, %v", held, err)
	}
	// Where it cannot be kept it is told all the same.
	var told bytes.Buffer
	held, err = Explore(context.Background(), ExploreOptions{Out: &told, Scopes: []string{"share-parking-silence"}, File: file + "/x", Subject: faulty})
	if err != nil || held || !strings.Contains(told.String(), "FAIL  result/fill") || !strings.Contains(told.String(), "could not be kept: open ") ||
		!strings.Contains(told.String(), "replay    fetchproof explore -o FILE writes it") {
		t.Errorf("held: %t, %v\n%s", held, err, &told)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "# Scope share-parking-silence: ") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestExploreList(t *testing.T) {
	var out bytes.Buffer
	held, err := Explore(context.Background(), ExploreOptions{Out: &out, List: true})
	if err != nil || !held || !strings.Contains(out.String(), "\nlarge-stop ") {
		t.Errorf("held: %t, %v\n%s", held, err, &out)
	}
	if _, err := Explore(context.Background(), ExploreOptions{Out: &out, Scopes: []string{"nowhere"}}); err == nil || !strings.Contains(err.Error(), `no scope "nowhere"`) {
		t.Errorf("a scope that is not there: %v", err)
	}
}

func TestCheckCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("explores every small scope")
	}
	var out bytes.Buffer
	held, err := Check(context.Background(), CheckOptions{Out: &out, Seed: 5, Steps: 1000, FailureDir: t.TempDir(), NoCorpus: true, Coverage: true})
	if err != nil || !held {
		t.Fatalf("held: %t, %v\n%s", held, err, &out)
	}
	for _, want := range []string{"coverage  responder                   162 of    162 states (100.0 %)", "# a state that was not visited\n", "# a transition that was not made\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
}
