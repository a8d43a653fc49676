package mutants

import (
	"sync"
	"time"

	"fetchproof/mutants/engine"
)

// verdicts collects the verdicts of a campaign as they come.
type verdicts struct {
	c     *campaign
	mu    sync.Mutex
	known map[string]Verdict // resumed ones, too
	now   Progress
	start time.Time
}

func newVerdicts(c *campaign, total int) *verdicts {
	v := &verdicts{c: c, known: map[string]Verdict{}, now: Progress{Total: total}, start: time.Now()}
	for id, r := range c.resumed {
		v.known[id] = r
	}
	return v
}

// add completes a verdict, writes it to the log, and tells of the progress.
func (v *verdicts) add(m *engine.Mutant, verdict Verdict) error {
	verdict.Mutant, verdict.Source, verdict.Test = m.ID, v.c.source(m), v.c.testHash
	if err := v.c.log.add(verdict); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known[m.ID] = verdict
	p := &v.now
	p.Done++
	switch verdict.Status {
	case Killed:
		p.Killed++
	case Survived:
		p.Survived++
	}
	p.Elapsed = time.Since(v.start)
	if ran := p.Killed + p.Survived; ran > 0 {
		p.Remaining = p.Elapsed / time.Duration(p.Done) * time.Duration(p.Total-p.Done)
	}
	v.c.Progress(*p)
	return nil
}
