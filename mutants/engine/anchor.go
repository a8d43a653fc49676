package engine

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AnchorOperator is the operator of mutants made by [Program.Anchored].
const AnchorOperator = "anchored"

// ErrAnchor is wrapped by every error of [Program.Anchored].
var ErrAnchor = errors.New("stale anchor")

// Anchored is a mutant with a name of its own: in the file (relative to the module, with slashes) the text anchor, which
// must be there exactly once, becomes text. The two may share a beginning and an end, given to make the anchor unique.
//
// Loops that text adds burn no fuel; only the clock ends them.
func (p *Program) Anchored(name, file, anchor, text string) (*Mutant, error) {
	f := p.file(file)
	switch {
	case f == nil:
		return nil, fmt.Errorf("%w: mutant %s: no file %s in the mutated packages", ErrAnchor, name, file)
	case anchor == "" || anchor == text:
		return nil, fmt.Errorf("%w: mutant %s: nothing to change", ErrAnchor, name)
	}
	if n := bytes.Count(f.Src, []byte(anchor)); n != 1 {
		return nil, fmt.Errorf("%w: mutant %s: its text occurs %d times in %s, want once:\n%s", ErrAnchor, name, n, file, anchor)
	}
	start := bytes.Index(f.Src, []byte(anchor))
	pre := commonPrefix(anchor, text)
	post := commonSuffix(anchor[pre:], text[pre:])
	if strings.HasSuffix(text[pre:], anchor[pre:]) {
		post = len(anchor) - pre // nothing goes
	}
	m := &Mutant{
		ID: name, Operator: AnchorOperator, Pkg: f.pkg.Path, File: f,
		Start: start + pre, End: start + len(anchor) - post, New: text[pre : len(text)-post],
		Change: shorten(normalise(anchor)) + "  ->  " + shorten(normalise(text)),
	}
	if m.New == "" { // the space around what goes may stay
		gone := f.Src[m.Start:m.End]
		m.Start += len(gone) - len(bytes.TrimLeftFunc(gone, unicode.IsSpace))
		m.End -= len(gone) - len(bytes.TrimRightFunc(gone, unicode.IsSpace))
	}
	if d := f.funcDecl(m.Start); d != nil {
		m.Func = funcName(d)
	}
	return m, nil
}

func (p *Program) file(rel string) *File {
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			if f.Rel == rel {
				return f
			}
		}
	}
	return nil
}

// commonPrefix ends at a rune's beginning and, so that the edit of a word is the whole word, not inside a word.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || isWord(a[n-1])) {
		n--
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && (!utf8.RuneStart(a[len(a)-n]) || isWord(a[len(a)-n])) {
		n--
	}
	return n
}

func isWord(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || strings.IndexByte("0123456789", c) >= 0 || 'a' <= c|0x20 && c|0x20 <= 'z'
}
