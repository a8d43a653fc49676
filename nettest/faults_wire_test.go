package nettest

import (
	"time"

	"fetchproof/impl/node/transport"
	"fetchproof/impl/wire"
)

// answers has the adversary listen as a holder.
func (a *adversary) answers(answer func(asked)) {
	server, err := transport.ServerTLS()
	if err != nil {
		a.t.Fatal(err)
	}
	a.listen(server, answer)
}

// truth is the right response to a request.
func (b *bench) truth(q asked) *wire.Message {
	for n := range b.f.s.Keys {
		if key, data := b.record(n); key == q.req.Key {
			return &wire.Message{RequestID: q.req.RequestID, Kind: wire.Success, Key: key, Data: data}
		}
	}
	b.Errorf("asked for %v", q.req.Key)
	return &wire.Message{}
}

// badHolder is a fault of an adversary that answers each request with one whole message.
func badHolder(name string, answer func(b *bench, q asked) []byte, counted func(b *bench) uint64) fault {
	return fault{
		name: name,
		cause: func(b *bench) {
			b.bad.answers(func(q asked) { b.bad.send(q.conn, answer(b, q)) })
			b.fetch(0, b.badID, b.honest.id)
		},
		lasts: 6 * time.Second,
		check: func(b *bench) {
			b.unanswered()
			if n := counted(b); n != 1 {
				b.Errorf("counted %d times: %+v", n, b.stats().Transport)
			}
		},
	}
}

func dropped(c wire.Class) func(b *bench) uint64 {
	return func(b *bench) uint64 { return b.droppedAs(c) }
}

func stray(b *bench) uint64 { return b.stats().Transport.Strays }

func partial(b *bench) uint64 { return b.stats().Transport.Partial }

// wireFaults are messages that are not what they should be (WIR-9).
var wireFaults = []fault{
	badHolder("wrong signature", func(b *bench, q asked) []byte {
		buf := b.bad.seal(q.id, true, b.truth(q))
		buf[len(buf)-1] ^= 1
		return buf
	}, dropped(wire.ClassSignature)),
	badHolder("answer changed after it was signed", func(b *bench, q asked) []byte {
		buf := b.bad.seal(q.id, true, b.truth(q))
		buf[200] ^= 1 // within the record
		return buf
	}, dropped(wire.ClassSignature)),
	badHolder("peer that claims another's id", func(b *bench, q asked) []byte {
		buf := b.bad.seal(q.id, true, b.truth(q))
		own, other := b.bad.signer.ID().String(), b.honest.id.String()
		return []byte(replaceOnce(string(buf), own, other))
	}, dropped(wire.ClassSender)),
	badHolder("answer in the name of a holder that was not asked", func(b *bench, q asked) []byte {
		liar := &adversary{t: b.T, signer: b.f.s.signer(honestHost)} // who has the other's key, too
		return liar.seal(q.id, true, b.truth(q))
	}, stray),
	badHolder("answer for another request", func(b *bench, q asked) []byte {
		q.id[0] ^= 1
		return b.bad.seal(q.id, true, b.truth(q))
	}, stray),
	badHolder("answer with another request's number", func(b *bench, q asked) []byte {
		q.req.RequestID++
		return b.bad.seal(q.id, true, b.truth(q))
	}, stray),
	badHolder("half a message, ended", func(b *bench, q asked) []byte {
		buf := b.bad.seal(q.id, true, b.truth(q))
		return buf[:len(buf)/2]
	}, dropped(wire.ClassTruncated)),
	{
		name: "half a message, broken off",
		cause: func(b *bench) {
			b.bad.answers(func(q asked) { b.bad.half(q, b.truth(q), true) })
			b.fetch(0, b.badID, b.honest.id)
		},
		lasts: 6 * time.Second,
		check: func(b *bench) {
			b.unanswered()
			if n := partial(b); n != 1 {
				b.Errorf("counted %d times", n)
			}
		},
	},
	{
		name: "half a message, never ended",
		cause: func(b *bench) {
			b.bad.answers(func(q asked) { b.bad.half(q, b.truth(q), false) })
			b.fetch(0, b.badID, b.honest.id)
		},
		lasts: 40 * time.Second, // MessageTimeout is 30 s
		check: func(b *bench) {
			b.unanswered()
			if n, held := partial(b), b.stats().Transport.Arriving; n != 1 || held != 0 {
				b.Errorf("counted %d times, %d bytes held", n, held)
			}
		},
	},
	{
		name: "answer that comes twice",
		cause: func(b *bench) {
			b.bad.answers(func(q asked) {
				buf := b.bad.seal(q.id, true, b.truth(q))
				b.bad.send(q.conn, buf)
				b.bad.send(q.conn, buf)
			})
			b.fetch(0, b.badID)
		},
		lasts: time.Second,
		check: func(b *bench) {
			if n, s := stray(b), b.victim.places.Lines(); n != 1 || s != 1 {
				b.Errorf("%d strays, %d lines of serving", n, s)
			}
			if c := b.charged(b.badID); c != [4]uint64{} {
				b.Errorf("charges %v", c)
			}
		},
	},
}

// half sends the first half of a response, and breaks the stream off or leaves it open.
func (a *adversary) half(q asked, m *wire.Message, breakOff bool) {
	s, err := q.conn.OpenUniStreamSync(a.ctx)
	if err != nil {
		return
	}
	buf := a.seal(q.id, true, m)
	if _, err := s.Write(buf[:len(buf)/2]); err != nil {
		return
	}
	if breakOff {
		time.Sleep(time.Millisecond) // so that the first half gets there
		s.CancelWrite(7)
	}
}
