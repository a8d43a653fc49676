// Package testworker turns a test binary into a worker: the tests of one package are its one layer.
//
// The campaign adds a TestMain that calls [Main] to the package it builds; nothing in the source tree does.
package testworker

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"fetchproof/mutants/worker"
)

// Main runs the tests of m once per request, as the layer with this name, and does not return. skip is a pattern, as
// -test.skip takes it, of tests that are left out; empty for none.
func Main(m *testing.M, layer, skip string) {
	flag.Parse()
	set("test.failfast", "true")
	set("test.short", "true")
	set("test.skip", skip)
	set("rapid.nofailfile", "true")
	set("rapid.shrinktime", "0s") // that it fails is enough
	// With failfast, package testing runs no test after a failure, in later runs neither.
	worker.Main(worker.Layer{Name: layer, Budget: 1, Once: true, Fixed: true, Run: func(p worker.Params) *worker.Failure {
		set("rapid.seed", fmt.Sprint(p.Seed|1)) // 0 would be a random one
		set("test.run", "")
		switch {
		case p.Check != "":
			set("test.run", "^"+p.Check+"$")
		case len(p.Parts) > 0:
			set("test.run", "^("+strings.Join(p.Parts, "|")+")$")
		}
		return run(m)
	}, Parts: func() ([]string, error) { return list(m, skip) }})
}

// list is the functions of m that are run: tests, examples, and fuzz targets with their seeds.
func list(m *testing.M, skip string) ([]string, error) {
	leftOut, err := regexp.Compile(skip)
	if err != nil {
		return nil, fmt.Errorf("tests to skip: %w", err)
	}
	set("test.list", ".")
	_, output, err := capture(m)
	set("test.list", "")
	if err != nil {
		return nil, fmt.Errorf("list the tests: %w", err)
	}
	var names []string
	for line := range strings.Lines(string(output)) {
		if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "Benchmark") && (skip == "" || !leftOut.MatchString(name)) {
			names = append(names, name)
		}
	}
	return names, nil
}

// set sets a flag if the binary has it.
func set(name, value string) {
	if f := flag.Lookup(name); f != nil {
		_ = f.Value.Set(value) // a value that is not accepted leaves the default, which is no worse
	}
}

// outputTail is how much of the tests' output is kept, in bytes.
const outputTail = 32 << 10

// run runs the tests and reads from what they print which failed.
func run(m *testing.M) *worker.Failure {
	code, output, err := capture(m)
	switch {
	case err != nil:
		return &worker.Failure{Check: "pipe", Message: err.Error()}
	case code == 0:
		return nil
	}
	return failure(output)
}

// capture runs m and keeps the beginning of what it prints.
func capture(m *testing.M) (code int, output []byte, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return 0, nil, err
	}
	read := make(chan []byte)
	go func() {
		var kept bytes.Buffer
		in := bufio.NewReader(r)
		for {
			line, err := in.ReadBytes('\n')
			if kept.Len() < outputTail {
				kept.Write(line)
			}
			if err == io.EOF {
				read <- kept.Bytes()
				return
			}
		}
	}()
	stdout := os.Stdout
	os.Stdout = w
	code = m.Run()
	os.Stdout = stdout
	_ = w.Close() // its reader sees the end either way
	output = <-read
	_ = r.Close()
	return code, output, nil
}

// failure finds the first test, the innermost of its subtests, that failed.
func failure(output []byte) *worker.Failure {
	f := &worker.Failure{Message: "the tests failed and did not say which"}
	for line := range strings.Lines(string(output)) {
		text := strings.TrimSpace(line)
		name, isFail := strings.CutPrefix(text, "--- FAIL: ")
		switch {
		case isFail:
			name, _, _ = strings.Cut(name, " (")
			if f.Check != "" && !strings.HasPrefix(name, f.Check+"/") {
				return f
			}
			f.Check, f.Message = name, ""
		case f.Check != "" && f.Message == "":
			f.Message = text
		}
	}
	return f
}
