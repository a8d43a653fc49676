package lockstep

import (
	"fmt"
	"slices"
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

// more ends a line with the number of words that did not fit, for which some more may have to go.
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

// pair writes two lists of words, one under the other. Where one of them does not fit, what both begin and end with is left
// out, but for head words at the beginning, so that what differs is seen.
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

// different leaves out what two lists have alike, but for the first head words and one word beside each difference.
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

// detail writes the difference of two states, a stack, or the lines sent, in at most most lines. Of many lines that tell the
// same of many keys the first ones stand for all.
func (s *screen) detail(text string, most int) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if strings.HasPrefix(text, stateLabel) {
		lines = sideBySide(lines)
	}
	var laid screen
	for _, try := range []struct{ each, lines int }{{len(lines), 2}, {8, 2}, {4, 2}, {2, 2}, {1, 2}, {1, 1}} {
		kept := fewOfEach(lines, try.each)
		laid = screen{cut: len(kept) < len(lines)}
		laid.difference(kept, try.lines)
		if strings.Count(laid.text.String(), "\n") <= most {
			break
		}
	}
	s.cut = s.cut || laid.cut
	all := strings.SplitAfter(strings.TrimSuffix(laid.text.String(), "\n"), "\n")
	if left := len(all) - most + 1; left > 1 {
		s.cut = true
		head := most - 1
		if strings.HasPrefix(all[len(all)-1], lastWords) {
			head = most / 2 // the end of what a process says tells most
		}
		all = slices.Replace(all, head, head+left, fmt.Sprintf("          … %d lines more\n", left))
	}
	s.text.WriteString(strings.TrimSuffix(strings.Join(all, ""), "\n") + "\n")
}

// difference writes lines, each as at most most lines of the screen.
func (s *screen) difference(lines []string, most int) {
	for i := 0; i < len(lines); i++ {
		minus, isMinus := strings.CutPrefix(lines[i], minusLabel)
		plus, isPlus := strings.CutPrefix(lines[i], plusLabel)
		switch {
		case isMinus && i+1 < len(lines) && strings.HasPrefix(lines[i+1], plusLabel):
			i++
			s.pair([2]string{minusLabel, plusLabel}, words(minus), words(lines[i][len(plusLabel):]), 2, most)
		case isMinus:
			s.paragraph(minusLabel, words(minus), most)
		case isPlus:
			s.paragraph(plusLabel, words(plus), most)
		default:
			s.text.WriteString(s.clip(strings.ReplaceAll(lines[i], "\t", "    "), Columns) + "\n")
		}
	}
}

const (
	minusLabel = "  - "
	plusLabel  = "  + "
	lastWords  = "stderr "
	stateLabel = "state "
)

// field is the side of a line of a state, and what it tells of.
func field(line string) string { return line[:min(len(minusLabel)+len(gutter), len(line))] }

// entry is what a line of a state tells of without its side, and, if it is one of many such lines, of which key or peer.
func entry(line string) (of, one string) {
	of = field(line)
	one, _, _ = strings.Cut(strings.TrimSpace(line[len(of):]), " ")
	return of[len(minusLabel):], one
}

// sideBySide moves the two sides of an entry of the state together, the model's first: what is alike in them can be left out
// only there, and in what order the differing lines of two states come is chance.
func sideBySide(lines []string) []string {
	other := make([]int, len(lines)) // the line's other side; 0 if it has none: the first line is none of these
	type sides struct{ minus, plus []int }
	match := func(name func(string) string) {
		open := map[string]*sides{}
		for i, line := range lines {
			minus := strings.HasPrefix(line, minusLabel)
			if other[i] > 0 || !minus && !strings.HasPrefix(line, plusLabel) {
				continue
			}
			s := open[name(line)]
			if s == nil {
				s = &sides{}
				open[name(line)] = s
			}
			if minus {
				s.minus = append(s.minus, i)
			} else {
				s.plus = append(s.plus, i)
			}
		}
		for _, s := range open {
			if len(s.minus) == 1 && len(s.plus) == 1 {
				other[s.minus[0]], other[s.plus[0]] = s.plus[0], s.minus[0]
			}
		}
	}
	match(func(line string) string { of, one := entry(line); return of + one })
	match(func(line string) string { of, _ := entry(line); return of }) // the heap and the parked keys are one line each
	moved := make([]string, 0, len(lines))
	for i, line := range lines {
		switch j := other[i]; {
		case j == 0:
			moved = append(moved, line)
		case j > i:
			if strings.HasPrefix(line, plusLabel) {
				i, j = j, i
			}
			moved = append(moved, lines[i], lines[j])
		}
	}
	return moved
}

// fewOfEach keeps the first few lines of each field on each side, and counts the others where they were.
func fewOfEach(lines []string, few int) (kept []string) {
	seen := map[string]int{}
	left, of := 0, ""
	flush := func() {
		if left > 0 {
			kept = append(kept, fmt.Sprintf("    … and %d more of %s", left, strings.TrimSpace(of)))
		}
		left = 0
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, minusLabel) && !strings.HasPrefix(line, plusLabel) {
			flush()
			kept = append(kept, line)
			continue
		}
		name := field(line)
		if seen[name]++; seen[name] <= few {
			flush()
			kept = append(kept, line)
			continue
		}
		if left > 0 && of != name[len(minusLabel):] {
			flush()
		}
		left, of = left+1, name[len(minusLabel):]
	}
	flush()
	return kept
}
