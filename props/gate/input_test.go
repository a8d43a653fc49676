package gate

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fetchproof/ops"
)

// readers are the commands that read a scenario.
var readers = map[string]func(ctx context.Context, path string, in io.Reader) (held bool, err error){
	"replay": func(ctx context.Context, path string, in io.Reader) (bool, error) {
		return Replay(ctx, path, ReplayOptions{Out: io.Discard, In: in})
	},
	"shrink": func(ctx context.Context, path string, in io.Reader) (bool, error) {
		return Shrink(ctx, path, ShrinkOptions{Out: io.Discard, In: in})
	},
	"convert": func(ctx context.Context, path string, in io.Reader) (bool, error) {
		return true, Convert(ctx, path, ConvertOptions{Out: io.Discard, In: in})
	},
}

// What is no regular file is refused at once, whoever reads it: nothing is waited for.
func TestNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, read := range readers {
		for _, path := range []string{pipe, dir, "/dev/zero"} {
			if _, err := read(context.Background(), path, nil); err == nil || !strings.HasPrefix(err.Error(), path+": this is a ") {
				t.Errorf("%s %s: %v", name, path, err)
			}
		}
	}
}

// "-" is standard input; messages say so.
func TestStandardInput(t *testing.T) {
	for name, read := range readers {
		held, err := read(context.Background(), "-", strings.NewReader("scheduler\nenqueue k1 at=1 from=A\nfill\n"))
		if !held || err != nil {
			t.Errorf("%s -: held %t, %v", name, held, err)
		}
		var at *ops.ParseError
		_, err = read(context.Background(), "-", strings.NewReader("scheduler\nfly\n"))
		if !errors.As(err, &at) || at.File != "stdin" || at.Line != 2 {
			t.Errorf("%s -: %v", name, err)
		}
	}
	if _, err := Replay(context.Background(), "-", ReplayOptions{Out: io.Discard, In: strings.NewReader("scheduler\n"), Rewrite: true}); err == nil {
		t.Error("-rewrite writes into standard input")
	}
}

// A reader that waits for input which never comes ends when it is told to.
func TestInterruptedWhileReading(t *testing.T) {
	for name, read := range readers {
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() {
			_, err := read(ctx, "-", r)
			done <- err
		}()
		if _, err := w.Write([]byte("scheduler\n")); err != nil { // it reads, and waits for more
			t.Fatal(err)
		}
		cancel()
		if err := <-done; !errors.Is(err, ErrInterrupted) {
			t.Errorf("%s: %v", name, err)
		}
		_ = w.Close()
	}
}

// A check, an exploration and a replay that are told to stop have shown nothing: they neither hold nor fail.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, run := range map[string]func(out io.Writer) (bool, error){
		"corpus": func(out io.Writer) (bool, error) {
			return Check(ctx, CheckOptions{Out: out, Seed: 5, FailureDir: t.TempDir()})
		},
		"random": func(out io.Writer) (bool, error) {
			return Check(ctx, CheckOptions{Out: out, Seed: 5, Steps: 1000, NoCorpus: true, FailureDir: t.TempDir()})
		},
		"JSON": func(out io.Writer) (bool, error) {
			return Check(ctx, CheckOptions{Out: out, Seed: 5, Steps: 1000, NoCorpus: true, JSON: true, FailureDir: t.TempDir()})
		},
		"explore": func(out io.Writer) (bool, error) { return Explore(ctx, ExploreOptions{Out: out}) },
		"replay": func(out io.Writer) (bool, error) {
			return Replay(ctx, "-", ReplayOptions{Out: out, In: strings.NewReader("scheduler\nfill\n")})
		},
	} {
		var out bytes.Buffer
		held, err := run(&out)
		if held || !errors.Is(err, ErrInterrupted) {
			t.Errorf("%s: held %t, %v", name, held, err)
		}
		if strings.Contains(out.String(), "ok  ") || strings.Contains(out.String(), `"held":true`) {
			t.Errorf("%s says that all is well:\n%s", name, &out)
		}
	}
}

// A scenario of the corpus is replayed where the file is not there, too: what check prints can be pasted anywhere.
func TestReplayOfTheCorpus(t *testing.T) {
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	const name = "corpus/scenarios/rules/con-2-old-answer.txt"
	held, err := Replay(context.Background(), name, ReplayOptions{Out: &out})
	if err != nil || !held || !strings.HasPrefix(out.String(), "ok    "+name+": ") {
		t.Errorf("held %t, %v: %s", held, err, &out)
	}
	if _, err := Replay(context.Background(), "corpus/scenarios/none.txt", ReplayOptions{Out: &out}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is nowhere: %v", err)
	}
}

// Fields that the language does not have are told, since one that is misspelt is not compared; and they cannot be converted.
func TestUnknownFieldsAreTold(t *testing.T) {
	lines := traceWithResult[:strings.IndexByte(traceWithResult, '\n')+1] + `{"op":"take","now":0,"ticket":1,"reslut":"serve"}` + "\n"
	var out bytes.Buffer
	held, err := Replay(context.Background(), "-", ReplayOptions{Out: &out, In: strings.NewReader(lines)})
	if want := "note      stdin:2: ignored what the language does not have: [\"reslut\"]\n"; err != nil || !held || !strings.HasSuffix(out.String(), want) {
		t.Errorf("held %t, %v:\n%s\nwant\n%s", held, err, &out, want)
	}
	if err := Convert(context.Background(), "-", ConvertOptions{Out: &out, In: strings.NewReader(lines)}); !errors.Is(err, ErrLossy) || !strings.HasPrefix(err.Error(), "stdin:2: ") {
		t.Errorf("convert says %v", err)
	}
	if err := Convert(context.Background(), "-", ConvertOptions{Out: &out, In: strings.NewReader(lines), Drop: true}); err != nil {
		t.Errorf("convert -drop says %v", err)
	}
}
