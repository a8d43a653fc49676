// Package trace writes down what a live node's machines do, as JSON lines in the form of docs/PROTOCOL.md, and has the
// reference model judge what was written (WRK-5). A trace is a scenario file like any other: it replays, shrinks and
// converts with the same commands.
package trace
