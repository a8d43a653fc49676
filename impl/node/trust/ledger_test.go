package trust

import (
	"math"
	"testing"

	"fetchproof/impl/scheduler"
)

// TestPublishedScores: trust after n charges from 0.5 (TRU-1, section 20).
func TestPublishedScores(t *testing.T) {
	l := NewLedger(0)
	p := scheduler.Peer{1}
	if s := l.Account(p).Score; s != Neutral {
		t.Errorf("before any charge: %v", s)
	}
	for i, want := range []float64{0.438, 0.384, 0.336, 0.294, 0.258, 0.226} {
		l.Charge(p, scheduler.ChargeConnectionTimeout)
		if s := l.Account(p).Score; math.Round(s*1000)/1000 != want {
			t.Errorf("after %d charges: %v, want %v", i+1, s, want)
		}
	}
	l.Charge(p, scheduler.ChargeMalformed)
	l.Charge(p, scheduler.ChargeNone)
	a := l.Account(p)
	if a.Charges[scheduler.ChargeConnectionTimeout] != 6 || a.Charges[scheduler.ChargeMalformed] != 1 || a.Total() != 7 {
		t.Errorf("charges %v", a.Charges)
	}
}

// TestBound: the least charged peer is forgotten first.
func TestBound(t *testing.T) {
	l := NewLedger(2)
	a, b, c := scheduler.Peer{1}, scheduler.Peer{2}, scheduler.Peer{3}
	l.Charge(a, scheduler.ChargeMalformed)
	l.Charge(b, scheduler.ChargeMalformed)
	l.Charge(b, scheduler.ChargeMalformed)
	l.Charge(c, scheduler.ChargeMalformed)
	all := l.Accounts()
	if _, ok := all[a]; ok || len(all) != 2 || all[b].Total() != 2 || all[c].Total() != 1 {
		t.Errorf("accounts %v", all)
	}
}
