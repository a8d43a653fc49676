// Package stacks reads the stacks that the runtime writes.
package stacks

import "strings"

// Frame is a call on a stack.
type Frame struct {
	Function string // with its package, without its arguments, which differ from run to run
	Place    string // the file and the line
}

// Frames are the calls of one goroutine, as the runtime writes it, the innermost first.
func Frames(goroutine string) (list []Frame) {
	lines := strings.Split(goroutine, "\n")
	for i := 1; i+1 < len(lines); i += 2 { // the first says which goroutine it is
		f := Frame{Function: lines[i]}
		if at := strings.LastIndexByte(f.Function, '('); at > 0 {
			f.Function = f.Function[:at]
		}
		f.Place, _, _ = strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
		list = append(list, f)
	}
	return list
}
