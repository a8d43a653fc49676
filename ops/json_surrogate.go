package ops

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf16"
)

// loneSurrogate reports whether a line of JSON escapes one half of a surrogate pair without the other half, which
// encoding/json would read as another character.
func loneSurrogate(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '\\')
		if i < 0 || i+1 == len(b) {
			return false
		}
		b = b[i:]
		r, ok := codeUnit(b)
		switch {
		case !ok:
			b = b[2:] // an escaped backslash escapes nothing
		case !utf16.IsSurrogate(r):
			b = b[escapeLen:]
		default:
			other, _ := codeUnit(b[escapeLen:])
			if utf16.DecodeRune(r, other) == unicode.ReplacementChar {
				return true
			}
			b = b[2*escapeLen:]
		}
	}
}

const escapeLen = len(`\u0000`)

// codeUnit is the code unit of the \u escape that b begins with, if it begins with one.
func codeUnit(b []byte) (rune, bool) {
	if len(b) < escapeLen || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:escapeLen]), 16, 16)
	return rune(n), err == nil
}
