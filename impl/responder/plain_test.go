package responder_test

import (
	"bytes"
	"math"
	"math/big"
	"slices"

	"fetchproof/impl/responder"
)

// plain is the rules of the responder written for the reader: tokens are
// rational numbers that are topped up, and every choice scans everything. The
// tests step it beside the real one.
type plain struct {
	cfg        responder.Config
	clock      int64
	nextTicket responder.Ticket
	nextSend   responder.Send
	tickets    map[responder.Ticket]responder.TicketState
	sends      map[responder.Send]responder.Peer
	limiter    map[responder.Peer]*tokens
	global     tokens
	replies    []reply
	replaced   int
	denied     map[responder.Bound]int
}

// reply is a busy reply that was allowed, for the property over windows.
type reply struct {
	at   int64
	peer responder.Peer
}

func newPlain(c responder.Config) *plain {
	return &plain{
		cfg:     c,
		tickets: map[responder.Ticket]responder.TicketState{},
		sends:   map[responder.Send]responder.Peer{},
		limiter: map[responder.Peer]*tokens{},
		global:  newTokens(c.BusyGlobalBurst, c.BusyGlobalRate),
		denied:  map[responder.Bound]int{},
	}
}

// tokens is a bucket that counts: have tokens at time at.
type tokens struct {
	burst, rate *big.Rat
	have        *big.Rat
	at          int64
	touched     bool
}

func newTokens(burst, rate int) tokens {
	b := new(big.Rat).SetInt64(int64(burst))
	return tokens{burst: b, rate: new(big.Rat).SetFrac64(int64(rate), 1e9), have: b}
}

// level is how many tokens there are at now.
func (b *tokens) level(now int64) *big.Rat {
	grown := new(big.Rat).SetInt64(now - b.at)
	grown.Mul(grown, b.rate).Add(grown, b.have)
	if grown.Cmp(b.burst) > 0 {
		return b.burst
	}
	return grown
}

func (b *tokens) has(now int64) bool { return b.level(now).Cmp(big.NewRat(1, 1)) >= 0 }

func (b *tokens) spend(now int64) {
	b.have = new(big.Rat).Sub(b.level(now), big.NewRat(1, 1))
	b.at, b.touched = now, true
}

// fullAt is the least whole nanosecond at which the bucket is full, exactly.
func (b *tokens) fullAt() *big.Int {
	if !b.touched {
		return new(big.Int)
	}
	wait := new(big.Rat).Sub(b.burst, b.have)
	wait.Quo(wait, b.rate)
	up := new(big.Int).Add(wait.Num(), wait.Denom())
	up.Sub(up, big.NewInt(1)).Quo(up, wait.Denom())
	return up.Add(up, big.NewInt(b.at))
}

func shown(t *big.Int) int64 {
	if t.IsInt64() {
		return t.Int64()
	}
	return math.MaxInt64
}

func (p *plain) tick(now int64) { p.clock = max(p.clock, now) }

func (p *plain) held(peer responder.Peer) int {
	n := 0
	for _, t := range p.tickets {
		if t.Peer == peer {
			n++
		}
	}
	return n
}

func (p *plain) sending(peer responder.Peer) int {
	n := 0
	for _, to := range p.sends {
		if to == peer {
			n++
		}
	}
	return n
}

func (p *plain) request(now int64, peer responder.Peer, asks bool) responder.Decision {
	p.tick(now)
	d := responder.Decision{Result: responder.Silent}
	switch {
	case p.held(peer) >= p.cfg.PeerShare:
		d.Reason = responder.PeerShare
	case len(p.tickets) >= p.cfg.Pool:
		d.Reason = responder.Pool
	default:
		p.nextTicket++
		p.tickets[p.nextTicket] = responder.TicketState{Ticket: p.nextTicket, Peer: peer, Since: p.clock}
		return responder.Decision{Ticket: p.nextTicket}
	}
	if !asks {
		return d
	}
	if d.Limiter = p.denial(peer); d.Limiter != responder.NoBound {
		p.denied[d.Limiter]++
		return d
	}
	p.reply(peer)
	d.Result, d.Send = responder.Busy, p.nextSend
	return d
}

