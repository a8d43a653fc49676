package responder

import "math"

// nsPerSecond is 10^9: a token of a bucket with rate R takes nsPerSecond/R ns.
const nsPerSecond = 1_000_000_000

// instant is an exact time: whole + frac/rate nanoseconds, with
// 0 <= frac < rate, where rate is that of the bucket it belongs to.
type instant struct {
	whole uint64
	frac  uint32
}

// ceil is the smallest whole nanosecond that is not before t.
func (t instant) ceil() uint64 {
	if t.frac > 0 {
		return t.whole + 1
	}
	return t.whole
}

// observed is ceil as a time of the rules: past the largest time it is the
// largest time (DET-4). Only what is shown saturates; see bucket.
func (t instant) observed() int64 {
	return int64(min(t.ceil(), math.MaxInt64))
}

// after reports whether t is later than u.
func (t instant) after(u instant) bool {
	return t.whole > u.whole || t.whole == u.whole && t.frac > u.frac
}

// bucket is a token bucket, held as the one number that describes it whatever
// the time: when it is or was full with nothing spent since. The zero bucket
// is full. At time t it lacks (fullAt - t) * rate tokens, or none from fullAt
// on, so nothing is ever rounded and nothing needs to be refilled (RSP-5).
//
// fullAt is at most one whole burst after the time of the last spending:
// at most 2^63-1 + 2^30 * 10^9 < 2^64 ns. Thus no sum here can overflow, nor
// does one saturate: at the end of time a spent token is still spent, although
// the bucket then shows the largest time as its full-at (DET-4).
type bucket struct {
	fullAt instant
}

// fullBy reports whether the bucket is full at now, which is not negative.
func (b bucket) fullBy(now int64) bool {
	return b.fullAt.ceil() <= uint64(now)
}

// tariff is what buckets of one burst and one rate have in common.
type tariff struct {
	rate  uint32
	token instant // how long one token takes to refill
	slack instant // how long burst-1 tokens take
}

// newTariff takes a burst and a rate of 1 to maxCount.
func newTariff(burst, rate int) tariff {
	span := func(tokens int) instant {
		units := uint64(tokens) * nsPerSecond // in 1/rate ns
		return instant{whole: units / uint64(rate), frac: uint32(units % uint64(rate))}
	}
	return tariff{rate: uint32(rate), token: span(1), slack: span(burst - 1)}
}

// allows reports whether b has a token at now, which is not negative: whether
// it lacks burst-1 tokens or fewer.
func (f tariff) allows(b bucket, now int64) bool {
	limit := instant{whole: uint64(now) + f.slack.whole, frac: f.slack.frac}
	return !b.fullAt.after(limit)
}

// spend returns b less the one token that f.allows found at now.
func (f tariff) spend(b bucket, now int64) bucket {
	from := b.fullAt
	if from.whole < uint64(now) {
		from = instant{whole: uint64(now)}
	}
	full := instant{whole: from.whole + f.token.whole, frac: from.frac + f.token.frac}
	if full.frac >= f.rate {
		full.whole++
		full.frac -= f.rate
	}
	return bucket{fullAt: full}
}
