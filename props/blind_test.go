package props_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props"
	"fetchproof/props/gen"
)

// site is a value that can be put wrong: where it is, and how.
type site struct {
	path  string
	wrong func(rng *rand.Rand)
}

// sites are all values of v, which is addressable, that can be put wrong.
func sites(v reflect.Value, path string, out []site) []site {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				out = sites(v.Field(i), path+"."+f.Name, out)
			}
		}
	case reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 { // an identifier
			return append(out, site{path, func(rng *rand.Rand) { v.Index(rng.IntN(3)).SetUint(uint64('A' + rng.IntN(6))) }})
		}
		for i := range v.Len() {
			out = sites(v.Index(i), path+"[]", out)
		}
	case reflect.Slice:
		out = append(out, listSites(v, path)...)
		for i := range v.Len() {
			out = sites(v.Index(i), path+"[]", out)
		}
	case reflect.Bool:
		out = append(out, site{path, func(*rand.Rand) { v.SetBool(!v.Bool()) }})
	case reflect.Int64:
		out = append(out, site{path, func(rng *rand.Rand) { v.SetInt(max(0, v.Int()+wrongBy(rng))) }})
	case reflect.Uint64, reflect.Uint32, reflect.Uint8:
		out = append(out, site{path, func(rng *rand.Rand) { v.SetUint(uint64(max(0, int64(v.Uint())+wrongBy(rng)))) }})
	}
	return out
}

func wrongBy(rng *rand.Rand) int64 {
	return []int64{1, -1, 2, -2, 1_000_000_000, -1_000_000_000}[rng.IntN(6)]
}

// listSites are a list that lacks an element, has one twice, or two in the wrong order.
func listSites(v reflect.Value, path string) (out []site) {
	if v.Len() == 0 {
		return nil
	}
	fresh := func(keep func(i int) int) {
		list := reflect.MakeSlice(v.Type(), 0, v.Len()+1)
		for i := range v.Len() {
			for range keep(i) {
				list = reflect.Append(list, v.Index(i))
			}
		}
		v.Set(list)
	}
	out = append(out,
		site{path + " less one", func(rng *rand.Rand) {
			at := rng.IntN(v.Len())
			fresh(func(i int) int { return boolTo(i != at) })
		}},
		site{path + " one twice", func(rng *rand.Rand) {
			at := rng.IntN(v.Len())
			fresh(func(i int) int { return 1 + boolTo(i == at) })
		}})
	if v.Len() > 1 {
		out = append(out, site{path + " swapped", func(rng *rand.Rand) {
			at := rng.IntN(v.Len() - 1)
			reflect.Swapper(v.Interface())(at, at+1)
		}})
	}
	return out
}

