// Package corpus holds the scenarios: bug reports, the published tests, known consequences, and every failure that was ever
// found and mended. The files are embedded, so that the command carries them wherever it goes.
package corpus

import (
	"bytes"
	"embed"
	"io/fs"
	"sort"
	"strings"

	"fetchproof/ops"
)

//go:embed scenarios
var files embed.FS

// File is one scenario file.
type File struct {
	Path string // below corpus/, with slashes
	Text []byte
}

// Files are the scenario files, by path.
func Files() ([]File, error) {
	var list []File
	err := fs.WalkDir(files, "scenarios", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".txt") {
			return err
		}
		text, err := files.ReadFile(path)
		list = append(list, File{path, text})
		return err
	})
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list, err
}

// Scenarios are the parsed files. A file that does not parse is an error with its line.
func Scenarios() ([]*ops.Scenario, error) {
	list, err := Files()
	if err != nil {
		return nil, err
	}
	scenarios := make([]*ops.Scenario, 0, len(list))
	for _, f := range list {
		s, err := ops.Parse("corpus/"+f.Path, bytes.NewReader(f.Text))
		if err != nil {
			return nil, err
		}
		scenarios = append(scenarios, s)
	}
	return scenarios, nil
}
