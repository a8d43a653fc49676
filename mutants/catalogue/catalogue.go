// Package catalogue is the named mutants: for every rule at least one fault that breaks it, and the check that must catch
// it.
//
// They stand in text files, one for each group of rules, so that a reader sees each as the small change that it is:
//
//	mutant mark-cleared-by-any-answer
//	rules  CON-2 CON-4
//	fault  an answer older than the unanswered request clears its mark
//	check  scenarios: rules/con-2-old-answer.txt
//	file   impl/scheduler/contact.go
//	-if rec.markPos >= 0 && rec.lastUnanswered <= a {
//	+if rec.markPos >= 0 {
//
// The change is a piece of a diff. The lines that begin with - or a space are the anchor, exactly as they stand in the file
// and there exactly once; those that begin with + or a space are what the mutant has instead. The first and last line may be
// a part of a line. The check is a test layer and, after a colon, what of it is run alone: a scenario file, a property, a
// wire vector, a Go test. Mutants are separated by empty lines; lines that begin with # are for the reader.
package catalogue

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.txt
var files embed.FS

// Mutant is one fault to be planted.
type Mutant struct {
	Name  string   // in kebab-case, and nobody else's
	Rules []string // that it breaks, the first foremost; at least one
	Fault string   // what is wrong with it, in a line
	Layer string   // the test layer, and
	Check string   // the check of it that must catch the mutant when it is run alone
	File  string   // relative to the module, with slashes
	// Anchor is the text of File to be changed, which must be there exactly once, and Text what it becomes.
	Anchor, Text string
	Place        string // file and line of the catalogue
}

// All is every named mutant, file by file in the order of their names. An error names the line that is not as it should
// be.
func All() ([]Mutant, error) {
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		return nil, err
	}
	var all []Mutant
	seen := map[string]string{}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list, err := Parse(name, string(text))
		if err != nil {
			return nil, err
		}
		for i := range list {
			m := &list[i]
			if first, twice := seen[m.Name]; twice {
				return nil, fmt.Errorf("%s: mutant %s is at %s already", m.Place, m.Name, first)
			}
			seen[m.Name] = m.Place
		}
		all = append(all, list...)
	}
	return all, nil
}

// Parse reads the mutants of one file; name is for the errors.
func Parse(name, text string) ([]Mutant, error) {
	p := parser{name: name}
	for line := range strings.Lines(text) {
		p.line++
		if err := p.take(strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, p.line, err)
		}
	}
	if err := p.end(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, p.line, err)
	}
	return p.all, nil
}

// parser is a file on its way through Parse.
type parser struct {
	name string
	line int
	all  []Mutant
	now  *Mutant // the mutant that is being read, nil between two
	old  []string
	new  []string
}

func (p *parser) take(line string) error {
	switch {
	case line == "":
		return p.end()
	case line[0] == '#':
		return nil
	case line[0] == '-' || line[0] == '+' || line[0] == ' ':
		return p.change(line[0], line[1:])
	}
	field, value, _ := strings.Cut(line, " ")
	return p.field(field, strings.TrimSpace(value))
}

// change takes a line of the diff.
func (p *parser) change(mark byte, text string) error {
	if p.now == nil {
		return fmt.Errorf("a change before its mutant: %q", text)
	}
	if mark != '+' {
		p.old = append(p.old, text)
	}
	if mark != '-' {
		p.new = append(p.new, text)
	}
	return nil
}

func (p *parser) field(field, value string) error {
	if field == "mutant" {
		if err := p.end(); err != nil {
			return err
		}
		p.now = &Mutant{Name: value, Place: fmt.Sprintf("%s:%d", p.name, p.line)}
		return nil
	}
	m := p.now
	switch {
	case m == nil:
		return fmt.Errorf("%q before the line that names a mutant", field)
	case len(p.old)+len(p.new) > 0:
		return fmt.Errorf("%q within the change of %s", field, m.Name)
	}
	switch field {
	case "rules":
		m.Rules = strings.Fields(value)
	case "fault":
		m.Fault = value
	case "check":
		layer, check, ok := strings.Cut(value, ": ")
		if !ok {
			return fmt.Errorf("check %q of %s: want a layer, a colon and a check", value, m.Name)
		}
		m.Layer, m.Check = layer, check
	case "file":
		m.File = value
	default:
		return fmt.Errorf("unknown field %q", field)
	}
	return nil
}

// end finishes the mutant that is being read, if one is.
func (p *parser) end() error {
	m := p.now
	if m == nil {
		return nil
	}
	m.Anchor, m.Text = strings.Join(p.old, "\n"), strings.Join(p.new, "\n")
	p.now, p.old, p.new = nil, nil, nil
	if m.Name == "" || len(m.Rules) == 0 || m.Fault == "" || m.Check == "" || m.File == "" || m.Anchor == "" || m.Anchor == m.Text {
		return fmt.Errorf("mutant %q lacks its rules, fault, check, file or change", m.Name)
	}
	p.all = append(p.all, *m)
	return nil
}
