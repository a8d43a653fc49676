package transport

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/wire"
)

// someID is the id of no message that anybody waits for.
var someID = wire.NewMessageID([16]byte{1})

// TestHostileMessages: what is said by somebody who dialled is counted as what it is, once, holds nothing when it is
// over, and what is refused unread is refused to its sender's knowledge (WIR-5, WIR-9).
func TestHostileMessages(t *testing.T) {
	request := wire.AppendRequest(nil, 7, wire.Key{9}, true)
	response := wire.AppendSuccess(nil, 7, wire.Key{9}, []byte("record"))
	drop := func(c wire.Class) Stats { return Stats{Dropped: map[wire.Class]uint64{c: 1}} }
	type say = func(s *stranger, c *quic.Conn) *quic.SendStream // what is returned was refused
	whole := func(buf func(s *stranger) []byte) say {
		return func(s *stranger, c *quic.Conn) *quic.SendStream {
			s.say(c, buf(s))
			return nil
		}
	}
	for _, m := range []struct {
		name string
		say  say
		want Stats
	}{
		{"request", whole(func(s *stranger) []byte { return s.seal(someID, false, request) }), Stats{Requests: 1}},
		{"nothing", whole(func(*stranger) []byte { return nil }), drop(wire.ClassTruncated)},
		{"half", whole(func(s *stranger) []byte { return s.seal(someID, false, request)[:1000] }), drop(wire.ClassTruncated)},
		{"signature", whole(func(s *stranger) []byte {
			buf := s.seal(someID, false, request)
			buf[len(buf)-1] ^= 1
			return buf
		}), drop(wire.ClassSignature)},
		{"no request", whole(func(s *stranger) []byte { return s.seal(someID, false, request[:3]) }), drop(wire.ClassTruncated)},
		{"answer as a request", whole(func(s *stranger) []byte { return s.seal(someID, false, response) }), drop(wire.ClassNotRequest)},
		{"answer that nobody waits for", whole(func(s *stranger) []byte { return s.seal(someID, true, response) }), Stats{Strays: 1}},
		{"largest", func(s *stranger, c *quic.Conn) *quic.SendStream {
			x := s.begin(c, make([]byte, wire.MaxEnvelope))
			time.Sleep(time.Second) // so that its end comes by itself
			_ = x.Close()
			return nil
		}, drop(wire.ClassProtocol)},
		{"too large", func(s *stranger, c *quic.Conn) *quic.SendStream {
			return s.begin(c, make([]byte, wire.MaxEnvelope+1))
		}, drop(wire.ClassOversized)},
		{"broken off", func(s *stranger, c *quic.Conn) *quic.SendStream {
			x := s.begin(c, make([]byte, 1000))
			time.Sleep(time.Second)
			x.CancelWrite(7)
			return nil
		}, Stats{Partial: 1}},
		{"too slow", func(s *stranger, c *quic.Conn) *quic.SendStream {
			x := s.begin(c, make([]byte, 1000))
			time.Sleep(Defaults().MessageTimeout)
			return x
		}, Stats{Partial: 1}},
		{"too slow, a byte a second", func(s *stranger, c *quic.Conn) *quic.SendStream {
			x := s.begin(c, make([]byte, 1000))
			for range Defaults().MessageTimeout / time.Second {
				time.Sleep(time.Second)
				_, _ = x.Write([]byte{0})
			}
			return x
		}, Stats{Partial: 1}},
	} {
		t.Run(m.name, func(t *testing.T) {
			inBubble(t, func(n *net10) {
				handled := uint64(0)
				a := n.start(0, Defaults(), func(from wire.PeerID, r wire.Request, _ Reply) {
					if handled++; from != id(1) || r.RequestID != 7 || r.Key != (wire.Key{9}) || !r.AsksBusy {
						n.Errorf("%v asks %+v", from, r)
					}
				})
				s := n.stranger(1, nil)
				refused := m.say(s, s.dial(0))
				time.Sleep(time.Second)
				m.want.Inbound, m.want.MostInbound = 1, 1
				if m.want.Dropped == nil {
					m.want.Dropped = map[wire.Class]uint64{}
				}
				if st := n.stats(a); !reflect.DeepEqual(st, m.want) || handled != st.Requests {
					n.Errorf("counted %+v, want %+v; handled %d", st, m.want, handled)
				}
				if refused != nil {
					var code *quic.StreamError
					if _, err := refused.Write([]byte{0}); !errors.As(err, &code) || !code.Remote || code.ErrorCode != codeRefused {
						n.Errorf("its sender may go on: %v", err)
					}
				}
			})
		})
	}
}

