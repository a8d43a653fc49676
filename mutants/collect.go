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
	start time.Time // of the campaign's own work, building included
	ran   time.Time // when the first mutant was run
	quick int       // verdicts that needed no run, and so tell nothing of how long the others take
}

func newVerdicts(c *campaign, total int) *verdicts {
	now := time.Now()
	v := &verdicts{c: c, known: map[string]Verdict{}, now: Progress{Total: total}, start: now, ran: now}
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
	switch verdict.Status {
	case Uncovered, Unbuilt, Invalid:
		v.quick++
	default:
		p.Remaining = time.Since(v.ran) / time.Duration(p.Done-v.quick) * time.Duration(p.Total-p.Done)
	}
	v.c.Progress(*p)
	return nil
}
