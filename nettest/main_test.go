package nettest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// TestMain: after all tests every goroutine has ended and every file is closed.
func TestMain(m *testing.M) {
	// Networks are dear; RAPID_CHECKS asks for another number of them, RAPID_SEED for others.
	for name, value := range map[string]string{"checks": "40", "seed": "20261130"} {
		if os.Getenv("RAPID_"+strings.ToUpper(name)) != "" {
			continue
		}
		if err := flag.Set("rapid."+name, value); err != nil {
			panic(err)
		}
	}
	files := openFiles()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if now := openFiles(); code == 0 && now > files {
			println("files open:", now, "at the start:", files)
			code = 1
		}
		os.Exit(code)
	}))
}

// openFiles is how many file descriptors this process has open, 0 where that cannot be told.
func openFiles() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}
