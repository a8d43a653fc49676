package model

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"fetchproof/ops"
)

func request(peer string, asksBusy bool, want string) step {
	return step{op: ops.Op{Kind: ops.Request, Peer: ops.PeerNamed(peer), AsksBusy: asksBusy}, want: want}
}

func onTicket(kind ops.Kind, n uint64, want string) step {
	return step{op: ops.Op{Kind: kind, Ref: ops.Ref{N: n}}, want: want}
}

func take(n uint64, want string) step     { return onTicket(ops.Take, n, want) }
func release(n uint64, want string) step  { return onTicket(ops.Release, n, want) }
func sendDone(n uint64, want string) step { return onTicket(ops.SendDone, n, want) }

// busyFrom is a request that the pool of one, taken by another peer, refuses.
func busyFrom(peer, want string) step { return request(peer, true, want) }

// poolOfOne has the only place of the pool taken by Z, so that every other peer is refused.
func poolOfOne(more ...step) []step {
	return append([]step{request("Z", false, "admitted ticket=1")}, more...)
}

func TestResponder(t *testing.T) {
	const sec = time.Second
	scripts := []struct {
		rule, name string
		cfg        func(*ops.ResponderConfig)
		steps      []step
	}{
		{"RSP-1", "peer share and pool", func(c *ops.ResponderConfig) { c.PeerShare, c.Pool = 2, 3 }, []step{
			request("A", false, "admitted ticket=1"), request("A", false, "admitted ticket=2"),
			request("A", false, "silent peer_share"), request("B", false, "admitted ticket=3"), request("B", false, "silent pool"),
			request("A", false, "silent peer_share"), // RSP-3: peer share first
			take(1, "serve"), release(1, "ok"), request("B", false, "admitted ticket=4"),
		}},
		{"RSP-2", "shed after the timeout, every place released once", nil, []step{
			request("A", false, "admitted ticket=1"), request("A", false, "admitted ticket=2"), at(30*sec-1, take(1, "serve")),
			take(1, "stale"), at(30*sec, take(2, "shed")), release(2, "stale"), take(2, "stale"), release(1, "ok"),
			release(1, "stale"), take(0, "stale"), take(9, "stale"),
			request("A", false, "admitted ticket=3"), release(3, "ok"),
		}},
		{"RSP-4", "busy only to whoever asks", nil, poolOfOne(
			request("A", false, "silent pool"), request("A", true, "busy send=1 pool"),
		)},
		{"RSP-5", "the peer's burst and its refill, exactly", func(c *ops.ResponderConfig) { c.BusyPeerRate = 3 }, poolOfOne(
			busyFrom("A", "busy send=1 pool"), busyFrom("A", "busy send=2 pool"), sendDone(1, "ok"), sendDone(2, "ok"),
			at(333_333_333, busyFrom("A", "silent pool peer_rate")), at(333_333_334, busyFrom("A", "busy send=3 pool")),
			at(666_666_666, busyFrom("A", "silent pool peer_rate")), at(666_666_667, busyFrom("A", "busy send=4 pool")),
		)},
		{"RSP-5", "the global bucket denies: nothing is spent, remembered or replaced", func(c *ops.ResponderConfig) {
			c.BusyGlobalBurst, c.BusyGlobalRate, c.BusyPeerTable, c.BusyPeerRate = 1, 1, 1, 1000
		}, poolOfOne(
			busyFrom("A", "busy send=1 pool"), sendDone(1, "ok"), busyFrom("A", "silent pool global_rate"),
			see("limiter", "A:0/1ms"), at(sec-1, busyFrom("B", "silent pool global_rate")), see("limiter", "A:0/1ms"),
			at(sec, busyFrom("B", "busy send=2 pool")), see("limiter", "B:1/1.001s"),
		)},
		{"RSP-7", "a full table denies before the global bucket does", func(c *ops.ResponderConfig) {
			c.BusyGlobalBurst, c.BusyPeerTable = 1, 1
		}, poolOfOne(
			busyFrom("A", "busy send=1 pool"), busyFrom("B", "silent pool peer_table"),
			at(sec, busyFrom("B", "silent pool peer_table")), sendDone(1, "ok"), busyFrom("B", "busy send=2 pool"),
		)},
		{"RSP-5", "the bounds in order", func(c *ops.ResponderConfig) {
			c.BusySendPermits, c.BusyPeerInFlight, c.BusyPeerBurst, c.BusyGlobalBurst = 2, 1, 2, 2
		}, poolOfOne(
			busyFrom("A", "busy send=1 pool"), busyFrom("A", "silent pool peer_in_flight"), busyFrom("B", "busy send=2 pool"),
			busyFrom("C", "silent pool send_permits"), sendDone(2, "ok"), busyFrom("C", "silent pool global_rate"),
		)},
		{"RSP-6", "a permit is freed once", nil, poolOfOne(
			busyFrom("A", "busy send=1 pool"), sendDone(1, "ok"), sendDone(1, "stale"), sendDone(0, "stale"),
		)},
		{"RSP-7", "the peer full for longest makes room, not one being sent to", func(c *ops.ResponderConfig) {
			c.BusyPeerTable = 2
		}, poolOfOne(
			busyFrom("B", "busy send=1 pool"), at(1, busyFrom("A", "busy send=2 pool")), sendDone(2, "ok"),
			at(sec, busyFrom("C", "silent pool peer_table")), at(sec+1, busyFrom("C", "busy send=3 pool")),
			see("limiter", "B:1/1s C:1/2.000000001s"),
		)},
	}
	for _, sc := range scripts {
		t.Run(sc.rule+"/"+sc.name, func(t *testing.T) {
			cfg := ops.DefaultConfig(ops.ResponderMachine).Responder
			if sc.steps[0].op.Peer == ops.PeerNamed("Z") {
				cfg.Pool = 1
			}
			if sc.cfg != nil {
				sc.cfg(&cfg)
			}
			runSteps(t, NewResponder(cfg), sc.steps)
		})
	}
}

