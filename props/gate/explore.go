package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"fetchproof/internal/console"
	"fetchproof/props/explore"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// ExploreOptions say which scopes are explored, and how.
type ExploreOptions struct {
	Out       io.Writer
	Progress  *console.Progress
	Scopes    []string // by name; none: the small ones, or with All every one
	All       bool
	List      bool // only tell what there is
	MaxStates int  // of a scope; 0: no bound
	Raw       bool // do not merge symmetric peers
	Workers   int
	File      string // where a counterexample is written too; empty: nowhere
	JSON      bool
	Subject   SubjectOptions
}

// modelStates bounds the second exploration, of the model alone, whose rate is printed beside that of the lockstep.
const modelStates = 50_000

// Explore explores scopes to their end and prints what it counted. It reports whether subject and model agree on every
// transition, every property holds, everything drains, and the counts are those that the scopes are pinned to.
func Explore(ctx context.Context, o ExploreOptions) (held bool, err error) {
	scopes, err := chosenScopes(&o)
	if err != nil {
		return false, err
	}
	e := &exploration{ExploreOptions: o}
	if o.List {
		return true, e.list(scopes)
	}
	if _, failure, err := o.Subject.meet(); failure != nil || err != nil {
		return false, errors.Join(err, e.refused(failure))
	}
	held = true
	for _, s := range scopes {
		if ctx.Err() != nil {
			break
		}
		if err := e.scope(ctx, s); err != nil {
			return false, err
		}
		held = held && e.results[len(e.results)-1].Held
	}
	if o.JSON {
		if err := json.NewEncoder(o.Out).Encode(e.results); err != nil {
			return false, err
		}
	}
	if held && ctx.Err() != nil {
		return false, ErrInterrupted
	}
	return held, nil
}

// refused tells of a subject that cannot be put under the suite at all; nil is none.
func (e *exploration) refused(f *lockstep.Failure) error {
	if f == nil {
		return nil
	}
	r := report{failure: f, replay: "fetchproof explore" + e.Subject.flag()}
	e.say("%s", r.text())
	if !e.JSON {
		return nil
	}
	return json.NewEncoder(e.Out).Encode([]exploreResult{{Failure: jsonOf(f)}})
}

// chosenScopes are those that are named, else the small ones or all.
func chosenScopes(o *ExploreOptions) (list []*explore.Scope, err error) {
	all, err := explore.Scopes()
	if err != nil {
		return nil, err
	}
	var names []string
	byName := map[string]*explore.Scope{}
	for _, s := range all {
		names, byName[s.Name] = append(names, s.Name), s
		if len(o.Scopes) == 0 && (o.All || o.List || !s.Large) {
			list = append(list, s)
		}
	}
	for _, name := range o.Scopes {
		s := byName[name]
		if s == nil {
			return nil, fmt.Errorf("no scope %q: there are %s", name, strings.Join(names, ", "))
		}
		list = append(list, s)
	}
	return list, nil
}

type exploration struct {
	ExploreOptions
	results []exploreResult
}

// exploreResult is what the exploration of one scope found, for machines.
type exploreResult struct {
	Scope       string       `json:"scope"`
	Held        bool         `json:"held"`
	Complete    bool         `json:"complete"`
	Merged      int          `json:"merged_states"`
	States      int          `json:"states"`
	Steps       int          `json:"merged_transitions"`
	Transitions int          `json:"transitions"`
	Depth       int          `json:"depth"`
	Rate        int          `json:"transitions_per_cpu_second"`
	ModelRate   int          `json:"model_transitions_per_cpu_second"`
	Seconds     float64      `json:"seconds"`
	Bound       int          `json:"attempts_until_drained,omitempty"`
	Pinned      bool         `json:"counts_as_pinned"`
	Failure     *failureJSON `json:"failure,omitempty"`
}

func (e *exploration) say(format string, args ...any) {
	if !e.JSON {
		fmt.Fprintf(e.Out, format, args...)
	}
}

func (e *exploration) list(scopes []*explore.Scope) error {
	if e.JSON {
		return json.NewEncoder(e.Out).Encode(scopeList(scopes))
	}
	for _, s := range scopes {
		size := "small"
		if s.Large {
			size = "large"
		}
		e.say("%-24s %-5s %9d states  %s\n", s.Name, size, s.Pin.States, s.Text)
	}
	return nil
}

type listedScope struct {
	Name   string `json:"scope"`
	Text   string `json:"text"`
	Large  bool   `json:"large"`
	States int    `json:"states"`
}

func scopeList(scopes []*explore.Scope) (list []listedScope) {
	for _, s := range scopes {
		list = append(list, listedScope{s.Name, s.Text, s.Large, s.Pin.States})
	}
	return list
}

