package scheduler

import (
	"fmt"
	"testing"
)

// TestDisplacement: into a full entry each claimant comes in place of the smallest
// paid-only advertiser that is not the owner, in whatever order peers became known
// and were listed. ADV-1.
func TestDisplacement(t *testing.T) {
	for _, c := range []struct{ owned, paid, claim, want string }{
		{"", "abc", "D", "ACD/D/A"},
		{"", "abcd", "EF", "ADEF/EF/A"},
		{"", "bcde", "A", "ABDE/A/B"},
		{"a", "abc", "D", "BCD/D/B"},
		{"ab", "abcd", "E", "BCDE/E/C"},
		{"ab", "abcd", "EF", "CDEF/EF/C"},
		{"abc", "abcd", "EFG", "DEFG/EFG/D"},
		{"abc", "abcd", "EFGH", "DEFG/EFG/D"},
		{"a", "aBc", "D", "BCD/BD/B"},
		{"b", "abCd", "EF", "ACEF/CEF/A"},
	} {
		permutations([]rune(c.paid), func(listed []rune) {
			f := newFix(t, func(cfg *Config) { cfg.MaxHintSources = len(c.paid) })
			for i, p := range c.owned { // so that they are not the least charged
				f.Add(0, key(100+i), hints(string(p)))
			}
			f.Add(0, key(1), hints(string(listed)))
			f.Add(0, key(1), hints(c.claim))
			f.entry(1, c.want)
		})
	}
}

// TestDisplacementInTurn: the same when the advertisers came one by one: the first
// is the owner, and of the others the smallest goes. ADV-1.
func TestDisplacementInTurn(t *testing.T) {
	for _, c := range []struct{ first, then, claim, want string }{
		{"a", "bcd", "E", "ACDE/E/A"},
		{"c", "abd", "EF", "CDEF/EF/C"},
		{"d", "abc", "EFG", "DEFG/EFG/D"},
		{"d", "aBc", "EFG", "BDEF/BEF/D"},
	} {
		permutations([]rune(c.then), func(listed []rune) {
			f := newFix(t, func(cfg *Config) { cfg.MaxHintSources = 4 })
			f.Add(0, key(1), hints(c.first))
			for _, p := range listed {
				f.Add(0, key(1), hints(string(p)))
			}
			f.Add(0, key(1), hints(c.claim))
			f.entry(1, c.want)
		})
	}
}

// TestAdvertisedTwice: an advertisement speaks for itself: what was present when
// one key's was merged says nothing of the next key's. ADV-1.
func TestAdvertisedTwice(t *testing.T) {
	f := newFix(t, nil)
	for n := 1; n <= 3; n++ {
		f.Add(0, key(n), hints("AbC"))
		f.Add(0, key(n), hints("bCaD"))
		f.Add(0, key(n), hints("Be"))
		for _, p := range f.state().Pending {
			if got := fmt.Sprintf("%s/%s", names(p.Entry.Hints), names(p.Entry.Claimants)); got != "ABCDE/ABCD" {
				t.Fatalf("key %d: %s", p.Key[31], got)
			}
		}
	}
}

// TestManyHints: of an advertisement of very many peers, in falling order, those
// that come first are kept; by insertion, sorting them would take a hundred million
// steps.
func TestManyHints(t *testing.T) { // ADV-1
	f := newFix(t, nil)
	far := func(n int) Peer { return Peer{0: 'z', 1: byte(n >> 8), 2: byte(n)} }
	var many []Hint
	for n := 20_000; n > 0; n-- {
		many = append(many, Hint{far(n), true})
	}
	f.Add(0, key(1), append(many, hints("C")...))
	e := f.state().Pending[0].Entry
	if n := len(e.Hints); n != f.cfg.MaxHintSources || e.Hints[0] != peer('C') || e.Hints[n-1] != far(n-1) {
		t.Errorf("kept %v", e.Hints)
	}
}
