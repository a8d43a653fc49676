package ops_test

import (
	"cmp"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fetchproof/ops"
)

// TestIDs: identifiers and distances are written and read back, whatever their bytes.
func TestIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw{t}
		k, p, far := d.key(), d.peer(), d.distance()
		if back, err := ops.ParseKey(k.String()); err != nil || back != k {
			t.Fatalf("key %s is read as %s: %v", k, back, err)
		}
		if back, err := ops.ParsePeer(p.String()); err != nil || back != p {
			t.Fatalf("peer %s is read as %s: %v", p, back, err)
		}
		if back, err := ops.ParseDistance(far.String()); err != nil || back != far {
			t.Fatalf("distance %s is read as %s: %v", far, back, err)
		}
	})
}

// TestWrittenForms: what is written as a word, as a number, and as hex digits.
func TestWrittenForms(t *testing.T) {
	hex := func(digits string) string { return "0x" + digits + strings.Repeat("0", 64-len(digits)) }
	distance := func(tail string) string { return "0x" + strings.Repeat("0", 64-len(tail)) + tail }
	for _, c := range []struct{ have, want string }{
		{ops.KeyNamed("k1").String(), "k1"},
		{ops.PeerNamed("far_9-x").String(), "far_9-x"},
		{ops.KeyNamed(strings.Repeat("z", 32)).String(), strings.Repeat("z", 32)},
		{ops.Key{}.String(), hex("")},
		{ops.Key{'1'}.String(), hex("31")},
		{ops.Key{'k', 0, 'k'}.String(), hex("6b006b")},
		{ops.Key{'k', '.'}.String(), hex("6b2e")},
		{ops.DistanceOf(0).String(), "0"},
		{ops.DistanceOf(math.MaxUint64).String(), "18446744073709551615"},
		{ops.Distance{23: 1}.String(), distance("010000000000000000")},
		{ops.Time(0).String(), "0s"},
		{ops.Time(math.MaxInt64).String(), "2562047h47m16.854775807s"},
		{ops.Duration(90 * ops.Second).String(), "1m30s"},
		{ops.Ref{N: 7}.String(), "#7"},
		{ops.Ref{Of: ops.KeyNamed("k1")}.String(), "k1"},
		{ops.Ref{Of: ops.KeyNamed("k1"), Back: 2}.String(), "k1~2"},
	} {
		if c.have != c.want {
			t.Errorf("written %s, want %s", c.have, c.want)
		}
	}
}

// TestOrder: words order as they read, distances as numbers, and nearer is by distance and then by key (section 1).
func TestOrder(t *testing.T) {
	list := []string{"A", "A1", "AB", "B", "a", "k1", "k10", "k2"}
	for i, a := range list {
		for j, b := range list {
			if got, want := ops.PeerNamed(a).Compare(ops.PeerNamed(b)), cmp.Compare(i, j); got != want {
				t.Errorf("%s and %s compare as %d, want %d", a, b, got, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		d := draw{t}
		m, n := d.number(), d.number()
		if got := ops.DistanceOf(m).Compare(ops.DistanceOf(n)); got != cmp.Compare(m, n) {
			t.Fatalf("%d and %d compare as %d", m, n, got)
		}
		x, y, a, b := d.distance(), d.distance(), d.key(), d.key()
		before, after := ops.Nearer(x, a, y, b), ops.Nearer(y, b, x, a)
		if before && after || !before && !after && (x != y || a != b) {
			t.Fatalf("(%s, %s) and (%s, %s) are not in one order", x, a, y, b)
		}
		if ops.Nearer(x, a, x, b) != (a.Compare(b) < 0) {
			t.Fatalf("%s and %s at one distance", a, b)
		}
	})
}

// TestNamed: a name that is no word is a mistake of the caller's.
func TestNamed(t *testing.T) {
	for _, name := range []string{"", "1k", "k 1", "k.1", "k~1", strings.Repeat("k", 33), "é"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q passes for a word", name)
				}
			}()
			ops.KeyNamed(name)
		}()
	}
}
