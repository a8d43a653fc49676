package responder

import (
	"testing"

	"pgregory.net/rapid"
)

// TestIdleHeap puts peers into the idle heap and takes them out from anywhere,
// and wants the heap in order after every step, with every peer aware of its
// place (RSP-7).
func TestIdleHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLimiter(Defaults())
		fulls := rapid.SliceOfN(rapid.Uint64Range(0, 30), 80, 80).Draw(t, "full at")
		for i, at := range fulls {
			peer := Peer{0: byte(i * 37)}
			l.table = append(l.table, remembered{peer: peer, bucket: bucket{instant{whole: at}}, at: -1})
			l.idleAdd(int32(i))
			checkIdle(t, &l, i+1)
		}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, len(fulls)-1), 120, 120).Draw(t, "moves") {
			size := len(l.idle)
			if at := l.table[n].at; at >= 0 {
				l.idleRemove(at)
				size--
			} else {
				l.idleAdd(int32(n))
				size++
			}
			checkIdle(t, &l, size)
		}
	})
}

func checkIdle(t *rapid.T, l *limiter, size int) {
	if len(l.idle) != size {
		t.Fatalf("%d are idle, want %d", len(l.idle), size)
	}
	inside := 0
	for n := range l.table {
		if at := l.table[n].at; at >= 0 {
			inside++
			if l.idle[at].number != int32(n) {
				t.Fatalf("peer number %d is not at its place %d", n, at)
			}
		}
	}
	if inside != size {
		t.Fatalf("%d peers know a place, want %d", inside, size)
	}
	for i := 1; i < size; i++ {
		if l.idleLess(l.idle[i], l.idle[(i-1)/idleWidth]) {
			t.Fatalf("place %d comes before its parent", i)
		}
	}
}