// The bucket agrees with a fraction of unbounded size, up to the largest time and the largest rates and bursts (RSP-5,
// DET-4).
func TestBucketExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		burst, rate := int64(1)<<rng.IntN(31), 1+rng.Int64N(int64(1)<<(1+rng.IntN(30)))
		var b bucket
		fullAt := new(big.Rat) // of the same bucket, in nanoseconds
		perToken := big.NewRat(token, rate)
		now := ops.Time(rng.Int64N(math.MaxInt64))
		for range 50 {
			at := new(big.Rat).SetInt64(int64(now))
			// a token is there if what is missing leaves room for one: fullAt - now <= (burst-1) tokens
			missing := new(big.Rat).Sub(fullAt, at)
			allowed := missing.Cmp(new(big.Rat).Mul(big.NewRat(burst-1, 1), perToken)) <= 0
			if got := b.hasToken(now, burst, rate); got != allowed {
				t.Fatalf("burst %d rate %d at %v: token %v, want %v", burst, rate, now, got, allowed)
			}
			if allowed {
				b = b.spent(now, rate)
				if fullAt.Cmp(at) < 0 {
					fullAt.Set(at)
				}
				fullAt.Add(fullAt, perToken)
			}
			ceil := new(big.Int).Add(fullAt.Num(), new(big.Int).Sub(fullAt.Denom(), big.NewInt(1)))
			ceil.Div(ceil, fullAt.Denom())
			if want := ceil; want.IsInt64() && int64(b.fullAt()) != want.Int64() || !want.IsInt64() && b.fullAt() != largest {
				t.Fatalf("burst %d rate %d: full at %d, want %v", burst, rate, b.fullAt(), want)
			}
			now = plus(now, ops.Duration(rng.Int64N(2*token/rate+2)))
		}
	}
}
