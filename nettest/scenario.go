package nettest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"fetchproof/impl/node"
	"fetchproof/impl/wire"
)

// Example is a scenario file that uses most of what there is.
//
//go:embed example.json
var Example string

// Duration is a time.Duration that is written as text, such as "5s".
type Duration time.Duration

// MarshalText writes it as time.Duration does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads it.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	*d = Duration(v)
	return err
}

// Behaviour is what a holder does with the requests it gets.
type Behaviour string

// The behaviours. The zero one serves.
const (
	Serving Behaviour = ""
	Silent  Behaviour = "silent"  // reads requests and never answers
	Dead    Behaviour = "dead"    // is not there at all
	Lying   Behaviour = "lying"   // answers with other bytes than the record's
	Empty   Behaviour = "empty"   // has no record
	Leaving Behaviour = "leaving" // serves, and is cut off without a word at At
	// Departing leaves like Leaving, and the requesters are told that it left the network.
	Departing Behaviour = "departing"
	// Restarting is stopped without a word at At, and started again at once.
	Restarting Behaviour = "restarting"
)

// Holder is a node that records are fetched from.
type Holder struct {
	Does Behaviour `json:"does,omitempty"`
	// Gate holds admitted requests back for that long from the start.
	Gate Duration `json:"gate,omitempty"`
	// Slow is how long reading a record takes.
	Slow Duration `json:"slow,omitempty"`
	// At is when a leaving, departing or restarting holder does so, and Back, if it is later, when a leaving one is back.
	At   Duration `json:"at,omitempty"`
	Back Duration `json:"back,omitempty"`
}

// Order is how each key's holders stand in preference order.
type Order string

// The orders. The zero one is as listed.
const (
	AsListed Order = ""
	Rotated  Order = "rotated"  // each key begins one holder later
	Shuffled Order = "shuffled" // drawn for each key
	// FirstFixed keeps the first holder first and rotates the others.
	FirstFixed Order = "first-fixed"
)

// Scenario is a network and what it is to do. Every requester wants Keys records of its own; every serving holder has all
// of them.
type Scenario struct {
	Name string `json:"name"`
	// Seed is where everything that is drawn comes from.
	Seed uint64 `json:"seed"`
	// Policies are the policies to compare: one run for each, with all nodes alike unless HolderPolicy is given.
	Policies     []string `json:"policies"`
	HolderPolicy string   `json:"holder_policy,omitempty"`

	Requesters int      `json:"requesters"` // 0 is 1
	Holders    []Holder `json:"holders"`
	Idle       int      `json:"idle,omitempty"` // nodes that neither hold nor want anything
	// Flooders are nodes that ask each holder for a record every FloodEvery (0 is 20 ms), whatever it answers.
	Flooders   int      `json:"flooders,omitempty"`
	FloodEvery Duration `json:"flood_every,omitempty"`
	Keys       int      `json:"keys"`        // for each requester
	RecordSize int      `json:"record_size"` // in bytes, from 16 on, so that records differ; 0 is 1024
	Order      Order    `json:"order,omitempty"`

	Slots   int      `json:"slots"`   // of each requester
	Timeout Duration `json:"timeout"` // FetchTimeout of requesters; holders keep theirs
	Latency Duration `json:"latency,omitempty"`
	Jitter  Duration `json:"jitter,omitempty"`
	Loss    float64  `json:"loss,omitempty"`

	// Verified: keys are advertised and go through pending and promotion, and so come back until they are stored. Else
	// they are enqueued directly.
	Verified bool `json:"verified,omitempty"`
	// Again: a key that was dropped is enqueued again at once.
	Again bool `json:"again,omitempty"`
	// Limit is when a run is given up; 0 is an hour.
	Limit Duration `json:"limit,omitempty"`
}

