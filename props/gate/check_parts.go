package gate

import (
	"context"
	"math"

	"fetchproof/props/explore"
	"fetchproof/props/golden"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// wire holds the wire format against the golden vectors.
func (c *check) wire(context.Context) error {
	held, miss, err := golden.Check("", math.MaxInt)
	if err != nil {
		return err
	}
	if c.result.Vectors = held; miss == nil {
		c.say("wire      %d vectors agree\n", held)
		return nil
	}
	c.missedVector(miss)
	return nil
}

func (c *check) missedVector(miss *golden.Miss) {
	f := &failureJSON{Property: "wire/" + miss.ID, Message: miss.Message, Replay: "go test ./impl/wire -run Vectors/" + miss.ID}
	c.result.Failure = f
	c.say("\nFAIL  %s\n      %s\nvector    %s, see corpus/wire\n\nreplay    %s\n", f.Property, f.Message, miss.ID, f.Replay)
}

// scopeStates is how many states of each small scope check visits at most, in about a second; Explore visits them all.
const scopeStates = 2_000

// scopes visits the states of the small scopes that are nearest to their beginnings.
func (c *check) scopes(ctx context.Context) error {
	all, err := explore.Scopes()
	if err != nil {
		return err
	}
	for _, s := range all {
		if s.Large {
			continue
		}
		r, err := explore.Run(ctx, s, explore.Options{MaxStates: scopeStates, Workers: c.Workers, Subject: c.Subject.factory()})
		switch {
		case ctx.Err() != nil:
			return nil // finish tells
		case err != nil:
			return err
		}
		c.result.Scopes++
		c.result.Transitions += r.Steps
		if r.Found != nil {
			return c.foundInScope(ctx, s, r.Found.Program, r.Found.Failure)
		}
	}
	c.say("scopes    %d, up to %d states each: %d transitions agree\n", c.result.Scopes, scopeStates, c.result.Transitions)
	return nil
}

// foundInScope shrinks and reports the way to a state of a scope.
func (c *check) foundInScope(ctx context.Context, s *explore.Scope, p lockstep.Program, f *lockstep.Failure) error {
	c.say("scopes    %s fails after %d operations; shrinking that\n", s.Name, f.Step+1)
	return c.Subject.with(func(own subject.Subject) error {
		c.failed(c.shrunk(ctx, p, f, own, s.Name))
		return nil
	})
}
