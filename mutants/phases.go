package mutants

import (
	"fmt"
	"time"

	"fetchproof/internal/cputime"
)

// Phases is what the parts of a campaign took.
type Phases struct {
	Load     Spent // loading and type-checking the packages, proposing mutants
	Build    Spent // rewriting, type-checking again, and compiling the binaries
	Baseline Spent
	Run      Spent
}

// Spent is time by the clock, and of the processor's, of the campaign's own process and of those that it started and that
// have ended. The latter says what something costs on a machine that does other things besides.
type Spent struct{ Wall, CPU time.Duration }

func (s Spent) String() string {
	return fmt.Sprintf("%.1fs (%.1fs)", s.Wall.Seconds(), s.CPU.Seconds())
}

// String is one line for the end of a report.
func (p Phases) String() string {
	return fmt.Sprintf("load %v, build %v, baseline %v, run %v, by the clock (of the processor's)", p.Load, p.Build, p.Baseline, p.Run)
}

// spend adds what run takes to s.
func (s *Spent) spend(run func() error) error {
	start, cpu := time.Now(), cpuTime()
	err := run()
	s.Wall += time.Since(start)
	s.CPU += cpuTime() - cpu
	return err
}

// cpuTime is the processor time of this process and of its children that have ended.
func cpuTime() time.Duration { return cputime.Self() + cputime.Children() }
