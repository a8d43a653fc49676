package model

import "fetchproof/ops"

// SituationID names a situation: something that happened in a machine and that a rule is about. The ids are dense, so
// that counting is an array access.
type SituationID uint16

// Situation describes a situation. A rule counts as exercised when each of its situations occurred, so they are chosen
// such that it cannot count without its interesting cases.
type Situation struct {
	ID   SituationID
	Rule string // the rule's name, such as CON-2
	Text string // exactly what happened
}

// Situations counts how often each situation occurred, by id.
type Situations [NumSituations]uint64

// Add adds the counts of o.
func (c *Situations) Add(o *Situations) {
	for i, n := range o {
		c[i] += n
	}
}

// SituationTable is every situation, by id, those of a section together.
var SituationTable = concat(
	determinismSituations, contactSituations, choiceSituations, outcomeSituations, busySituations, pendingSituations,
	advertiseSituations, departSituations, responderSituations, limiterSituations,
)

// OfResponder reports whether the situation is one of the responder; else it is one of the scheduler.
func (id SituationID) OfResponder() bool { return id >= endDepart }

func concat(sections ...[]Situation) []Situation {
	var table []Situation
	for _, section := range sections {
		table = append(table, section...)
	}
	return table
}

// saw counts a situation.
func (s *Scheduler) saw(id SituationID) { s.seen[id]++ }

// sawIf counts a situation if it occurred.
func (s *Scheduler) sawIf(occurred bool, id SituationID) {
	if occurred {
		s.seen[id]++
	}
}

// witness is what situations need to remember from one event to the next. No rule looks at it.
type witness struct {
	source ops.Peer // the source of the last contact evidence,
	at     ops.Time // when it was applied,
	answer bool     // and whether it was an answer (CON-4)
	inPass bool     // a fill pass is going on,
	opened bool     // and it opened the overflow window (CON-8)
}
