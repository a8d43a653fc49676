package catalogue

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	list, err := Parse("x.txt", `# A file.

mutant a-b
rules  CON-2 CON-4
fault  it is wrong
check  test:impl/wire: TestX
file   a/b.go
 	if a {
-		b()
+		c()
 	}
`)
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	m := list[0]
	if m.Name != "a-b" || len(m.Rules) != 2 || m.Fault != "it is wrong" || m.Layer != "test:impl/wire" || m.Check != "TestX" || m.File != "a/b.go" {
		t.Errorf("%+v", m)
	}
	if m.Anchor != "\tif a {\n\t\tb()\n\t}" || m.Text != "\tif a {\n\t\tc()\n\t}" || m.Place != "x.txt:3" {
		t.Errorf("%q becomes %q, at %s", m.Anchor, m.Text, m.Place)
	}
}

func TestParseRefuses(t *testing.T) {
	const head = "mutant a\nrules R-1\nfault f\ncheck l: c\nfile f\n"
	for _, c := range []struct{ text, want string }{
		{"rules CON-1\n", "x:1: \"rules\" before"},
		{"-x\n", "x:1: a change before"},
		{head + "wings 2\n", `unknown field "wings"`},
		{head + "-x\nfile g\n", "within the change"},
		{head + "-x\n+x\n", "lacks"},
		{"mutant a\nrules R-1\nfault f\ncheck l: c\n-x\n+y\n", "lacks"},
		{"mutant a\ncheck l\n", "x:2: check"},
	} {
		if _, err := Parse("x", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