func (e *exploration) scope(ctx context.Context, s *explore.Scope) error {
	e.say("scope       %s: %s\n", s.Name, s.Text)
	var states, steps atomic.Int64
	started := time.Now()
	e.Progress.Start(func() string {
		return fmt.Sprintf("%-11s %s, %d states, %d transitions", s.Name, time.Since(started).Round(time.Second), states.Load(), steps.Load())
	})
	r, err := explore.Run(ctx, s, explore.Options{
		MaxStates: e.MaxStates, Raw: e.Raw, Workers: e.Workers, Subject: e.Subject.factory(), Graph: true,
		Progress: func(n, t int) { states.Store(int64(n)); steps.Store(int64(t)) },
	})
	e.Progress.Stop()
	if err != nil {
		return err
	}
	e.results = append(e.results, exploreResult{
		Scope: s.Name, Held: r.Found == nil, Complete: r.Complete, Merged: r.Merged, States: r.States, Steps: r.Steps,
		Transitions: r.Transitions, Depth: r.Depth, Rate: r.Rate(), Seconds: r.Time.Seconds(), Pinned: true,
	})
	result := &e.results[len(e.results)-1]
	if r.Found != nil {
		e.found(s, r.Found, result)
		return nil
	}
	if err := e.modelRate(ctx, s, result); err != nil {
		return err
	}
	e.counts(s, r, result)
	return e.judge(s, r, result)
}

// modelRate explores the model alone, to tell how much of the time is its own.
func (e *exploration) modelRate(ctx context.Context, s *explore.Scope, result *exploreResult) error {
	alone, err := explore.Run(ctx, s, explore.Options{MaxStates: modelStates, Raw: e.Raw, Workers: e.Workers})
	if err == nil {
		result.ModelRate = alone.Rate()
	}
	return err
}

func (e *exploration) counts(s *explore.Scope, r *explore.Result, result *exploreResult) {
	if r.Merged != r.States {
		e.say("states      %d raw, %d with the peers merged (%s)\n", r.States, r.Merged, s.Why)
		e.say("transitions %d raw, %d made\n", r.Transitions, r.Steps)
	} else {
		e.say("states      %d\ntransitions %d\n", r.States, r.Steps)
	}
	e.say("depth       %d\n", r.Depth)
	e.say("rate        %d transitions per CPU-second in lockstep, %d of the model alone\n", result.Rate, result.ModelRate)
	e.say("time        %s\n", r.Time.Round(time.Millisecond))
}

// judge says what only a whole space can show: that everything drains, and that the counts are the pinned ones.
func (e *exploration) judge(s *explore.Scope, r *explore.Result, result *exploreResult) error {
	liveness, err := explore.CheckLiveness(r)
	switch {
	case errors.Is(err, explore.ErrIncomplete):
		e.say("incomplete  stopped at %d states: nothing is said about the rest, nor about what must happen\n\n", r.Merged)
		return nil
	case err != nil:
		return err
	case liveness.Found != nil:
		result.Held = false
		e.stuck(s, liveness.Found, result)
		return nil
	}
	result.Bound = liveness.Bound
	e.say("drains      from every state, after %d attempts ended at most\n", liveness.Bound)
	got, want := r.Counts(), s.Pin
	if e.Raw {
		want.Merged = want.States
	}
	if len(r.LeftOut) > 0 {
		e.say("left out    %v: the subject does not have them, so the counts are not compared\n", r.LeftOut)
	} else if got != want {
		result.Held, result.Pinned = false, false
		e.say("FAIL        the counts changed: states %d, transitions %d, merged %d, depth %d were pinned. A changed count is a changed model\n",
			want.States, want.Transitions, want.Merged, want.Depth)
	}
	e.say("\n")
	return nil
}

func (e *exploration) found(s *explore.Scope, found *explore.Found, result *exploreResult) {
	text := explore.Counterexample(s, found).String()
	result.Failure = jsonOf(found.Failure)
	note := e.keep(text, result.Failure)
	e.say("found       after %d transitions, by %d operations: none fails by fewer\n\n", result.Steps, len(found.Program.Ops))
	r := report{failure: found.Failure, scenario: text, replay: e.replay(result.Failure)}
	e.say("%s\n%s", r.text(), note)
}

func (e *exploration) stuck(s *explore.Scope, stuck *explore.Stuck, result *exploreResult) {
	text := explore.StuckScenario(s, stuck).String()
	f := &failureJSON{Property: explore.Drains, Message: stuck.What, Rules: []string{"LIV-2"}, Step: len(stuck.Program.Ops)}
	result.Failure = f
	note := e.keep(text, f)
	e.say("\nFAIL  %s\n      %s\nrules     LIV-2\n\n%s\nreplay    %s\n\n%s", f.Property, f.Message, text, e.replay(f), note)
}

// replay is how a counterexample is run again.
func (e *exploration) replay(f *failureJSON) string {
	if f.File == "" {
		return "fetchproof explore -o FILE writes it, fetchproof replay FILE" + e.Subject.flag() + " runs it again"
	}
	return "fetchproof replay " + subject.Word(f.File) + e.Subject.flag()
}

// keep puts a counterexample into the file that was asked for. If it cannot, the scope has failed all the same, with a note.
func (e *exploration) keep(text string, f *failureJSON) (note string) {
	f.Scenario = text
	if e.File == "" {
		return ""
	}
	if err := os.WriteFile(e.File, []byte(text), 0o644); err != nil {
		return fmt.Sprintf("note        the lines above could not be kept: %v\n", err)
	}
	f.File = e.File
	return ""
}
