// Package engine makes mutants of Go packages and compiles all of them into one binary, each behind a switch.
//
// A mutant is one contiguous source edit. The operators (a small file each, listed in [Operators]) propose edits from
// typed syntax; [Program.Anchored] makes one from a named anchor. [Program.Compile] finds for every edit the smallest
// piece of source that can be selected at run time (a condition, a value, a run of statements, an else branch) and
// rewrites it to choose between the original and the edited text by the switch of mutants/mutswitch. The original branch
// holds the rewritten inner pieces, the edited ones only plain text, so that the size stays linear.
//
// The rewritten packages are type-checked before anything is built. An edit that does not fit its place there is taken
// out alone, and is either no Go at all (dropped, with the compiler's reason) or left to be built apart.
//
// Nothing is ever written to the source tree: [Build] puts sources in place with the overlay of the go command.
package engine
