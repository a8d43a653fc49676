package explore

import (
	"fmt"
	"slices"
	"strings"

	"fetchproof/ops"
)

// sketch is a scope as the table writes it down.
type sketch struct {
	name, text string
	config     string // as a scenario has it; durations that it does not name are those of brief
	keys       string
	peers      string
	// letters are operations as a scenario has them, one a line, {k} standing for every key and {p} for every peer. A prefix
	// says how it moves the clock: none does not, + by a nanosecond, > to the next deadline, >> past all, < back. With ! it is
	// carried out even where it makes no sense. tick moves the clock alone.
	letters   string
	symmetric string
	why       string
	large     bool
	pin       Pin
}

// brief is a configuration whose durations are a few nanoseconds.
var brief = map[ops.Machine][]string{
	ops.SchedulerMachine: {
		"fetch_timeout=2ns", "mark_lifetime=2ns", "busy_wait_min=1ns", "busy_wait_max=2ns", "busy_cooldown_cap=4ns",
		"busy_multiplier_max=2", "busy_forget_after=2ns", "verify_retry_delay=1ns",
	},
	ops.ResponderMachine: {
		"fetch_timeout=2ns", "busy_peer_rate=500000000", "busy_global_rate=1000000000", "busy_peer_burst=1", "busy_global_burst=2",
	},
}

var moveSigns = []struct {
	sign string
	move Move
}{{">>", Far}, {">", Next}, {"+", Step}, {"<", Back}}

// scope makes the scope. A sketch that does not parse is a mistake in the table.
func (k *sketch) scope() (*Scope, error) {
	s := &Scope{Name: k.name, Text: k.text, Why: k.why, Large: k.large, Pin: k.pin}
	for _, name := range strings.Fields(k.keys) {
		s.Keys = append(s.Keys, ops.KeyNamed(name))
	}
	for _, name := range strings.Fields(k.peers) {
		s.Peers = append(s.Peers, ops.PeerNamed(name))
	}
	for _, name := range strings.Fields(k.symmetric) {
		s.Symmetric = append(s.Symmetric, ops.PeerNamed(name))
	}
	program := strings.Builder{}
	program.WriteString(k.configLine() + "\n")
	for _, line := range k.lines() {
		letter, op := cutSigns(line)
		if op == "tick" {
			letter.Tick, op = true, "remove "+noKey
		}
		op, letter.Which = cutWhich(op)
		s.Letters = append(s.Letters, letter)
		program.WriteString(op + "\n")
	}
	scenario, err := ops.Parse("scope "+k.name, strings.NewReader(program.String()))
	if err != nil {
		return nil, err
	}
	list := scenario.Ops()
	s.Config = *list[0].Config
	for i := range s.Letters {
		s.Letters[i].Op = list[1+i]
	}
	return s, s.Validate()
}

func (k *sketch) configLine() string {
	words := strings.Fields(k.config)
	machine := ops.SchedulerMachine
	if words[0] == ops.ResponderMachine.String() {
		machine = ops.ResponderMachine
	}
	for _, word := range brief[machine] {
		name, _, _ := strings.Cut(word, "=")
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, name+"=") }) {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// lines are the letters with every {k} and {p} written out.
func (k *sketch) lines() (lines []string) {
	for line := range strings.Lines(k.letters) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		list := []string{line}
		for _, x := range []struct{ mark, names string }{{"{k}", k.keys}, {"{p}", k.peers}} {
			if !strings.Contains(line, x.mark) {
				continue
			}
			var written []string
			for _, l := range list {
				for _, name := range strings.Fields(x.names) {
					written = append(written, strings.ReplaceAll(l, x.mark, name))
				}
			}
			list = written
		}
		lines = append(lines, list...)
	}
	return lines
}

func cutSigns(line string) (l Letter, op string) {
	for _, m := range moveSigns {
		if rest, ok := strings.CutPrefix(line, m.sign); ok {
			l.Move, line = m.move, rest
			break
		}
	}
	op, l.Always = strings.CutPrefix(line, "!")
	return l, op
}

// cutWhich reads which open ticket or send a responder's letter is about: "take 1" is the second oldest. The number in the
// operation is then arbitrary, since the state says which one is meant.
func cutWhich(op string) (text string, which int) {
	for _, kind := range []ops.Kind{ops.Take, ops.Release, ops.SendDone} {
		if n, _ := fmt.Sscanf(op, kind.String()+" %d", &which); n == 1 {
			return kind.String() + " #0", which
		}
	}
	return op, 0
}
