// Package mutants measures the suite by the faults it catches: it plants mutants in the production packages and runs the
// test layers against each.
//
// [Run] is a whole campaign: it makes the mutants (engine), compiles them behind one switch into a runner, a main
// package that links the layers, and into the tests of packages (worker), measures which part of which layer reaches which
// mutant, what it costs and how much fuel it needs, and runs them in long-lived processes (pool), the cheap parts first.
// Every verdict is appended to a log the moment it is known, so that a campaign that was killed goes on where it was.
// Survivors that are accepted stand, with the reason, in a [Ledger]; functions that nothing reaches in [Gaps].
//
// The named mutants, a fault or more for every rule, are in package catalogue. Besides what any layer says of one, its own
// check is run alone against it and must report it; [MeasurePower] tells how soon each layer does. [Canary] plants one of them
// for real and demands that the gate turns red. [AuditEngine] compares what the switch does with real edits.
//
// A verdict is one of:
//
//   - killed: a layer failed, panicked, crashed the process, locked itself up, or used far more fuel than it needs without a
//     mutant;
//   - survived: every layer that reaches the mutant passed;
//   - timeout: the wall clock ran out twice, the second time with the machine to itself; counted as neither;
//   - uncovered: no layer reaches the mutant, so none was run;
//   - unbuilt: the mutant does not fit behind the switch, and building apart was not asked for;
//   - invalid: the mutant is no valid Go, and counts for nothing.
package mutants
