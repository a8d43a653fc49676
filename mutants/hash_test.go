package mutants

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fetchproof/mutants/engine"
)

// A verdict goes with the inputs that the tests read beside their sources, such as those that fuzzing begins from: a file more,
// another text, another name, and it counts no longer. What other packages keep there says nothing.
func TestTestHashKnowsTestdata(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	module, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// The engine's packages are hashed as well: they come from this module, as a dependency of that one.
	write("go.mod", strings.Replace(read("go.mod"), "module fetchproof", "module m", 1)+"\nrequire fetchproof v0.0.0\n\nreplace fetchproof => "+module+"\n")
	write("go.sum", read("go.sum"))
	for _, dir := range []string{"tested", "other"} {
		write(dir+"/a.go", "package a\n")
		write(dir+"/a_test.go", "package a\n")
	}
	hash := func() string {
		t.Helper()
		h, err := testHash(t.Context(), &engine.Program{Root: root}, Options{Tests: []string{"./tested"}})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	seen := []string{hash()}
	for _, change := range []func(){
		func() { write("tested/testdata/fuzz/FuzzA/1", "x") },
		func() { write("tested/testdata/fuzz/FuzzA/1", "y") },
		func() { write("tested/testdata/fuzz/FuzzA/2", "") },
	} {
		change()
		now := hash()
		for _, before := range seen {
			if now == before {
				t.Errorf("after %d changes the hash is one that it was before", len(seen))
			}
		}
		seen = append(seen, now)
	}
	write("other/testdata/x", "x")
	if hash() != seen[len(seen)-1] {
		t.Error("the hash is also of what no test of the suite reads")
	}
}
