package mutants

import (
	"bytes"
	"path/filepath"
	"testing"
)

const (
	samplePackage = "./testdata/sample"
	sampleRunner  = "fetchproof/mutants/testdata/runner"
)

func sampleOptions() Options {
	return Options{Packages: []string{samplePackage}, Runner: sampleRunner, Seed: 1}
}

func TestCampaign(t *testing.T) {
	o := sampleOptions()
	o.Log = filepath.Join(t.TempDir(), "log.jsonl")
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	r.WriteText(&b)
	t.Log(b.String())
}
