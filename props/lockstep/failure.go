package lockstep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fetchproof/model"
	"fetchproof/ops"
)

// Failure is the first step at which a subject broke a property or parted from the model.
type Failure struct {
	// Property is the stable name of what failed: one of package props, "result/<op>" or "state/<field>" where subject and
	// model part, "panic" or "subject" where the subject itself failed. Shrinking holds it fixed.
	Property string
	Rules    []string          // the rules that the property serves
	Applied  []string          // the rules whose situations the model met at this step: the suspects
	Met      []model.Situation // those situations
	Step     int               // index of the operation in the program
	Op       ops.Op            // resolved
	Model    ops.Result
	Subject  ops.Result
	Message  string // what failed, in a line
	Detail   string // the state difference, a stack, or a subject's last words; may be empty

	other string // what the model is compared with; empty: the subject
}

// Error is the property and the message, in a line.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Property, f.Message) }

// Text is what a person reads first: what broke, at which operation, what both said, on less than a screen. See [Columns].
func (f *Failure) Text() string {
	text, _ := f.Screen()
	return text
}

// Screen is the text, and whether it has everything that the failure tells.
func (f *Failure) Screen() (text string, whole bool) {
	var s screen
	fmt.Fprintf(&s.text, "FAIL  %s\n", f.Property)
	s.paragraph("      ", words(f.Message), sideLines)
	if len(f.Rules) > 0 {
		s.paragraph("rules     ", words(strings.Join(f.Rules, " ")), listLines)
	}
	f.applied(&s)
	s.paragraph(fmt.Sprintf("step %-4d ", f.Step+1), words(f.Op.String()), listLines)
	model, subject := f.answers()
	other := fmt.Sprintf("%-10s", cmp.Or(f.other, subjectSide))
	s.pair([2]string{"model     ", other}, model, subject, 0, sideLines)
	if f.Detail != "" {
		s.detail(f.Detail, textLines-strings.Count(s.text.String(), "\n"))
	}
	return s.text.String(), !s.cut
}

// applied writes what the model met at this step: a situation of each rule first, those of the rules that the property serves
// before others, since these are the suspects.
func (f *Failure) applied(s *screen) {
	type suspect struct {
		model.Situation
		nth    int // of its rule
		serves int // 0 if the property serves its rule
	}
	var list []suspect
	count := map[string]int{}
	for _, m := range f.Met {
		serves := 1
		if slices.Contains(f.Rules, m.Rule) {
			serves = 0
		}
		list = append(list, suspect{m, count[m.Rule], serves})
		count[m.Rule]++
	}
	slices.SortStableFunc(list, func(a, b suspect) int { return cmp.Or(a.nth-b.nth, a.serves-b.serves) })
	label := "applied   "
	for _, m := range list[:min(len(list), appliedLines)] {
		s.paragraph(label, words(m.Rule+": "+m.Text), 1)
		label = gutter
	}
	if rest := list[min(len(list), appliedLines):]; len(rest) > 0 {
		var rules []string
		for _, m := range rest {
			rules = append(rules, m.Rule)
		}
		s.paragraph(label, words(fmt.Sprintf("… and %d more, of %s", len(rest), strings.Join(slices.Compact(rules), " "))), 1)
	}
}

// Answers are what model and subject answered, in full.
func (f *Failure) Answers() (model, subject string) {
	m, s := f.answers()
	return strings.Join(m, ""), strings.Join(s, "")
}

func (f *Failure) answers() (model, subject []string) {
	if strings.HasPrefix(f.Property, "subject") || f.Property == "panic" && strings.HasPrefix(f.Message, theSubject) {
		return answers(&f.Op, &f.Model), []string{"no answer"}
	}
	return answers(&f.Op, &f.Model), answers(&f.Op, &f.Subject)
}

// answers is what a side answered, each event or other part as one word.
func answers(op *ops.Op, r *ops.Result) []string {
	list := strings.Split(strings.TrimSuffix(string(ops.AppendResult(nil, op, r)), "\n"), "\n")
	if list[0] == "" {
		list[0] = r.Code.String()
	}
	if list[0] == "" {
		list[0] = "nothing"
	}
	if r.Why != "" {
		list[len(list)-1] += " (" + r.Why + ")"
	}
	for i := range list[:len(list)-1] {
		list[i] += "; "
	}
	return list
}
