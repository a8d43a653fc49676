package subject_test

import (
	"testing"

	"fetchproof/props/subject"
)

// A file's name is one word of the command that replays it.
func TestWord(t *testing.T) {
	for path, want := range map[string]string{
		"failures/result-fill-11-595.txt": "failures/result-fill-11-595.txt",
		"my file.txt":                     "'my file.txt'",
		"it's":                            `'it'\''s'`,
		"":                                "''",
		"$(rm)":                           "'$(rm)'",
	} {
		if got := subject.Word(path); got != want {
			t.Errorf("%q is written %s, want %s", path, got, want)
		}
	}
}