func (p *plain) denial(peer responder.Peer) responder.Bound {
	b, known := p.limiter[peer]
	if !known {
		full := newTokens(p.cfg.BusyPeerBurst, p.cfg.BusyPeerRate)
		b = &full
	}
	_, gives := p.givesWay()
	switch {
	case len(p.sends) >= p.cfg.BusySendPermits:
		return responder.SendPermits
	case !known && len(p.limiter) >= p.cfg.BusyPeerTable && !gives:
		return responder.PeerTable
	case p.sending(peer) >= p.cfg.BusyPeerInFlight:
		return responder.PeerInFlight
	case !b.has(p.clock):
		return responder.PeerRate
	case !p.global.has(p.clock):
		return responder.GlobalRate
	}
	return responder.NoBound
}

func (p *plain) reply(peer responder.Peer) {
	if p.limiter[peer] == nil {
		if old, _ := p.givesWay(); len(p.limiter) >= p.cfg.BusyPeerTable {
			delete(p.limiter, old)
			p.replaced++
		}
		full := newTokens(p.cfg.BusyPeerBurst, p.cfg.BusyPeerRate)
		p.limiter[peer] = &full
	}
	p.limiter[peer].spend(p.clock)
	p.global.spend(p.clock)
	p.nextSend++
	p.sends[p.nextSend] = peer
	p.replies = append(p.replies, reply{at: p.clock, peer: peer})
}

// givesWay is the peer that RSP-7 replaces, if there is one.
func (p *plain) givesWay() (best responder.Peer, found bool) {
	var since *big.Int
	for peer, b := range p.limiter {
		full := b.fullAt()
		if p.sending(peer) > 0 || full.Cmp(big.NewInt(p.clock)) > 0 {
			continue
		}
		if found {
			c := full.Cmp(since)
			if c > 0 || c == 0 && bytes.Compare(peer[:], best[:]) > 0 {
				continue
			}
		}
		best, since, found = peer, full, true
	}
	return best, found
}

func (p *plain) take(now int64, t responder.Ticket) responder.Taken {
	p.tick(now)
	s, ok := p.tickets[t]
	switch {
	case !ok || s.Taken:
		return responder.TakeStale
	case p.clock-s.Since >= int64(p.cfg.FetchTimeout):
		delete(p.tickets, t)
		return responder.Shed
	}
	s.Taken = true
	p.tickets[t] = s
	return responder.Serve
}

func (p *plain) release(now int64, t responder.Ticket) bool {
	p.tick(now)
	_, ok := p.tickets[t]
	delete(p.tickets, t)
	return ok
}

func (p *plain) sendDone(now int64, s responder.Send) bool {
	p.tick(now)
	_, ok := p.sends[s]
	delete(p.sends, s)
	return ok
}

func (p *plain) state() responder.State {
	s := responder.State{Clock: p.clock, Outstanding: len(p.tickets), GlobalFullAt: shown(p.global.fullAt())}
	byPeer := map[responder.Peer]int{}
	for _, t := range p.tickets {
		s.Tickets = append(s.Tickets, t)
		byPeer[t.Peer]++
	}
	for peer, n := range byPeer {
		s.Peers = append(s.Peers, responder.PeerState{Peer: peer, Outstanding: n})
	}
	for send, peer := range p.sends {
		s.Sends = append(s.Sends, responder.SendState{Send: send, Peer: peer})
	}
	for peer, b := range p.limiter {
		l := responder.LimitState{Peer: peer, Sending: p.sending(peer), FullAt: shown(b.fullAt())}
		s.Limiter = append(s.Limiter, l)
	}
	slices.SortFunc(s.Tickets, func(a, b responder.TicketState) int { return int(a.Ticket - b.Ticket) })
	slices.SortFunc(s.Peers, func(a, b responder.PeerState) int { return bytes.Compare(a.Peer[:], b.Peer[:]) })
	slices.SortFunc(s.Sends, func(a, b responder.SendState) int { return int(a.Send - b.Send) })
	slices.SortFunc(s.Limiter, func(a, b responder.LimitState) int { return bytes.Compare(a.Peer[:], b.Peer[:]) })
	return s
}
