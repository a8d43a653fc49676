package ops_test

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"fetchproof/ops"
)

// draw makes arbitrary values of the language: everything that an operation, an answer or a state can hold, whether or not
// a machine would ever say it.
type draw struct{ *rapid.T }

var words = []string{"A", "k1", "k1-", "far_9", "answered", "asks_busy", "state", "scheduler", "abcdefghijklmnopqrstuvwxyzABCDEF"}

// id is a word, arbitrary bytes, or nearly a word: one followed by a stray byte, which must not be written as the word.
func (d draw) id() (id [32]byte) {
	switch rapid.IntRange(0, 3).Draw(d.T, "id") {
	case 0:
		copy(id[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(d.T, "bytes"))
	case 1:
		copy(id[:], "k1")
		id[rapid.IntRange(2, 31).Draw(d.T, "stray")] = rapid.Byte().Draw(d.T, "byte")
	default:
		copy(id[:], rapid.SampledFrom(words).Draw(d.T, "word"))
	}
	return id
}

func (d draw) key() ops.Key   { return ops.Key(d.id()) }
func (d draw) peer() ops.Peer { return ops.Peer(d.id()) }
func (d draw) number() uint64 { return rapid.Uint64().Draw(d.T, "number") }
func (d draw) flag() bool     { return rapid.Bool().Draw(d.T, "flag") }
func (d draw) nanos() int64 {
	return rapid.OneOf(rapid.Int64(), rapid.SampledFrom(edges)).Draw(d.T, "nanos")
}
func (d draw) time() ops.Time         { return ops.Time(d.nanos()) }
func (d draw) duration() ops.Duration { return ops.Duration(d.nanos()) }

var edges = []int64{0, 1, -1, 999, 1000, 1e9 - 1, 1e9, 60e9, 3600e9, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64}

func (d draw) distance() ops.Distance {
	if d.flag() {
		return ops.DistanceOf(d.number())
	}
	return ops.Distance(d.id())
}

// few is a list of at most four, nil for none, as the language has it.
func few[T any](d draw, one func() T) (list []T) {
	for range rapid.IntRange(0, 4).Draw(d.T, "count") {
		list = append(list, one())
	}
	return list
}

func (d draw) hint() ops.Hint { return ops.Hint{Peer: d.peer(), Claimant: d.flag()} }

func (d draw) ref() ops.Ref {
	if r := (ops.Ref{Of: d.id(), Back: rapid.Uint16().Draw(d.T, "back")}); d.flag() && r.Symbolic() {
		return r
	}
	return ops.Ref{N: d.number()}
}

// reportPlace is what an answer or a busy report brings: it always brings one.
func (d draw) reportPlace(o *ops.Op) {
	o.PlaceArg = ops.GivenPlace
	if d.flag() {
		o.PlaceArg, o.Place = ops.ThisPlace, d.number()
	}
}

// op is an operation of kind k, other than an init.
func (d draw) op(k ops.Kind) ops.Op {
	o := ops.Op{Kind: k}
	if k.Timed() {
		o.Now = d.time()
	}
	switch k {
	case ops.Add:
		o.Key, o.Hints = d.key(), few(d, d.hint)
	case ops.Promote, ops.Enqueue:
		o.Key, o.Distance, o.Sources = d.key(), d.distance(), few(d, d.peer)
	case ops.Arrive, ops.Take, ops.Release, ops.SendDone:
		o.Ref = d.ref()
	case ops.Answer:
		o.Ref = d.ref()
		d.reportPlace(&o)
	case ops.BusyReply:
		o.Ref, o.Wait = d.ref(), d.duration()
		d.reportPlace(&o)
	case ops.Outcome:
		o.Ref, o.Outcome = d.ref(), ops.OutcomeKind(rapid.IntRange(0, int(ops.NumOutcomes)).Draw(d.T, "outcome"))
		if d.flag() {
			d.reportPlace(&o)
		}
	case ops.Depart:
		o.Peer = d.peer()
	case ops.Remove:
		o.Key = d.key()
	case ops.Evict:
		o.MaxAge = d.duration()
	case ops.Ready:
		o.Limit = rapid.Int64().Draw(d.T, "limit")
	case ops.Drained:
		o.Keys = few(d, d.key)
	case ops.Request:
		o.Peer, o.AsksBusy = d.peer(), d.flag()
	case ops.StateQuery:
		o.Show = ops.Fields(rapid.Uint32().Draw(d.T, "show")) & ops.AllFields
	}
	return o
}

// kinds are the operations of machine m, without the init.
func kinds(m ops.Machine) (list []ops.Kind) {
	for k := ops.Init + 1; k < ops.NumKinds; k++ {
		if k.On(m) {
			list = append(list, k)
		}
	}
	return list
}

func (d draw) machine() ops.Machine {
	return rapid.SampledFrom([]ops.Machine{ops.SchedulerMachine, ops.ResponderMachine}).Draw(d.T, "machine")
}

// config is a configuration in range, with some fields as they are by default.
func (d draw) config(m ops.Machine) *ops.Config {
	c := ops.DefaultConfig(m)
	for _, p := range counts(&c) {
		if d.flag() {
			*p = rapid.Int64Range(1, 1<<30).Draw(d.T, "count")
		}
	}
	for _, p := range durations(&c) {
		if d.flag() {
			*p = ops.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(d.T, "duration"))
		}
	}
	s := &c.Scheduler
	s.Silence = d.flag()
	s.BusyMultiplierMax = 1 << rapid.IntRange(0, 30).Draw(d.T, "multiplier")
	s.BusyWaitMin, s.BusyWaitMax = min(s.BusyWaitMin, s.BusyWaitMax), max(s.BusyWaitMin, s.BusyWaitMax)
	return &c
}

