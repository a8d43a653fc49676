package bench

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// lines writes the format of Go benchmark results, which benchstat reads.
type lines struct {
	w   io.Writer
	err error // the first that a write met
}

func (l *lines) printf(format string, args ...any) {
	if l.err == nil {
		_, l.err = fmt.Fprintf(l.w, format, args...)
	}
}

func (l *lines) header(e Env) {
	l.printf("goos: %s\ngoarch: %s\npkg: fetchproof/bench\ncpu: %s\ngogc: %d\n", e.OS, e.Arch, e.CPU, e.GOGC)
}

// result writes a line for each operation of a case. Its time is CPU time.
func (l *lines) result(r Result) {
	for _, s := range r.Samples {
		l.printf("Benchmark%s/machine=%s/keys=%d/sources=%d/peers=%d %d %s cpu-ns/op %s B/op %s allocs/op",
			camel(s.Op), r.Case.Machine, r.Case.Keys, r.Case.Sources, r.Case.Peers,
			s.N, number(s.CPU), number(s.Bytes), number(s.Allocs))
		for _, extra := range []struct {
			value float64
			unit  string
		}{{s.Worst, "worst-cpu-ns"}, {s.RSS, "peak-RSS-bytes"}, {s.Left, "left-bytes"}, {s.Touched, "touched/op"}, {s.Most, "most-touched"}} {
			if extra.value > 0 {
				l.printf(" %s %s", number(extra.value), extra.unit)
			}
		}
		l.printf("\n")
	}
}

// number writes a figure with four digits after the point below a hundred, as whole above.
func number(x float64) string {
	if x >= 100 || x == float64(int64(x)) {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4f", x)
}

// camel turns an operation's name into a benchmark's: forced-pass is ForcedPass, dispatch-free@8 DispatchFree/slots=8.
func camel(op string) string {
	op, slots, ok := strings.Cut(op, "@")
	var b strings.Builder
	up := true
	for _, r := range op {
		switch {
		case r == '-':
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	if ok {
		b.WriteString("/slots=" + slots)
	}
	return b.String()
}
