package subject_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fetchproof/ops"
	"fetchproof/props/subject"
	"fetchproof/props/subject/sabotage"
)

// modeVariable makes the test binary a subject: the tests start it again, with what it is to do in the environment.
const modeVariable = "FETCHPROOF_TEST_SUBJECT"

func TestMain(m *testing.M) {
	if mode := os.Getenv(modeVariable); mode != "" {
		if err := actAs(mode); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// command is the command line of the test binary as a subject.
func command(mode string) string {
	binary, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return "env " + subject.Quote(modeVariable+"="+mode) + " " + subject.Quote(binary)
}

func process(t *testing.T, mode string, deadline time.Duration) *subject.Process {
	t.Helper()
	s, err := subject.ProcessFactory(command(mode), deadline)()
	if err != nil {
		t.Fatal(err)
	}
	p := s.(*subject.Process)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// actAs is the subject's side. A mode is "builtin", "sabotage NAME", "lacks OP…", or one of the ways to fail, which all
// answer an init before.
func actAs(mode string) error {
	words := strings.Fields(mode)
	switch words[0] {
	case "builtin":
		return subject.Serve(os.Stdin, os.Stdout, "built-in", subject.BuiltinFactory)
	case "sabotage":
		return subject.Serve(os.Stdin, os.Stdout, mode, sabotage.Factory(words[1]))
	case "lacks":
		return subject.Serve(os.Stdin, os.Stdout, mode, func() (subject.Subject, error) {
			return &poorer{subject.NewBuiltin(), words[1:]}, nil
		})
	}
	in := bufio.NewReader(os.Stdin)
	fmt.Fprintln(os.Stderr, "last words of", mode)
	for first := true; ; first = false {
		if _, err := in.ReadSlice('\n'); err != nil {
			return nil
		}
		if first {
			name, err := nameAs(words[0])
			if err != nil {
				return err
			}
			fmt.Printf("{\"result\":\"ok\",\"protocol\":1,\"name\":%q}\n", name)
			continue
		}
		if err := failAs(words[0]); err != nil {
			return err
		}
	}
}

// nameAs is what the subject calls itself: one with a family tells the process that it has started.
func nameAs(way string) (string, error) {
	if way != "family" {
		return "failing", nil
	}
	child := exec.Command("sleep", "1000")
	err := child.Start()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("child %d", child.Process.Pid), nil
}

func failAs(way string) error {
	switch way {
	case "crash":
		os.Exit(3)
	case "hang":
		for {
			_ = syscall.Pause()
		}
	case "garbage":
		fmt.Println("panic: no json at all")
	case "wrong":
		fmt.Println(`{"result":"admitted"}`)
	case "error":
		fmt.Println(`{"error":"I do not like this line"}`)
	case "endless":
		for {
			fmt.Print(strings.Repeat("x", 1<<16))
		}
	case "stubborn":
		_ = os.Stdin.Close()
		for {
			_ = syscall.Pause()
		}
	}
	return nil
}

// poorer is a subject without some operations.
type poorer struct {
	*subject.Builtin
	lacks []string
}

func (p *poorer) has(k ops.Kind) bool {
	for _, name := range p.lacks {
		if name == k.String() {
			return false
		}
	}
	return true
}

func (p *poorer) Apply(op *ops.Op, res *ops.Result) error {
	if !p.has(op.Kind) {
		res.Reset()
		res.Code = ops.Unsupported
		return nil
	}
	return p.Builtin.Apply(op, res)
}

func (p *poorer) State(now ops.Time, st *ops.State) error {
	err := p.Builtin.State(now, st)
	if !p.has(ops.StateQuery) {
		st.Fields = 0
	}
	return err
}