// ParseScenario reads a scenario as JSON, of at most 1 MiB. An error of the JSON names the line.
func ParseScenario(r io.Reader) (Scenario, error) {
	var s Scenario
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return s, err
	case len(text) > maxFile:
		return s, fmt.Errorf("more than %d bytes", maxFile)
	case len(bytes.TrimSpace(text)) == 0:
		return s, errors.New("line 1: empty: want a scenario as fetchproof net -example prints one")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, fmt.Errorf("line %d: %w", lineOf(text, d.InputOffset(), err), err)
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return s, fmt.Errorf("line %d: something after the scenario", 1+bytes.Count(text[:len(text)-len(rest)], []byte("\n")))
	}
	return s, s.check()
}

// lineOf is the line that an error of JSON is about, from 1.
func lineOf(text []byte, at int64, err error) int {
	var syntax *json.SyntaxError
	var ill *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &ill):
		at = ill.Offset
	case errors.Is(err, io.ErrUnexpectedEOF):
		at = int64(len(bytes.TrimSpace(text)))
	}
	return 1 + bytes.Count(text[:min(at, int64(len(text)))], []byte("\n"))
}

// maxNodes and maxKeys keep a scenario file from taking the machine.
const (
	maxFile  = 1 << 20
	maxNodes = 1000
	maxKeys  = 100_000
)

func (s *Scenario) check() error {
	s.Requesters = max(s.Requesters, 1)
	if s.RecordSize == 0 {
		s.RecordSize = 1024
	}
	if s.FloodEvery == 0 {
		s.FloodEvery = Duration(20 * time.Millisecond)
	}
	if s.Limit == 0 {
		s.Limit = Duration(time.Hour)
	}
	if len(s.Policies) == 0 {
		s.Policies = []string{node.Before.String(), node.Share.String(), node.Busy.String(), node.ShareAndBusy.String()}
	}
	for _, p := range append([]string{s.holderPolicy(s.Policies[0])}, s.Policies...) {
		if _, err := node.ParsePolicy(p); err != nil {
			return fmt.Errorf("scenario %q: %w", s.Name, err)
		}
	}
	switch {
	case len(s.Holders) == 0:
		return fmt.Errorf("scenario %q: holders: want one or more", s.Name)
	case s.Keys < 1:
		return fmt.Errorf("scenario %q: keys: %d: want 1 or more", s.Name, s.Keys)
	case s.Slots < 1:
		return fmt.Errorf("scenario %q: slots: %d: want 1 or more", s.Name, s.Slots)
	case s.Timeout < 1:
		return fmt.Errorf("scenario %q: timeout: %s: want more than 0", s.Name, time.Duration(s.Timeout))
	case s.Requesters+len(s.Holders)+s.Idle+s.Flooders > maxNodes || s.Idle < 0 || s.Flooders < 0 || s.FloodEvery < 1:
		return fmt.Errorf("scenario %q: more than %d nodes, or fewer than none", s.Name, maxNodes)
	case s.Keys > maxKeys/s.Requesters || s.RecordSize < 16 || s.RecordSize > wire.MaxRecord:
		return fmt.Errorf("scenario %q: more than %d keys, or records not of 16 bytes to 4 MiB", s.Name, maxKeys)
	case s.Latency < 0 || s.Jitter < 0 || s.Loss < 0 || s.Loss >= 1:
		return fmt.Errorf("scenario %q: latency and jitter are at least 0, and loss is in [0, 1)", s.Name)
	}
	return s.checkNames()
}

func (s *Scenario) checkNames() error {
	for i, h := range s.Holders {
		switch h.Does {
		case Serving, Silent, Dead, Lying, Empty, Leaving, Departing, Restarting:
		default:
			return fmt.Errorf("scenario %q: holder %d does %q, which is not known", s.Name, i, h.Does)
		}
	}
	switch s.Order {
	case AsListed, Rotated, Shuffled, FirstFixed:
		return nil
	}
	return fmt.Errorf("scenario %q: order %q is not known", s.Name, s.Order)
}

func (s *Scenario) holderPolicy(of string) string {
	if s.HolderPolicy != "" {
		return s.HolderPolicy
	}
	return of
}

var errLimit = errors.New("nettest: the limit of the scenario passed")