func boolTo(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sighted steps the model alone and shows each step to the properties: as it was, and with one value wrong.
type sighted struct {
	t             *testing.T
	rng           *rand.Rand
	config        ops.Config
	machine       model.Machine
	names         ops.Resolver
	before, after *ops.State
	then          ops.Time
	op            ops.Op
	result        ops.Result
	wrong         ops.State
	good, bad     props.Checker

	planted, open int
	unseen        map[string]int
}

func (r *sighted) run(m ops.Machine, seed uint64) {
	g := gen.New(gen.Seeded(77, seed), m)
	r.rng, r.config, r.then = rand.New(rand.NewPCG(seed, 9)), g.Config(), 0
	r.names.Reset()
	r.machine = model.New(&r.config)
	r.machine.State(0, r.after)
	r.good.Begin()
	for range g.Length() {
		if op := g.Next(r.after); op.Kind.On(m) {
			r.step(&op)
		}
	}
}

func (r *sighted) step(op *ops.Op) {
	r.names.Resolve(op, &r.op)
	r.machine.Apply(&r.op, &r.result)
	r.names.Watch(&r.op, &r.result)
	r.before, r.after = r.after, r.before
	now := ops.Time(0) // the clock, if the operation carries none (DET-3)
	if r.op.Kind.Timed() {
		now = r.op.Now
	}
	r.machine.State(now, r.after)
	s := props.Step{Config: &r.config, Op: &r.op, Result: &r.result, Before: r.before, Then: r.then, After: r.after}
	r.then = max(now, clockOf(r.after))
	if v := r.good.Check(&s); v != nil {
		r.t.Fatalf("of a good step: %v\n%s", v, ops.AppendStateText(nil, r.after, 0))
	}
	if r.rng.IntN(3) == 0 {
		r.plant(s)
	}
}

func clockOf(s *ops.State) ops.Time {
	if s.Machine == ops.ResponderMachine {
		return s.Responder.Clock
	}
	return s.Scheduler.Clock
}

// plant puts one value of the step wrong, and sees whether a property says so. Each kind of place is as likely as any other,
// however many there are of it.
func (r *sighted) plant(s props.Step) {
	result := r.result.Clone()
	r.wrong.CopyFrom(r.after)
	s.After, s.Result = &r.wrong, &result
	var all []site
	switch {
	case r.rng.IntN(4) == 0:
		all = sites(reflect.ValueOf(&result).Elem(), "result", nil)
	case r.config.Machine == ops.SchedulerMachine:
		all = sites(reflect.ValueOf(&r.wrong.Scheduler).Elem(), "state", nil)
	default:
		all = sites(reflect.ValueOf(&r.wrong.Responder).Elem(), "state", nil)
	}
	slices.SortStableFunc(all, func(a, b site) int { return strings.Compare(a.path, b.path) })
	kinds := slices.CompactFunc(slices.Clone(all), func(a, b site) bool { return a.path == b.path })
	kind := kinds[r.rng.IntN(len(kinds))].path
	all = slices.DeleteFunc(all, func(x site) bool { return x.path != kind })
	all[r.rng.IntN(len(all))].wrong(r.rng)
	if r.wrong.Differs(r.after) == 0 && result.Equal(&r.result) {
		return // what it says is the same
	}
	r.planted++
	r.bad.Begin()
	switch {
	case r.bad.Check(&s) != nil:
	case r.leftOpen(&s, kind):
		r.open++
	default:
		r.unseen[fmt.Sprintf("%s after %s (%s)", kind, r.op.Kind, r.result.Code)]++
	}
}

// leftOpen reports whether the states around the step do not tell. The state before may have been taken at a later time than the
// operation's, where marks and a window that still run at the operation have ended. And of a bucket they show no more than the
// whole nanosecond at which it is full.
func (r *sighted) leftOpen(s *props.Step, kind string) bool {
	if r.config.Machine == ops.ResponderMachine {
		return strings.Contains(kind, "FullAt") || kind == "result.Limiter" || kind == "result.Code"
	}
	now := clockOf(s.Before)
	if r.op.Kind.Timed() {
		now = max(now, r.op.Now)
	}
	return s.Then > now
}

// One value wrong, anywhere in what was answered or in the state, and a property says so, without a model: what the properties
// do not look at does not exist.
func TestOneValueWrong(t *testing.T) {
	programs := uint64(2000)
	if testing.Short() {
		programs /= 10
	}
	r := sighted{t: t, before: &ops.State{}, after: &ops.State{}, unseen: map[string]int{}}
	for seed := range programs {
		m := ops.SchedulerMachine
		if seed%4 == 3 {
			m = ops.ResponderMachine
		}
		r.run(m, seed)
	}
	t.Logf("%d values put wrong, %d of them left open", r.planted, r.open)
	for kind, n := range r.unseen {
		t.Errorf("%d times no property saw a wrong %s", n, kind)
	}
	if uint64(r.planted) < 10*programs || r.open > r.planted/2000 {
		t.Errorf("%d values put wrong in %d programs, %d of them left open", r.planted, programs, r.open)
	}
}
