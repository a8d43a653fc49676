package gate

import (
	"fmt"
	"strings"
	"testing"
)

// A situation that never occurred fails a campaign that was long and free enough to have it, and no other; the text says which.
func TestMissed(t *testing.T) {
	var many []string
	for i := range listed + 3 {
		many = append(many, fmt.Sprintf("RUL-%d: it", i))
	}
	for _, c := range []struct {
		name    string
		never   []string
		options CheckOptions
		steps   int64
		vacuous bool
		want    string
	}{
		{"none", nil, CheckOptions{}, vacuousAfter, false, ""},
		{"enough", many[:1], CheckOptions{}, vacuousAfter, true, "never     RUL-0: it\n"},
		{
			"few steps", many[:1],
			CheckOptions{},
			vacuousAfter - 1, false,
			"never     RUL-0: it\n          (in fewer than 1000000 random steps: this does not fail the run)\n",
		},
		{
			"a length", many[:1],
			CheckOptions{Length: 12},
			vacuousAfter, false,
			"never     RUL-0: it\n          (in programs of this length: this does not fail the run)\n",
		},
		{
			"a subject", many[:1],
			CheckOptions{Subject: SubjectOptions{Command: "x"}},
			vacuousAfter, false,
			"never     RUL-0: it\n          (in programs for this subject: this does not fail the run)\n",
		},
		{
			"many", many,
			CheckOptions{},
			vacuousAfter, true,
			"never     " + strings.Join(many[:listed], "\nnever     ") + "\nnever     … and 3 others, which -v lists\n",
		},
		{"many, all", many, CheckOptions{Verbose: true}, vacuousAfter, true, "never     " + strings.Join(many, "\nnever     ") + "\n"},
	} {
		var out strings.Builder
		c.options.Out = &out
		run := &check{CheckOptions: c.options, result: checkResult{Unexercised: c.never}}
		run.missed(c.steps)
		if run.vacuous != c.vacuous || out.String() != c.want {
			t.Errorf("%s: vacuous %v, %q", c.name, run.vacuous, out.String())
		}
	}
}
