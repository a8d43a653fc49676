package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"strings"
	"testing"
	"time"

	"fetchproof/ops"
	"fetchproof/props/gate"
	"fetchproof/props/subject"
)

// stuck is an implementation that does not return.
type stuck struct {
	subject.Forker
	leave chan struct{}
}

func (s *stuck) Apply(*ops.Op, *ops.Result) error {
	<-s.leave
	return nil
}

// An implementation that does not return is told of, and its command run again on a process: this one answers, so there is
// only that it did not return here. What came on standard input is gone by then.
func TestDrive(t *testing.T) {
	t.Setenv(asCommand, "1") // what is run again is this binary
	leave := make(chan struct{})
	defer close(leave)
	for _, c := range []struct {
		name  string
		given []string
		args  []string
		wants []string
	}{
		{
			"check",
			[]string{"-no-corpus", "-steps", "60", "-seed", "3"},
			nil,
			[]string{"check -no-corpus -steps 60 -seed 3 -subject '", "it held there; here it did not return"},
		},
		{"replay", []string{"-"}, []string{"-"}, []string{"keep it in a file, and run it with -subject '"}},
	} {
		var stdout, stderr bytes.Buffer
		call := &call{flags: flag.NewFlagSet(c.name, flag.ContinueOnError), given: c.given, args: c.args, stdout: &stdout, stderr: &stderr}
		options := gate.SubjectOptions{Deadline: 10 * time.Millisecond}
		err := call.drive(context.Background(), &options, nil, func() (bool, error) {
			s, err := options.Watch.Over(func() (subject.Subject, error) { return &stuck{leave: leave}, nil })()
			if err != nil {
				return false, err
			}
			return true, s.Apply(&ops.Op{Kind: ops.Fill}, &ops.Result{})
		})
		if !errors.Is(err, errFailed) {
			t.Errorf("%s: %v, want that it failed", c.name, err)
		}
		for _, want := range append(c.wants, `has not returned from "@0s fill" for 10ms`) {
			if !strings.Contains(stderr.String(), want) {
				t.Errorf("%s: no %q in\n%s%s", c.name, want, &stderr, &stdout)
			}
		}
	}
}

// What returns in time is what it is.
func TestDriveReturns(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		held bool
		err  error
		want error
	}{{true, nil, nil}, {false, nil, errFailed}, {false, broken, broken}} {
		err := new(call).drive(context.Background(), &gate.SubjectOptions{Deadline: time.Hour}, nil, func() (bool, error) { return c.held, c.err })
		if !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("held %t, %v: got %v", c.held, c.err, err)
		}
	}
}
