package bench

import (
	"fmt"
	"strconv"
	"strings"
)

// quantity is what a measure counts, and so how it is written.
type quantity uint8

const (
	count quantity = iota
	nanoseconds
	byteCount
	perSecond
)

// measures are the numbers of a sample by name.
var measures = map[string]struct {
	of       func(Sample) float64
	quantity quantity
	absolute bool // of time: it depends on the machine and on what else runs there
}{
	"cpu":     {func(s Sample) float64 { return s.CPU }, nanoseconds, true},
	"worst":   {func(s Sample) float64 { return s.Worst }, nanoseconds, true},
	"rate":    {func(s Sample) float64 { return 1e9 / max(s.CPU, 1e-3) }, perSecond, true},
	"allocs":  {func(s Sample) float64 { return s.Allocs }, count, false},
	"bytes":   {func(s Sample) float64 { return s.Bytes }, byteCount, false},
	"rss":     {func(s Sample) float64 { return s.RSS }, byteCount, false},
	"left":    {func(s Sample) float64 { return s.Left }, byteCount, false},
	"touched": {func(s Sample) float64 { return s.Touched }, count, false},
	"most":    {func(s Sample) float64 { return s.Most }, count, false},
}

// units are the suffixes of each quantity, the largest first.
var units = map[quantity][]struct {
	suffix string
	factor float64
}{
	count:       {{"", 1}},
	nanoseconds: {{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}, {"ns", 1}},
	byteCount:   {{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}},
	perSecond:   {{"k/s", 1e3}, {"/s", 1}},
}

// format writes a number of a quantity with three figures, in the unit in which it is at least one.
func (q quantity) format(x float64) string {
	for _, u := range units[q] {
		if v := x / u.factor; v >= 1 || u.factor == 1 {
			digits := 3
			for limit := 1000.0; v >= limit; limit *= 10 {
				digits++
			}
			return strconv.FormatFloat(v, 'g', digits, 64) + u.suffix
		}
	}
	return ""
}

// parse reads what format writes, or any number with one of the units.
func (q quantity) parse(s string) (float64, error) {
	for _, u := range units[q] {
		digits, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(digits, 64)
		if err == nil && v >= 0 {
			return v * u.factor, nil
		}
	}
	var known []string
	for _, u := range units[q] {
		if u.suffix != "" {
			known = append(known, u.suffix)
		}
	}
	if len(known) == 0 {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return 0, fmt.Errorf("%q is not a number with one of the units %s", s, strings.Join(known, ", "))
}
