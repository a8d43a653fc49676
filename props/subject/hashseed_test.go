package subject_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"fetchproof/ops"
	"fetchproof/props/subject"
)

// Names stand in the same place wherever a scenario runs: the seed of the tables is the one of the file that was written.
// Other configurations see other tables, and none has secret ones.
func TestHashSeed(t *testing.T) {
	type seeded interface {
		subject.Subject
		HashSeed() uint64
	}
	rng := rand.New(rand.NewPCG(1, 61))
	for machine, s := range map[ops.Machine]seeded{
		ops.SchedulerMachine: subject.NewScheduler(), ops.ResponderMachine: subject.NewResponder(),
	} {
		seedOf := func(config *ops.Config) uint64 {
			if err := s.Init(config); err != nil {
				t.Fatal(err)
			}
			return s.HashSeed()
		}
		seen := map[uint64]bool{}
		const configs = 100
		for range configs {
			config := ops.DefaultConfig(machine)
			if machine == ops.SchedulerMachine {
				config.Scheduler.Slots, config.Scheduler.MaxQueued = 1+rng.Int64N(64), 1+rng.Int64N(1<<20)
			} else {
				config.Responder.Pool, config.Responder.BusyPeerTable = 1+rng.Int64N(64), 1+rng.Int64N(1<<20)
			}
			seed := seedOf(&config)
			file := ops.ScenarioOf(config, nil).String()
			parsed, err := ops.Parse("config", strings.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			if again := seedOf(parsed.Ops()[0].Config); again != seed {
				t.Errorf("%s runs with seed %d, the program with %d", file, again, seed)
			}
			seen[seed] = true
		}
		if len(seen) < configs || seen[0] {
			t.Errorf("%s: %d configurations have %d seeds, secret ones among them: %v", machine, configs, len(seen), seen[0])
		}
	}
}
