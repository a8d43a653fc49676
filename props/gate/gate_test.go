package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fetchproof/model"
	"fetchproof/props/subject/sabotage"
)

func TestCheckHolds(t *testing.T) {
	var out bytes.Buffer
	held, err := Check(context.Background(), CheckOptions{Out: &out, Seed: 5, Steps: 20_000, FailureDir: t.TempDir()})
	if err != nil || !held {
		t.Fatalf("held: %t, %v\n%s", held, err, &out)
	}
	for _, want := range []string{"seed      5\n", "steps per CPU-second", "\nCON-3 ", "ok        seed 5\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
}

// A fault is reported with its rules, both results and the state difference; the scenario that check writes replays to the
// same failure, shrinks to itself, and holds on the sound implementation.
func TestCheckReportsAFault(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	faulty := SubjectOptions{Factory: sabotage.Factory("leaked-reservation")}
	held, err := Check(context.Background(), CheckOptions{
		Out: &out, Seed: 5, Steps: 500_000, FailureDir: dir, NoCorpus: true, Subject: faulty,
	})
	if err != nil || held {
		t.Fatalf("held: %t, %v", held, err)
	}
	for _, want := range []string{"FAIL  charges-recounted", "rules     PND-6 PND-7 PND-4", "model     ", "subject   ", "1-minimal", "replay    fetchproof replay " + dir} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines > 60 {
		t.Errorf("the report has %d lines, more than a screen", lines)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d failure files, %v", len(files), err)
	}
	replayed := func(subject SubjectOptions) bool {
		held, err := Replay(context.Background(), files[0], ReplayOptions{Out: &bytes.Buffer{}, Subject: subject})
		if err != nil {
			t.Fatal(err)
		}
		return held
	}
	if replayed(faulty) {
		t.Error("the written scenario does not fail on the faulty implementation")
	}
	if !replayed(SubjectOptions{}) {
		t.Error("the written scenario fails on the sound implementation")
	}
}

func TestShrinkOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.txt")
	text := "scheduler slots=2 share=1\nadd k1 hints=A,B\nadd k2 hints=B\nremove k2\npromote k1 at=7 from=B,A\nfill\narrive k1\n@3s outcome k1 StoreFailed answered\nfill\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	held, err := Shrink(context.Background(), file, ShrinkOptions{
		Out: &out, File: file + ".min", Subject: SubjectOptions{Factory: sabotage.Factory("wrong-charge")},
	})
	if err != nil || held {
		t.Fatalf("held: %t, %v", held, err)
	}
	shrunk, err := os.ReadFile(file + ".min")
	if err != nil {
		t.Fatal(err)
	}
	const want = "scheduler\nenqueue k1 at=0 from=A\nfill\narrive k1\noutcome k1 StoreFailed answered\n"
	if !strings.HasSuffix(string(shrunk), want) {
		t.Errorf("shrunk to\n%s\nwant\n%s", shrunk, want)
	}
}

func TestCheckAsJSON(t *testing.T) {
	var out bytes.Buffer
	if _, err := Check(context.Background(), CheckOptions{Out: &out, Seed: 5, Steps: 5_000, FailureDir: t.TempDir(), JSON: true}); err != nil {
		t.Fatal(err)
	}
	var result struct {
		Seed       uint64
		Held       bool
		Steps      int64
		Situations map[string]uint64
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil || !result.Held || result.Seed != 5 || len(result.Situations) != len(model.SituationTable) {
		t.Errorf("%v: %+v", err, result)
	}
}

func TestParseSeed(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "18446744073709551615": 1<<64 - 1, "00000000000000ff" + strings.Repeat("a", 24): 255,
	} {
		if n, err := ParseSeed(text); err != nil || n != want {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"-1", "x", strings.Repeat("g", 40), "18446744073709551616"} {
		if _, err := ParseSeed(text); err == nil {
			t.Errorf("%s is accepted as a seed", text)
		}
	}
}
