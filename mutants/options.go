package mutants

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"time"
)

// Options describes a campaign. The zero value of a field is its default.
type Options struct {
	Dir      string   // a directory of the module; the working directory by default
	Packages []string // patterns of the packages to mutate; at least one
	Runner   string   // import path or ./path of a main package that links layers; optional if there are Tests
	Tests    []string // import paths or ./paths of packages whose tests are a layer each, after the runner's
	Skip     string   // pattern of the tests among them that are left out, as go test -skip takes it
	Slow     string   // pattern of the parts of layers that take long: mutants that the ledger accepts are spared those
	Timed    []string // layers that depend on the real clock, or a network: what fails there has to fail twice
	Thorough bool     // spare no mutant a slow part
	Quick    bool     // spare every mutant the slow parts
	Loose    []string // layers whose goroutines run in an order of their own: what they catch at one time they may miss at another
	Drawn    bool     // run only what says more with another seed
	Seed     uint64   // what the layers draw from
	Scale    int      // percent of every layer's budget; 100 by default
	Named    []Named  // mutants with a name, besides the generated ones

	NoGenerated bool // leave the generated mutants out
	Apart       bool // build those apart that do not fit behind the switch, one build each
	Every       bool // run every layer that reaches a mutant, also after the first kill

	Shard  Shard    // the part of the mutants to run; all by default
	In     []string // if set, only mutants of these packages: paths below the module, with /... for all below one
	InDiff string   // if set, of the generated mutants only those on lines that changed since this git revision
	Most   int      // if set, of the generated mutants that are then left at most so many, by hash of their ids

	Log      string   // file of the verdicts, appended to and resumed from; none by default
	Merge    []string // logs of other shards: their verdicts count as this campaign's
	Ledger   string   // file of the accepted survivors; none by default
	Gaps     string   // file of why functions are not reached; none by default, and then nobody asks
	MinScore float64  // least share of the covered mutants that are killed or accepted, in [0, 1]; DefaultMinScore by default

	Workers    int           // mutants at a time; by default one more than there are cores, as some tests wait for a network
	FuelFactor int64         // how many times the fuel of the baseline a mutant may use; 10 by default
	WallLimit  time.Duration // per mutant; by default 30 times what the baseline took, at least 20 s
	Progress   func(Progress)
	Warnings   io.Writer // what people should know but a report has no place for; dropped by default
}

// DefaultMinScore is the share of the covered mutants that have to be killed or accepted.
const DefaultMinScore = 0.95

// Named is a mutant of the catalogue: in File (relative to the module) the text Anchor, there exactly once, becomes Text.
type Named struct {
	Name   string // in kebab-case: two named mutants and a generated one never share a name
	File   string
	Anchor string
	Text   string
	Layer  string // the layer that must catch it, and
	Check  string // its check
}

// ErrUsage is wrapped by errors that are the caller's: bad options, a package that does not compile, an unreadable file.
var ErrUsage = errors.New("mutation campaign")

// ErrRed is wrapped by errors that are the suite's: it fails without a mutant, or the mutants leave state behind.
var ErrRed = errors.New("mutation campaign: the suite is red")

// red wraps an error as the suite's.
func red(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrRed, fmt.Errorf(format, args...))
}

// usage wraps an error as the caller's.
func usage(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrUsage, fmt.Errorf(format, args...))
}

// withDefaults checks o and fills it in.
func (o Options) withDefaults() (Options, error) {
	if o.Dir == "" {
		o.Dir = "."
	}
	if o.Scale == 0 {
		o.Scale = 100
	}
	if o.MinScore == 0 {
		o.MinScore = DefaultMinScore
	}
	if o.Workers == 0 {
		o.Workers = runtime.NumCPU() + 1
	}
	if o.FuelFactor == 0 {
		o.FuelFactor = 10
	}
	if o.Shard == (Shard{}) {
		o.Shard = Shard{1, 1}
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Warnings == nil {
		o.Warnings = io.Discard
	}
	return o, o.validate()
}

func (o *Options) validate() error {
	switch {
	case len(o.Packages) == 0:
		return usage("no package to mutate")
	case o.Runner == "" && len(o.Tests) == 0:
		return usage("neither a runner package nor a test package")
	case o.Scale < 1:
		return usage("scale %d%%, want at least 1", o.Scale)
	case o.Thorough && o.Quick:
		return usage("both thorough and quick")
	case o.MinScore < 0 || o.MinScore > 1:
		return usage("least score %v, want 0 to 1", o.MinScore)
	case o.Workers < 1:
		return usage("%d workers, want at least 1", o.Workers)
	case o.FuelFactor < 1:
		return usage("fuel factor %d, want at least 1", o.FuelFactor)
	case o.Most < 0:
		return usage("at most %d mutants, want 0 or more", o.Most)
	case o.WallLimit < 0:
		return usage("wall limit %v, want more than 0", o.WallLimit)
	}
	if _, err := regexp.Compile(o.Slow); err != nil {
		return usage("slow parts: %w", err)
	}
	return o.Shard.validate()
}

// Progress is how far a campaign is.
type Progress struct {
	Done, Total, Killed, Survived int           // mutants to run, in this campaign; resumed ones are not counted
	Elapsed, Remaining            time.Duration // Remaining is an estimate, 0 if there is none yet
}

func (p Progress) String() string {
	s := fmt.Sprintf("%d/%d mutants, %d killed, %d survived, %v", p.Done, p.Total, p.Killed, p.Survived, p.Elapsed.Round(time.Second))
	if p.Remaining > 0 {
		s += fmt.Sprintf(", about %v left", p.Remaining.Round(time.Second))
	}
	return s
}