// counts and durations are the fields of the configuration's machine; the other machine's stay as they are by default, for
// no written form holds them.
func counts(c *ops.Config) []*int64 {
	s, r := &c.Scheduler, &c.Responder
	if c.Machine == ops.SchedulerMachine {
		return []*int64{
			&s.Slots, &s.Share, &s.ContactTable, &s.CloseGroup, &s.PaidListCloseGroup, &s.MaxHintSources, &s.SourceCap,
			&s.MaxQueued, &s.MaxPending, &s.BusyTable,
		}
	}
	return []*int64{
		&r.PeerShare, &r.Pool, &r.BusySendPermits, &r.BusyPeerBurst, &r.BusyPeerRate, &r.BusyPeerInFlight, &r.BusyGlobalBurst,
		&r.BusyGlobalRate, &r.BusyPeerTable, &r.Workers,
	}
}

func durations(c *ops.Config) []*ops.Duration {
	s, r := &c.Scheduler, &c.Responder
	if c.Machine == ops.SchedulerMachine {
		return []*ops.Duration{
			&s.FetchTimeout, &s.MarkLifetime, &s.BusyWaitMin, &s.BusyWaitMax, &s.BusyCooldownCap, &s.BusyForgetAfter,
			&s.VerifyRetryDelay, &s.PendingMaxAge, &s.SummaryEvery,
		}
	}
	return []*ops.Duration{&r.FetchTimeout, &r.BusySendDeadline}
}

// line is a line of prose or of output: no control character, nothing at its end that text would drop.
func (d draw) line(first string) string {
	return first + rapid.StringMatching(`[ -~é]{0,20}[!-~]`).Draw(d.T, "line")
}

// scenario is a file in the form that text gives it: every block has something, the first operation is an init.
func (d draw) scenario() *ops.Scenario {
	s := &ops.Scenario{}
	m := ops.SchedulerMachine
	for range rapid.IntRange(1, 4).Draw(d.T, "blocks") {
		b := ops.Block{Comment: few(d, func() string { return d.line("") })}
		if len(s.Blocks) == 0 || d.flag() {
			m = d.machine()
			config := d.config(m)
			if m == ops.ResponderMachine {
				config.Scheduler = ops.DefaultConfig(m).Scheduler
			}
			b.Steps = append(b.Steps, ops.Step{Op: ops.Op{Kind: ops.Init, Config: config}})
		}
		for range rapid.IntRange(0, 5).Draw(d.T, "steps") {
			b.Steps = append(b.Steps, ops.Step{Op: d.op(rapid.SampledFrom(kinds(m)).Draw(d.T, "kind"))})
		}
		if len(b.Steps) == 0 && len(b.Comment) == 0 {
			continue
		}
		if b.HasExpect = len(b.Steps) > 0 && d.flag(); b.HasExpect {
			b.Expect = few(d, func() string { return d.line("") })
		}
		s.Blocks = append(s.Blocks, b)
	}
	return s
}

// sorted is a list of at most three entries by their id, each once.
func sorted[E any](d draw, id func(*E) [32]byte, one func() E) []E {
	list := few(d, one)
	compare := func(a, b E) int { x, y := id(&a), id(&b); return slices.Compare(x[:], y[:]) }
	slices.SortFunc(list, compare)
	return slices.CompactFunc(list, func(a, b E) bool { return compare(a, b) == 0 })
}
