package scheduler

import "testing"

// TestDepartUnknown: a peer that nobody knows departs without a trace, and what the
// list holds stays. DEP-1.
func TestDepartUnknown(t *testing.T) {
	f := newFix(t, nil)
	f.put(1, "A")
	held := []Event{{Kind: EventPark, Key: key(9)}}
	f.events(f.Depart(5, peer('Q'), held), "park 9")
	f.fill("1A#1")
	if f.state().Clock != 5 {
		t.Error("it does not move the clock")
	}
}

// TestReadySourceDeparts: when a source departs that could start the keys filed
// under it, those that another holds are still counted under that. DEP-3.
func TestReadySourceDeparts(t *testing.T) {
	f := newFix(t, func(c *Config) { c.Slots = 3 })
	f.put(1, "A")
	f.put(2, "B")
	f.fill("1A#1 2B#2")
	f.put(3, "AB")
	f.put(4, "A")
	f.put(9, "C")
	f.fill("9C#3") // looks at 3, and files it, or all
	f.ends(3, OutcomeDeclined, false, "left 9 declined")
	f.put(5, "CAB")
	f.fill("5C#4")
	f.ends(4, OutcomeNotFound, true, "park 5, application-failure") // filed under A and B
	f.put(8, "D")
	f.fill("8D#6")
	f.put(10, "A")
	f.ends(1, OutcomeDeclined, false, "left 1 declined") // A could start them
	if err := f.SelfCheck(); err != nil {
		t.Fatal(err)
	}
	f.events(f.Depart(0, peer('A'), nil), "left 4 orphaned; left 10 orphaned")
	if err := f.SelfCheck(); err != nil {
		t.Fatal(err)
	}
	f.index("B:3 5")
	f.fill("")
	f.ends(2, OutcomeDeclined, false, "left 2 declined")
	f.fill("3B#7")
}

// TestHeir: the smallest hint source that is left takes over what a departed owner
// was charged with, in whatever order they were listed. DEP-1.
func TestHeir(t *testing.T) {
	for _, c := range []struct{ departs, want string }{
		{"A", "BCD/BCD/B"},
		{"AB", "CD/CD/C"},
		{"ABC", "D/D/D"},
		{"B", "ACD/ACD/A"},
		{"DA", "BC/BC/B"},
	} {
		permutations([]rune("ABCD"), func(listed []rune) {
			f := newFix(t, nil)
			for i, p := range listed { // which knows them in this order
				f.Add(0, key(50+i), hints(string(p)))
			}
			f.Add(0, key(1), hints("ABCD"))
			for _, p := range c.departs {
				f.Depart(0, peer(p), nil)
			}
			f.entry(1, c.want)
		})
	}
}

// TestDepartedInOrder: what leaves or returns with a departed peer is told in the
// order of keys, whatever the order in which they came. DEP-6.
func TestDepartedInOrder(t *testing.T) {
	permutations([]rune{'A', 'B', 'C', 'D'}, func(order []rune) {
		f := newFix(t, nil)
		for _, r := range order {
			n := int(r - 'A')
			switch n {
			case 0:
				f.put(n, "Q")
			case 1:
				f.Add(0, key(n), hints("Q"))
			default:
				f.promote(n, "X", "Q")
			}
		}
		f.events(f.Depart(0, peer('Q'), nil), "left 0 orphaned; left 1 orphaned; pending 2; pending 3")
	})
}
