package lockstep

import (
	"fmt"
	"slices"
	"strings"
)

// detail writes the difference of two states, a stack, or the lines sent, in at most most lines. Of many lines that say the
// same of many keys, the first few stand for all.
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

// field is the beginning of a line of a state: its side and its field.
func field(line string) string { return line[:min(len(minusLabel)+len(gutter), len(line))] }

// entry is the field of a line of a state, and the key or peer that the line is about if the field has many lines.
func entry(line string) (of, one string) {
	of = field(line)
	one, _, _ = strings.Cut(strings.TrimSpace(line[len(of):]), " ")
	return of[len(minusLabel):], one
}

// sideBySide moves the two sides of an entry of the state together, the model's first: only there can what they share be left
// out, and the order of the differing lines is chance.
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
