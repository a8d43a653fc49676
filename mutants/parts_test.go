package mutants

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestShard(t *testing.T) {
	for _, bad := range []string{"", "1", "0/2", "3/2", "1/0", "a/b", "1/2x", "-1/2"} {
		if _, err := ParseShard(bad); !errors.Is(err, ErrUsage) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	s, err := ParseShard("2/3")
	if err != nil || s != (Shard{2, 3}) {
		t.Fatalf("%v, %v", s, err)
	}
	var count [3]int
	for i := range 3000 {
		for part := range 3 {
			if (Shard{part + 1, 3}).Has(fmt.Sprintf("%012x", i*7919)) {
				count[part]++
			}
		}
	}
	if count[0]+count[1]+count[2] != 3000 || slices.Min(count[:]) < 800 {
		t.Errorf("shares %v", count)
	}
}

func TestOptions(t *testing.T) {
	good := Options{Packages: []string{"x"}, Runner: "y"}
	for name, break_ := range map[string]func(*Options){
		"packages": func(o *Options) { o.Packages = nil }, "runner": func(o *Options) { o.Runner = "" },
		"scale": func(o *Options) { o.Scale = -1 }, "score": func(o *Options) { o.MinScore = 2 },
		"workers": func(o *Options) { o.Workers = -1 }, "fuel": func(o *Options) { o.FuelFactor = -1 },
		"slow": func(o *Options) { o.Slow = "(" }, "pace": func(o *Options) { o.Quick, o.Thorough = true, true },
		"most": func(o *Options) { o.Most = -1 }, "wall": func(o *Options) { o.WallLimit = -1 }, "shard": func(o *Options) { o.Shard = Shard{3, 2} },
	} {
		o := good
		break_(&o)
		if _, err := o.withDefaults(); ExitCode(err) != 2 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := good.withDefaults(); err != nil {
		t.Error(err)
	}
}

func TestParseDiff(t *testing.T) {
	c, err := parseDiff(`diff --git a/x/a.go b/x/a.go
--- a/x/a.go
+++ b/x/a.go
@@ -3 +3 @@ func f() {
-old
+new
@@ -10,2 +10,0 @@ func g() {
-gone
-gone
@@ -20,0 +19,3 @@
+a
+b
+c
diff --git a/b.go b/b.go
--- /dev/null
+++ b/b.go
@@ -0,0 +1,2 @@
+package b
+
`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(c), "map[b.go:[{1 3}] x/a.go:[{3 4} {10 12} {19 22}]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := parseDiff("+++ b/a\n@@ nonsense\n"); !errors.Is(err, ErrUsage) {
		t.Errorf("nonsense: %v", err)
	}
}

func TestChangedSince(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q")
	write("a.go", "1\n2\n3\n")
	run("add", ".")
	run("commit", "-q", "-m", "x")
	write("a.go", "1\nzwei\n3\n")
	write("b.go", "new\n")
	c, err := changedSince(t.Context(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if len(c) != 2 || c["a.go"][0] != (lines{2, 3}) || c["b.go"][0] != everyLine {
		t.Errorf("changes %v", c)
	}
	file := filepath.Join(t.TempDir(), "out")
	for _, rev := range []string{"nowhere", "--output=" + file, "--cached", "a.go", "HEAD:a.go", "HEAD..HEAD"} {
		if _, err := changedSince(t.Context(), dir, rev); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), fmt.Sprintf("revision %q: ", rev)) {
			t.Errorf("revision %s: %v", rev, err)
		}
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("git was given an option: %v", err)
	}
}
