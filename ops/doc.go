// Package ops is the one language of the suite: an [Op] is one call on a machine with explicit time and explicit random
// draws, a [Result] is what it returned, a [State] is everything that the rules mention. Generators, the explorer, fuzz
// inputs, shrunk failures, corpus files, recorded traces and implementations in other languages all speak it.
//
// It has two written forms: scenario text for people ([Parse], [Format]) and JSON lines for machines (the protocol of
// docs/PROTOCOL.md). Every identifier in the package is the rules' own word for the thing; model/RULES.md is the contract.
package ops
