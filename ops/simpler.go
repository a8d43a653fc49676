package ops

import "slices"

// Simpler is every operation that differs from o in one argument, made simpler: an earlier time (simplest is previous, that of
// the operation before), a shorter list, a smaller number. Each argument can be simplified only finitely often, so a shrinker
// that takes any of them terminates.
func (o *Op) Simpler(previous Time) (list []Op) {
	add := func(change func(*Op)) {
		c := o.Clone()
		change(&c)
		list = append(list, c)
	}
	if o.Kind.Timed() {
		for _, t := range simplerTimes(o.Now, previous) {
			add(func(c *Op) { c.Now = t })
		}
	}
	for _, f := range kindSpecs[o.Kind].fields {
		o.simplerField(f, add)
	}
	return list
}

// simplerTimes are none if t is previous; else previous, the whole second below t, and times ever farther from previous, the
// last a nanosecond from t, so that trying them in turn searches for the first that still fails.
func simplerTimes(t, previous Time) (list []Time) {
	if t == previous {
		return nil
	}
	list = append(list, previous)
	if second := t / Time(Second) * Time(Second); second != t && min(previous, t) < second && second < max(previous, t) {
		list = append(list, second)
	}
	for _, d := range descent(int64(t - previous)) {
		list = append(list, previous+Time(d))
	}
	return list
}

// descent is n/2, then numbers from n/2 towards n whose distance to n halves, the last being next to n.
func descent(n int64) (list []int64) {
	for step := n / 2; step != 0; step /= 2 {
		list = append(list, n-step)
	}
	return list
}

func (o *Op) simplerField(f field, add func(func(*Op))) {
	switch f {
	case fieldDistance:
		for _, d := range simplerDistances(o.Distance) {
			add(func(c *Op) { c.Distance = d })
		}
	case fieldHints:
		for i, h := range o.Hints {
			add(func(c *Op) { c.Hints = slices.Delete(c.Hints, i, i+1) })
			if h.Claimant {
				add(func(c *Op) { c.Hints[i].Claimant = false })
			}
		}
	case fieldSources:
		for i := range o.Sources {
			add(func(c *Op) { c.Sources = slices.Delete(c.Sources, i, i+1) })
		}
	case fieldKeys:
		for i := range o.Keys {
			add(func(c *Op) { c.Keys = slices.Delete(c.Keys, i, i+1) })
		}
	case fieldRef:
		if o.Ref.Back > 0 {
			add(func(c *Op) { c.Ref.Back = 0 })
			add(func(c *Op) { c.Ref.Back-- })
		}
		if n := o.Ref.N; !o.Ref.Symbolic() && n > 0 {
			add(func(c *Op) { c.Ref.N = 0 })
			add(func(c *Op) { c.Ref.N-- })
		}
	case fieldReportPlace:
		if o.PlaceArg == ThisPlace {
			add(func(c *Op) { c.PlaceArg, c.Place = GivenPlace, 0 })
			o.simplerPlace(add)
		}
	case fieldOutcomePlace:
		if o.PlaceArg != NoPlace {
			add(func(c *Op) { c.PlaceArg, c.Place = NoPlace, 0 })
		}
		if o.PlaceArg == ThisPlace {
			add(func(c *Op) { c.PlaceArg, c.Place = GivenPlace, 0 })
			o.simplerPlace(add)
		}
	default:
		o.simplerNumber(f, add)
	}
}

func (o *Op) simplerPlace(add func(func(*Op))) {
	if o.Place > 0 {
		add(func(c *Op) { c.Place = 0 })
		add(func(c *Op) { c.Place-- })
	}
}

// outcomeOrder is from the simplest outcome to the least simple: those that need no answer, then those that do.
var outcomeOrder = []OutcomeKind{
	Timeout, SendFailed, Cancelled, Unreachable, Panicked, Stored, NotFound, Declined, InvalidRecord, StoreFailed, ErrorReply, BusyEnd,
	NumOutcomes,
}

func (o *Op) simplerNumber(f field, add func(func(*Op))) {
	switch f {
	case fieldWait:
		for _, d := range simplerDurations(o.Wait) {
			add(func(c *Op) { c.Wait = d })
		}
	case fieldMaxAge:
		for _, d := range simplerDurations(o.MaxAge) {
			add(func(c *Op) { c.MaxAge = d })
		}
	case fieldOutcome:
		for _, k := range outcomeOrder[:max(slices.Index(outcomeOrder, o.Outcome), 0)] {
			add(func(c *Op) { c.Outcome = k })
		}
	case fieldAsksBusy:
		if o.AsksBusy {
			add(func(c *Op) { c.AsksBusy = false })
		}
	case fieldLimit:
		for _, n := range simplerCounts(o.Limit) {
			add(func(c *Op) { c.Limit = n })
		}
	}
}

// simplerCounts are 0 and numbers between it and n.
func simplerCounts(n int64) []int64 {
	if n == 0 {
		return nil
	}
	return append([]int64{0}, descent(n)...)
}

func simplerDistances(d Distance) (list []Distance) {
	for n := range 4 {
		if s := DistanceOf(uint64(n)); s.Compare(d) < 0 {
			list = append(list, s)
		}
	}
	for i, b := range d {
		if b > 0 {
			half, less := d, d
			half[i], less[i] = b/2, b-1
			return append(list, half, less)
		}
	}
	return list
}

// simplerDurations are 0, the whole second below d, and durations between.
func simplerDurations(d Duration) (list []Duration) {
	if whole := d / Second * Second; whole != d && whole != 0 {
		list = append(list, 0, whole)
	}
	for _, n := range simplerCounts(int64(d)) {
		list = append(list, Duration(n))
	}
	return list
}

// Simpler is every valid configuration that differs from c in one field, made simpler: its default, or nearer to 1 if
// it differs from that.
func (c *Config) Simpler() (list []Config) {
	fields := c.Machine.fields()
	for i := range fields {
		f := &fields[i]
		plain := DefaultConfig(c.Machine)
		if f.derived {
			plain.Scheduler = c.Scheduler
			plain.Scheduler.Derive()
		}
		if f.text(c) == f.text(&plain) {
			continue
		}
		for _, value := range append([]string{f.text(&plain)}, f.smaller(c)...) {
			s := *c
			derived := s.Scheduler.derivedApart()
			if f.set(&s, value) != nil {
				continue
			}
			s.Scheduler.rederive(derived)
			if s.Validate() == nil {
				list = append(list, s)
			}
		}
	}
	return list
}

// smaller are the texts of smaller values of a count or duration.
func (f *configField) smaller(c *Config) (texts []string) {
	s := *c
	switch {
	case f.count != nil:
		for _, n := range simplerCounts(*f.count(c) - 1) {
			*f.count(&s) = n + 1
			texts = append(texts, f.text(&s))
		}
	case f.duration != nil:
		for _, d := range simplerDurations(*f.duration(c)) {
			*f.duration(&s) = d
			texts = append(texts, f.text(&s))
		}
	}
	return texts
}

// derivedApart says which derived fields do not have their derived value.
func (c *SchedulerConfig) derivedApart() [2]bool {
	d := *c
	d.Derive()
	return [2]bool{c.MarkLifetime != d.MarkLifetime, c.SourceCap != d.SourceCap}
}

// rederive derives anew the fields that are not apart.
func (c *SchedulerConfig) rederive(apart [2]bool) {
	d := *c
	d.Derive()
	if !apart[0] {
		c.MarkLifetime = d.MarkLifetime
	}
	if !apart[1] {
		c.SourceCap = d.SourceCap
	}
}
