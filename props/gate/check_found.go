package gate

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/lockstep"
	"fetchproof/props/script"
	"fetchproof/props/subject"
)

// maxShrinkTries bounds the shrinking of a failure that check finds.
const maxShrinkTries = 100_000

// foundRandom shrinks and reports a failing program.
func (c *check) foundRandom(ctx context.Context, found *campaign.Found) error {
	c.say("random    program %d of seed %d fails at operation %d; shrinking it\n", found.Number, c.Seed, found.Failure.Step+1)
	return c.Subject.with(func(s subject.Subject) error {
		r := c.shrunk(ctx, found.Program, found.Failure, s, fmt.Sprintf("%d-%d", c.Seed, found.Number))
		c.failed(r)
		return nil
	})
}

// foundInCorpus reports a failing scenario, by the shortest program that fails so if the failure is the subject's. If the file
// is wrong about model and subject alike, no shorter program shows it.
func (c *check) foundInCorpus(ctx context.Context, scenario *ops.Scenario, f *script.Failure, s subject.Subject) {
	whole := fmt.Sprintf("fetchproof replay %s%s", scenario.Name, c.Subject.flag())
	r := &report{failure: f.Lockstep, replay: whole}
	if f.Shrinkable() {
		c.say("corpus    %s fails at operation %d; shrinking it\n", scenario.Name, f.Lockstep.Step+1)
		name := strings.TrimSuffix(path.Base(scenario.Name), ".txt")
		r = c.shrunk(ctx, f.Program, f.Lockstep, s, name)
		r.also += "corpus    " + whole + "\n"
	}
	r.at = f.Where(scenario.Name)
	c.failed(r)
	c.result.Failure.Line, c.result.Failure.Corpus = f.Line, scenario.Name
}

// shrunk shrinks a program and keeps what comes out in a file named after the property and the failure.
func (c *check) shrunk(ctx context.Context, p lockstep.Program, f *lockstep.Failure, s subject.Subject, name string) *report {
	shrinking := shrinking{tries: maxShrinkTries, subject: s, stateEvery: c.Subject.stateEvery(), progress: c.Progress}
	result := shrinking.run(ctx, p, f)
	r := &report{failure: result.Failure, scenario: shrunkScenario(&result)}
	file := filepath.Join(c.FailureDir, fmt.Sprintf("%s-%s.txt", strings.ReplaceAll(f.Property, "/", "-"), name))
	if err := keep(file, r.scenario); err != nil {
		// The failure matters more than where it is kept.
		r.replay = fmt.Sprintf("fetchproof replay FILE%s, with the lines above in FILE", c.Subject.flag())
		r.also = fmt.Sprintf("note      they could not be kept: %v\n", err)
		return r
	}
	r.file, r.replay = file, fmt.Sprintf("fetchproof replay %s%s", subject.Word(file), c.Subject.flag())
	return r
}

func keep(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

func (c *check) failed(r *report) {
	c.result.Failure = jsonOf(r.failure)
	c.result.Failure.Scenario, c.result.Failure.File, c.result.Failure.Replay = r.scenario, r.file, r.replay
	c.say("\n%s", r.text())
}
