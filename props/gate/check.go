package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"fetchproof/corpus"
	"fetchproof/internal/console"
	"fetchproof/internal/cputime"
	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/script"
	"fetchproof/props/subject"
)

// CheckOptions say how much is checked.
type CheckOptions struct {
	Out        io.Writer
	Progress   *console.Progress
	Seed       uint64
	Time       time.Duration
	Steps      int64 // if positive, Time does not count
	Length     int
	Workers    int
	FailureDir string
	NoCorpus   bool // leave the corpus out
	Coverage   bool // measure the generator against the small scopes
	JSON       bool
	Verbose    bool
	Subject    SubjectOptions
}

// vacuousAfter is the number of random steps after which a situation that never occurred fails the run: a rule that a campaign of
// this size does not exercise is not checked by it.
const vacuousAfter = 1_000_000

// Check runs the corpus, the wire vectors, random programs in lockstep and the beginnings of the small scopes, and prints the
// table of rules. It reports whether all held. For a subject that is a process it leaves out the vectors, which do not concern
// it, and the scopes, on which Explore takes longer.
func Check(ctx context.Context, o CheckOptions) (held bool, err error) {
	c := &check{CheckOptions: o, result: checkResult{Seed: o.Seed}}
	c.say("seed      %d\n", o.Seed)
	if err := c.meet(); err != nil {
		return false, err
	}
	builtin := o.Subject.Command == ""
	for _, part := range []struct {
		wanted bool
		run    func(context.Context) error
	}{
		{!o.NoCorpus, c.corpus},
		{builtin, c.wire},
		{true, c.programs},
		{builtin, c.scopes},
		{true, c.coverage},
		{o.Coverage, c.scopeCoverage},
	} {
		if !part.wanted || c.result.Failure != nil {
			continue
		}
		if err := part.run(ctx); err != nil {
			return false, err
		}
	}
	return c.finish(ctx)
}

type check struct {
	CheckOptions
	result  checkResult
	random  *campaign.Report // of the random programs; nil if they were not run, or one failed
	vacuous bool             // a situation never occurred, in a campaign that should have had it
}

// checkResult is what a check did, for machines.
type checkResult struct {
	Seed           uint64            `json:"seed"`
	Held           bool              `json:"held"`
	Interrupted    bool              `json:"interrupted,omitempty"`
	Scenarios      int               `json:"scenarios"`
	Programs       int64             `json:"programs"`
	Steps          int64             `json:"steps"`
	StepsPerSecond int64             `json:"steps_per_cpu_second"`
	Vectors        int               `json:"wire_vectors"`
	Scopes         int               `json:"scopes"`
	Transitions    int               `json:"scope_transitions"`
	Situations     map[string]uint64 `json:"situations,omitempty"`
	Unexercised    []string          `json:"unexercised,omitempty"`
	LeftOut        []string          `json:"left_out,omitempty"`
	Coverage       []scopeCoverage   `json:"coverage,omitempty"`
	Failure        *failureJSON      `json:"failure,omitempty"`
}

func (c *check) say(format string, args ...any) {
	if !c.JSON {
		fmt.Fprintf(c.Out, format, args...)
	}
}

// meet begins a check of a process: what it is, and whether it can be put under the suite at all.
func (c *check) meet() error {
	text, failure, err := c.Subject.meet()
	if text != "" {
		c.say("%s\n", text)
	}
	if failure != nil {
		c.failed(&report{failure: failure, replay: "fetchproof check" + c.Subject.flag()})
	}
	return err
}

func (c *check) corpus(ctx context.Context) error {
	scenarios, err := corpus.Scenarios()
	if err != nil {
		return err
	}
	return c.Subject.with(func(s subject.Subject) error {
		for _, scenario := range scenarios {
			if !c.Subject.hasAll(scenario) {
				continue
			}
			outcome, err := script.RunContext(ctx, scenario, s, c.Subject.stateEvery(), true)
			if err != nil {
				return interrupted(ctx, err)
			}
			c.result.Scenarios++
			c.result.Steps += outcome.Steps
			if outcome.Failure != nil {
				c.foundInCorpus(ctx, scenario, outcome.Failure, s)
				return nil
			}
		}
		c.say("corpus    %d scenarios agree\n", c.result.Scenarios)
		return nil
	})
}

