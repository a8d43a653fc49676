package bench

import (
	"fmt"
	"os"
	"testing"
)

// TestMain lets the test binary be the child that a run starts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "bench-child" {
		if err := RunChild(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
