package gate

import (
	"context"
	"fmt"
	"strings"

	"fetchproof/props/explore"
)

// coverageSteps is how many operations are drawn within each scope, and coverageMissed how many unvisited states, and how many
// unvisited transitions, are shown.
const (
	coverageSteps  = 200_000
	coverageMissed = 1
)

// scopeCoverage is how much of a scope the random generator visits, for machines.
type scopeCoverage struct {
	Scope       string   `json:"scope"`
	Steps       int64    `json:"steps"`
	Outside     int64    `json:"steps_outside"`
	States      int      `json:"states_visited"`
	OfStates    int      `json:"states"`
	Transitions int      `json:"transitions_visited"`
	OfEdges     int      `json:"transitions"`
	Missed      []string `json:"missed,omitempty"`
}

// scopeCoverage measures the generator against the small scopes, all of whose states are known: how many of them it visits,
// and which of those nearest to the beginning it does not.
func (c *check) scopeCoverage(ctx context.Context) error {
	scopes, err := explore.Scopes()
	if err != nil {
		return err
	}
	for _, s := range scopes {
		if s.Large || ctx.Err() != nil {
			continue
		}
		r, err := explore.Run(ctx, s, explore.Options{Graph: true, Workers: c.Workers})
		if err != nil {
			return err
		}
		if !r.Complete {
			return nil // interrupted
		}
		visited, err := explore.Measure(r, c.Seed, coverageSteps, coverageMissed)
		if err != nil {
			return err
		}
		c.visited(s, visited)
	}
	c.say("\n")
	return nil
}

func (c *check) visited(s *explore.Scope, v *explore.Coverage) {
	list := scopeCoverage{
		Scope: s.Name, Steps: v.Steps, Outside: v.Outside, States: v.States, OfStates: v.Of, Transitions: v.Edges, OfEdges: v.OfEdge,
	}
	c.say("coverage  %-24s %6d of %6d states (%.1f %%), %6d of %6d transitions (%.1f %%), in %d operations\n", s.Name,
		v.States, v.Of, percent(v.States, v.Of), v.Edges, v.OfEdge, percent(v.Edges, v.OfEdge), v.Steps)
	for _, miss := range v.Missed {
		text := miss.Program.Scenario(miss.What).String()
		list.Missed = append(list.Missed, text)
		c.say("%s", indented(text))
	}
	c.result.Coverage = append(c.result.Coverage, list)
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		fmt.Fprintf(&b, "          %s", line)
	}
	return b.String()
}