func (c *check) programs(ctx context.Context) error {
	run := ctx
	if c.Steps <= 0 {
		var cancel context.CancelFunc
		run, cancel = context.WithTimeout(ctx, c.Time)
		defer cancel()
	}
	var progress campaign.Progress
	started := time.Now()
	c.Progress.Start(func() string {
		return fmt.Sprintf("random    %s, %d programs, %d steps", time.Since(started).Round(time.Second), progress.Programs.Load(), progress.Steps.Load())
	})
	cpu := cputime.Self()
	report, err := campaign.Run(run, campaign.Options{
		Seed: c.Seed, Steps: c.Steps, Length: c.Length, Workers: c.Workers, StateEvery: c.Subject.stateEvery(), Subject: c.Subject.factory(),
		Machines: c.Subject.machines,
	}, &progress)
	cpu = cputime.Self() - cpu
	c.Progress.Stop()
	if err != nil {
		return err
	}
	c.result.Programs, c.result.Steps = report.Programs, c.result.Steps+report.Steps
	c.result.StepsPerSecond = int64(float64(report.Steps) / max(cpu.Seconds(), 1e-9))
	if report.Found != nil {
		return c.foundRandom(ctx, report.Found)
	}
	c.say("random    %d programs, %d steps agree, %d steps per CPU-second\n", report.Programs, report.Steps, c.result.StepsPerSecond)
	c.random = report
	return nil
}

// coverage prints which parts of the rules the random programs did not check, and how often they exercised each rule.
func (c *check) coverage(context.Context) error {
	c.leftOut(c.random)
	c.exercised(&c.random.Situations, c.random.Steps)
	return nil
}

// leftOut prints what this check left out because the subject does not have it.
func (c *check) leftOut(report *campaign.Report) {
	for k, left := range report.LeftOut {
		if left {
			c.result.LeftOut = append(c.result.LeftOut, "operation "+ops.Kind(k).String())
		}
	}
	want := ops.AllFields
	switch machines := c.Subject.machines; {
	case len(machines) != 1:
	case machines[0] == ops.SchedulerMachine:
		want = ops.SchedulerFields
	default:
		want = ops.ResponderFields
	}
	if missing := want &^ report.Compared; missing != 0 && report.Programs >= 8 {
		c.result.LeftOut = append(c.result.LeftOut, "state "+missing.String())
	}
	for _, what := range c.result.LeftOut {
		c.say("left out  %s: the subject does not have it\n", what)
	}
}

// exercised prints how often every rule was exercised, and notes the situations that never occurred.
func (c *check) exercised(counts *model.Situations, steps int64) {
	c.result.Situations = map[string]uint64{}
	for _, s := range model.SituationTable {
		c.result.Situations[s.Rule+": "+s.Text] = counts[s.ID]
		if counts[s.ID] == 0 {
			c.result.Unexercised = append(c.result.Unexercised, s.Rule+": "+s.Text)
		}
	}
	if !c.JSON {
		writeCoverage(c.Out, counts, c.Verbose)
	}
	c.missed(steps)
}

// listed is how many of the situations that never occurred are named; the others are counted.
const listed = 12

// missed tells of the situations that never occurred in so many random steps, and whether that fails the run.
func (c *check) missed(steps int64) {
	never := c.result.Unexercised
	for i, u := range never {
		if i == listed && !c.Verbose {
			c.say("never     … and %d others, which -v lists\n", len(never)-listed)
			break
		}
		c.say("never     %s\n", u)
	}
	why := ""
	switch {
	case len(never) == 0:
	case c.Subject.Command != "":
		why = "in programs for this subject"
	case c.Length > 0:
		why = "in programs of this length"
	case steps < vacuousAfter:
		why = fmt.Sprintf("in fewer than %d random steps", vacuousAfter)
	default:
		c.vacuous = true
	}
	if why != "" {
		c.say("          (%s: this does not fail the run)\n", why)
	}
}

func (c *check) finish(ctx context.Context) (bool, error) {
	// A rule that a stopped check had no time for is neither exercised nor missing.
	c.result.Interrupted = c.result.Failure == nil && ctx.Err() != nil
	c.result.Held = c.result.Failure == nil && !c.vacuous && !c.result.Interrupted
	if c.JSON {
		if err := json.NewEncoder(c.Out).Encode(&c.result); err != nil {
			return false, err
		}
	}
	switch {
	case c.result.Failure != nil:
		c.say("seed      %d\nFAIL      %s\n", c.Seed, c.result.Failure.Property)
	case c.result.Interrupted:
		c.say("seed      %d\nstopped   nothing failed so far, which says nothing of the rest\n", c.Seed)
		return false, ErrInterrupted
	case c.vacuous:
		c.say("seed      %d\nFAIL      %d situations were never exercised in %d steps\n", c.Seed, len(c.result.Unexercised), c.result.Steps)
	default:
		c.say("ok        seed %d\n", c.Seed)
	}
	return c.result.Held, nil
}