// TestHeldWhileArriving: no more is held than twice what has arrived of a message, and all of it is counted.
func TestHeldWhileArriving(t *testing.T) {
	inBubble(t, func(n *net10) {
		a := n.start(0, Defaults(), nil)
		s := n.stranger(1, nil)
		c := s.dial(0)
		x := s.begin(c, nil)
		arrived := int64(0)
		for _, upTo := range []int64{1, firstRead, firstRead + 1, 4*firstRead + 1, 5 * firstRead} {
			_, _ = x.Write(make([]byte, upTo-arrived))
			arrived = upTo
			time.Sleep(time.Second)
			if held := n.stats(a).Arriving; held < arrived || held > max(firstRead, 2*arrived) {
				n.Errorf("%d bytes held of %d arrived", held, arrived)
			}
		}
		x.CancelWrite(7)
		time.Sleep(time.Second)
		if held := n.stats(a).Arriving; held != 0 {
			n.Errorf("%d bytes held of a message broken off", held)
		}
	})
}

// TestHostileAnswers: which answer to a request takes a place, and which is taken (SEQ-1, SEQ-3, WIR-9).
func TestHostileAnswers(t *testing.T) {
	for _, c := range []struct {
		name    string
		answer  func(s *stranger, q asked)
		arrived int
		ok      bool
		want    Stats
	}{
		{"right", func(s *stranger, q asked) { s.say(q.c, s.seal(q.id, true, q.response())) }, 1, true, Stats{Responses: 1}},
		{"twice", func(s *stranger, q asked) {
			for range 2 {
				s.say(q.c, s.seal(q.id, true, q.response()))
			}
		}, 1, true, Stats{Responses: 1, Strays: 1}},
		{"undecodable", func(s *stranger, q asked) { s.say(q.c, s.seal(q.id, true, []byte{1})) }, 1, true, Stats{Responses: 1}},
		{"forged, then right", func(s *stranger, q asked) {
			buf := s.seal(q.id, true, q.response())
			buf[len(buf)-1] ^= 1
			s.say(q.c, buf)
			time.Sleep(time.Second)
			s.say(q.c, s.seal(q.id, true, q.response()))
		}, 1, true, Stats{Responses: 1, Dropped: map[wire.Class]uint64{wire.ClassSignature: 1}}},
		{"a request", func(s *stranger, q asked) {
			s.say(q.c, s.seal(q.id, false, wire.AppendRequest(nil, 7, q.Key, true)))
		}, 0, false, Stats{Requests: 1}},
		{"in another's name", func(s *stranger, q asked) {
			s.signer = signer(2)
			s.say(q.c, s.seal(q.id, true, q.response()))
		}, 0, false, Stats{Strays: 1}},
		{"in another's name, then right", func(s *stranger, q asked) {
			own := s.signer
			s.signer = signer(2)
			s.say(q.c, s.seal(q.id, true, q.response()))
			time.Sleep(time.Second)
			s.signer = own
			s.say(q.c, s.seal(q.id, true, q.response()))
		}, 1, true, Stats{Responses: 1, Strays: 1}},
		{"with another number, then right", func(s *stranger, q asked) {
			wrong := q
			wrong.RequestID++
			s.say(q.c, s.seal(q.id, true, wrong.response()))
			time.Sleep(time.Second)
			s.say(q.c, s.seal(q.id, true, q.response()))
		}, 1, true, Stats{Responses: 1, Strays: 1}},
		{"to another message", func(s *stranger, q asked) { s.say(q.c, s.seal(someID, true, q.response())) }, 0, false, Stats{Strays: 1}},
		{"with another number", func(s *stranger, q asked) {
			q.RequestID++
			s.say(q.c, s.seal(q.id, true, q.response()))
		}, 1, false, Stats{Strays: 1}},
		{"late", func(s *stranger, q asked) {
			time.Sleep(10 * time.Second)
			s.say(q.c, s.seal(q.id, true, q.response()))
		}, 0, false, Stats{Strays: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(n *net10) {
				a := n.start(0, Defaults(), nil)
				s := n.stranger(1, nil)
				go func() { c.answer(s, s.hear()) }()
				resp, arrived, err := a.fetch(1, 10*time.Second)
				if arrived != c.arrived || (err == nil) != c.ok || err != nil && !errors.Is(err, context.DeadlineExceeded) {
					n.Errorf("%+v, arrived %d times, %v", resp, arrived, err)
				}
				if undecodable := c.name == "undecodable"; (resp.Err != nil) != undecodable || c.ok && !undecodable && string(resp.Message.Data) != "record" {
					n.Errorf("answered %+v", resp)
				}
				time.Sleep(time.Second)
				if c.want.Dropped == nil {
					c.want.Dropped = map[wire.Class]uint64{}
				}
				if st := n.stats(a); !reflect.DeepEqual(st, c.want) {
					n.Errorf("counted %+v, want %+v", st, c.want)
				}
			})
		})
	}
}
