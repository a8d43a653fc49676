package subject

import (
	"errors"
	"fmt"
	"strings"
)

// Split cuts a command line into words as a shell does, without one: white space separates, quotes join, a backslash takes
// the next character as it is (within double quotes only a quote or a backslash). Nothing is expanded. No word at all and a
// quote that does not end are errors.
func Split(command string) ([]string, error) {
	s := splitter{rest: command}
	for s.next() {
	}
	if s.err == nil && len(s.words) == 0 {
		s.err = errors.New("no command")
	}
	if s.err != nil {
		return nil, fmt.Errorf("command %q: %w", command, s.err)
	}
	return s.words, nil
}

type splitter struct {
	rest  string
	words []string
	err   error
}

// next takes one word, and reports whether there may be more.
func (s *splitter) next() bool {
	s.rest = strings.TrimLeft(s.rest, " \t\r\n")
	if s.rest == "" {
		return false
	}
	var word strings.Builder
	for s.rest != "" && s.err == nil {
		c := s.rest[0]
		if strings.IndexByte(" \t\r\n", c) >= 0 {
			break
		}
		s.rest = s.rest[1:]
		switch c {
		case '\'':
			s.quoted(&word, '\'', "")
		case '"':
			s.quoted(&word, '"', `"\`)
		case '\\':
			s.escaped(&word)
		default:
			word.WriteByte(c)
		}
	}
	s.words = append(s.words, word.String())
	return s.err == nil
}

func (s *splitter) escaped(word *strings.Builder) {
	if s.rest == "" {
		s.err = errors.New("nothing after the last backslash")
		return
	}
	word.WriteByte(s.rest[0])
	s.rest = s.rest[1:]
}

// quoted takes what is left up to the closing quote. A backslash before a character of escapable takes that one as it is.
func (s *splitter) quoted(word *strings.Builder, quote byte, escapable string) {
	for i := 0; i < len(s.rest); i++ {
		c := s.rest[i]
		if c == quote {
			s.rest = s.rest[i+1:]
			return
		}
		if c == '\\' && i+1 < len(s.rest) && strings.IndexByte(escapable, s.rest[i+1]) >= 0 {
			i++
			c = s.rest[i]
		}
		word.WriteByte(c)
	}
	s.err = fmt.Errorf("a %c that does not end", quote)
}

// Word writes s so that a shell reads it as one word: as it is, where that will do.
func Word(s string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("/.-_+,:@%=", r) || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return Quote(s)
}

// Quote writes a command as one word of a shell, for a line that a person pastes.
func Quote(command string) string {
	return "'" + strings.ReplaceAll(command, "'", `'\''`) + "'"
}
