package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fetchproof/corpus"
)

// reports are the ids of the public bug reports.
var reports = []string{
	"B01", "B02", "B03", "B04", "B05", "B06", "B07", "B09", "B10", "B11", "B13", "B15", "B17", "B18", "B19", "B20", "B21", "B24",
	"B25", "B30",
}

// published is how many tests the list at the end of section 20 of the rules names.
const published = 31

// row is a row of the map: its id, and the files and tests that hold it.
type row struct {
	id    string
	files []string
	tests [][2]string // name, folder
}

var (
	mapRow  = regexp.MustCompile("^\\| `([A-Z]+-?[0-9]+)` \\|")
	mapFile = regexp.MustCompile("`(corpus/[^`]+)`")
	mapTest = regexp.MustCompile("`(Test[A-Za-z0-9]+)` in `([a-z/]+)`")
)

func readMap(t *testing.T) (rows []row) {
	t.Helper()
	text, err := os.ReadFile("../docs/CORPUS.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		m := mapRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		r := row{id: m[1]}
		for _, f := range mapFile.FindAllStringSubmatch(line, -1) {
			r.files = append(r.files, f[1])
		}
		for _, f := range mapTest.FindAllStringSubmatch(line, -1) {
			r.tests = append(r.tests, [2]string{f[1], f[2]})
		}
		rows = append(rows, r)
	}
	return rows
}

// TestMap: docs/CORPUS.md has a row for each published test, report and known consequence, each row names something, and all
// that is named exists.
func TestMap(t *testing.T) {
	want := append(slices.Clone(reports), consequences(t)...)
	for i := range published {
		want = append(want, fmt.Sprintf("P%02d", i+1))
	}
	rows := readMap(t)
	var have []string
	for _, r := range rows {
		have = append(have, r.id)
		if len(r.files)+len(r.tests) == 0 {
			t.Errorf("%s names neither a scenario nor a test", r.id)
		}
		for _, f := range r.files {
			if _, err := os.Stat(filepath.Join("..", f)); err != nil {
				t.Errorf("%s names %s: %v", r.id, f, err)
			}
		}
		for _, f := range r.tests {
			if !hasTest(t, f[0], f[1]) {
				t.Errorf("%s names %s, and there is none in %s", r.id, f[0], f[1])
			}
		}
	}
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(want, have) {
		t.Errorf("the map has rows for\n%v, want\n%v", have, want)
	}
}

// TestMapIsComplete: every scenario of a report, a published test or a consequence is in the map.
func TestMapIsComplete(t *testing.T) {
	named := map[string]bool{}
	for _, r := range readMap(t) {
		for _, f := range r.files {
			named[f] = true
		}
	}
	files, err := corpus.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		own := strings.HasPrefix(f.Path, "scenarios/rules/") || strings.HasPrefix(f.Path, "scenarios/found/")
		if name := "corpus/" + f.Path; !named[name] && !own {
			t.Errorf("%s is in no row of docs/CORPUS.md", name)
		}
	}
}

func hasTest(t *testing.T, name, dir string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(src), "\nfunc "+name+"(t *testing.T) {") {
			return true
		}
	}
	return false
}
