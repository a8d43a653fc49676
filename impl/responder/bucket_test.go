package responder

import "testing"

// TestWholeTokens: rate tokens take a second, exactly, and a fraction is below a whole
// nanosecond all the way there: what adds up to one is carried (RSP-5, DET-4).
func TestWholeTokens(t *testing.T) {
	for _, rate := range []int{1, 3, 7, 16, 1000, 12345} {
		f := newTariff(1, rate)
		var b bucket
		for range rate {
			if b = f.spend(b, 0); b.fullAt.frac >= f.rate {
				t.Fatalf("rate %d: full at %d + %d/%d ns", rate, b.fullAt.whole, b.fullAt.frac, rate)
			}
		}
		if want := (instant{whole: nsPerSecond}); b.fullAt != want {
			t.Errorf("rate %d: full at %+v, want %+v", rate, b.fullAt, want)
		}
	}
}
