// Package worker is the process that a mutation campaign runs: a binary linked from rewritten sources that turns the
// mutants in it on, one at a time, and runs the test layers against each.
//
// A runner is a main package whose main calls [Main] with its layers, cheapest first. It reads one [Request] a line on its
// standard input and answers each with one [Response] a line on file descriptor 3, so that a layer may print what it
// likes. A crash is the campaign's to notice; the end of the input ends the process at once, whatever it is doing.
package worker
