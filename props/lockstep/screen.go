package lockstep

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A failure is read on one screen, by somebody who was woken up by it: at most so many lines of so many characters, the
// scenario that shows it included. What differs is shown first; the failure itself, as JSON gives it, has everything.
const (
	Columns = 160
	Lines   = 50

	textLines = 28 // of a failure without its scenario
	sideLines = 3  // of a message, and of what one side answered
	listLines = 2  // of rules, and of an operation

	appliedLines = 6 // of what the model met
	gutter       = "          "
)

// screen is text being laid out.
type screen struct {
	text strings.Builder
	cut  bool // something did not fit
}

// Fit is the text, a scenario, in at most most lines of the screen: the first lines and the last, each with its first words.
// It reports whether that is all of it.
func Fit(text string, most int) (fitted string, whole bool) {
	var s screen
	most = max(most, 8)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if left := len(lines) - most; left > 0 {
		head := most / 3
		tail := lines[len(lines)-(most-head-1):]
		lines = append(append(lines[:head:head], fmt.Sprintf("… %d lines more …", left+1)), tail...)
		s.cut = true
	}
	for _, line := range lines {
		s.paragraph("", words(line), 1)
	}
	return s.text.String(), !s.cut
}

// words cuts a line into words that can be left out one by one: at spaces, and after the commas of a list. Each keeps what
// separates it from the next.
func words(line string) (list []string) {
	for line != "" {
		n := strings.IndexAny(line, " ,") + 1
		if n == 0 {
			n = len(line)
		}
		for n < len(line) && line[n] == ' ' {
			n++
		}
		list, line = append(list, line[:n]), line[n:]
	}
	return list
}

// paragraph writes words after a label, on lines as long as the screen is wide, at most most of them. What does not fit is
// counted at its end.
func (s *screen) paragraph(label string, list []string, most int) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(label))
	room := Columns - len(indent)
	lines, at := [][]string{nil}, 0
	for i, word := range list {
		word = s.clip(word, room)
		if at > 0 && at+width(strings.TrimRight(word, " ")) > room {
			if len(lines) == most {
				s.more(&lines[most-1], len(list)-i, room)
				break
			}
			lines, at = append(lines, nil), 0
		}
		lines[len(lines)-1], at = append(lines[len(lines)-1], word), at+width(word)
	}
	for _, l := range lines {
		s.text.WriteString(strings.TrimRight(label+strings.Join(l, ""), " ") + "\n")
		label = indent
	}
}

// more ends a line with the number of words that did not fit, dropping more words to make room for it if it must.
func (s *screen) more(line *[]string, rest, room int) {
	s.cut = true
	for {
		end := fmt.Sprintf("… and %d more", rest)
		if width(strings.Join(*line, "")+end) <= room {
			*line = append(*line, end)
			return
		}
		*line = (*line)[:len(*line)-1]
		rest++
	}
}

func width(s string) int { return utf8.RuneCountInString(s) }

// clip keeps the beginning of a word that is longer than the room there is.
func (s *screen) clip(word string, room int) string {
	word = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' ' // a process may write anything
		}
		return r
	}, word)
	if width(word) <= room {
		return word
	}
	s.cut = true
	return string([]rune(word)[:room-1]) + "…"
}

// pair writes two lists of words, one under the other. If one of them does not fit, most of what both begin and end with is
// left out, except the first head words, so that the difference shows.
func (s *screen) pair(labels [2]string, model, subject []string, head, most int) {
	if !fits(labels[0], model, most) || !fits(labels[1], subject, most) {
		model, subject = s.different(model, subject, head)
	}
	s.paragraph(labels[0], model, most)
	s.paragraph(labels[1], subject, most)
}

func fits(label string, list []string, most int) bool {
	var try screen
	try.paragraph(label, list, most)
	return !try.cut
}

// different leaves out what two lists begin and end with alike, except the first head words and one word beside the
// difference.
func (s *screen) different(a, b []string, head int) (x, y []string) {
	alike := func(v, w string) bool { return strings.TrimRight(v, ",; ") == strings.TrimRight(w, ",; ") }
	same, end := 0, 0
	for same < min(len(a), len(b)) && alike(a[same], b[same]) {
		same++
	}
	for end < min(len(a), len(b))-same && alike(a[len(a)-1-end], b[len(b)-1-end]) {
		end++
	}
	cut := func(list []string) (out []string) {
		from, to := max(same-1, 0), min(len(list)-end+1, len(list))
		if from > head+1 {
			out = append(append(out, list[:head]...), fmt.Sprintf("… %d alike … ", from-head))
			s.cut = true
		} else {
			from = 0
		}
		if len(list)-to <= 1 {
			return append(out, list[from:]...)
		}
		s.cut = true
		return append(append(out, list[from:to]...), fmt.Sprintf("… %d alike", len(list)-to))
	}
	return cut(a), cut(b)
}
