// Package model is the rules as code: RULES.md says what must hold, and the two reference machines here do it as plainly as
// Go allows. [Scheduler] is sections 3 to 15, [Responder] is section 16. They are stepped beside an implementation, and the
// answers and states of the two are compared after every operation.
//
// Read a file next to its section:
//
//	scheduler.go   3, 15  state, the clock, which operation goes where
//	reports.go     4, 10  arrivals, answers and busy replies of attempts
//	contact.go     5      who is silent
//	choice.go      6      choosing a source, starting an attempt
//	fill.go        7, 8   the fill pass, parking
//	outcome.go     9      the table of outcomes, and where a key goes next
//	busy.go        10     cooldowns
//	pending.go     11     verification entries, capacity, promotion; 14: the drain
//	advertise.go   12     re-advertisement
//	depart.go      13     departure
//	state.go       8, 11  all that the rules mention, the parked index and the charges among it
//	responder.go   16     admission
//	limiter.go     16     the busy limiter
//	lists.go, time.go     sorted lists, saturating times
//
// State is kept once. Sorted slices are scanned, and what follows from them (which sources are full, the parked index,
// charges, reservations) is counted anew whenever it is needed: nothing can be out of step.
//
// # Situations
//
// A campaign does not check a rule that it never meets. So each rule has situations, the cases that it was made for, and
// the machines count how often each occurred: [SituationTable] says what they are. The calls saw, sawIf and note* do that
// counting; they change nothing else, no rule depends on them, and a reader of the rules can skip them. The files
// situations_*.go hold them, by section.
package model
