// Command child carries out one case of the scale benchmark, which comes on standard input, and writes what it cost to
// standard output. `fetchproof bench` builds it and starts it once for every repeat of every case.
//
// It is a program of its own so that its peak RSS, which is that of a whole process, is a scheduler's and not that of a
// scheduler among networks, signatures and test tables: starting the fetchproof command touches 11 MiB before a case begins.
package main

import (
	"fmt"
	"os"

	"fetchproof/bench"
)

func main() {
	if err := bench.RunChild(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
