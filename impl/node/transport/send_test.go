package transport

import (
	"context"
	"errors"
	"io"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/wire"
)

// narrow lets less than a request in until it is read.
var narrow = &quic.Config{
	InitialStreamReceiveWindow: 1000, MaxStreamReceiveWindow: 1000,
	InitialConnectionReceiveWindow: 1000, MaxConnectionReceiveWindow: 1000,
}

var uuid = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// TestRequestNotSent: what it means that a request could not be sent whole (section 9): whether it is evidence against
// the peer depends on how far it got and on whether the connection still lives.
func TestRequestNotSent(t *testing.T) {
	for _, c := range []struct {
		name    string
		conf    *quic.Config
		holder  func(n *net10, s *stranger)
		want    error
		arrived int
		took    time.Duration
		counted Stats
	}{
		{"peer reads nothing", narrow, func(n *net10, s *stranger) {
			_, x := s.caller()
			time.Sleep(11 * time.Second) // until the fetch is given up
			var code *quic.StreamError
			if _, err := io.ReadAll(x); !errors.As(err, &code) || !code.Remote || code.ErrorCode != codeGivenUp {
				n.Errorf("the request: %v", err)
			}
		}, context.DeadlineExceeded, 0, 10 * time.Second, Stats{}},
		{"peer answers twice before it has read all", narrow, func(n *net10, s *stranger) {
			c, x := s.caller()
			var head [150]byte
			if _, err := io.ReadFull(x, head[:]); err != nil {
				n.Error(err)
			}
			id, err := wire.ParseMessageID(uuid.Find(head[:]))
			if err != nil {
				n.Error(err)
			}
			for range 2 {
				s.say(c, s.seal(id, true, []byte{1}))
			}
		}, context.DeadlineExceeded, 1, 10 * time.Second, Stats{Responses: 1, Strays: 1}},
		{"peer refuses it", narrow, func(_ *net10, s *stranger) {
			_, x := s.caller()
			time.Sleep(time.Second)
			x.CancelRead(3)
		}, worker.ErrNotSent, 0, 2 * time.Second, Stats{}},
		{"peer leaves", narrow, func(_ *net10, s *stranger) {
			c, _ := s.caller()
			time.Sleep(time.Second)
			_ = c.CloseWithError(0, "")
		}, worker.ErrUnreachable, 0, 2 * time.Second, Stats{}},
		{"peer grants no stream", &quic.Config{MaxIncomingUniStreams: -1}, func(*net10, *stranger) {}, worker.ErrNotSent, 0, 10 * time.Second, Stats{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(n *net10) {
				a := n.start(0, Defaults(), nil)
				s := n.stranger(1, c.conf)
				done := make(chan struct{})
				go func() {
					defer close(done)
					c.holder(n, s)
				}()
				began := time.Now()
				_, arrived, err := a.fetch(1, 10*time.Second)
				if m := meaning(err); m != c.want || arrived != c.arrived {
					n.Errorf("%v, want %v; arrived %d times", err, c.want, arrived)
				}
				if took := time.Since(began); took > c.took {
					n.Errorf("took %v, at most %v", took, c.took)
				}
				<-done
				c.counted.Dropped = map[wire.Class]uint64{}
				if st := n.stats(a); !reflect.DeepEqual(st, c.counted) {
					n.Errorf("counted %+v, want %+v", st, c.counted)
				}
			})
		})
	}
}

// TestLastMoment: a response that is there when a fetch is given up is taken.
func TestLastMoment(t *testing.T) {
	_, x := newWait(worker.Request{}, nil)
	if _, err := x.orElse(context.DeadlineExceeded); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a response: %v", err)
	}
	select {
	case x.response <- worker.Response{Message: wire.Message{RequestID: 7}}:
	default:
		t.Fatal("who delivers a response would have to wait")
	}
	if resp, err := x.orElse(context.DeadlineExceeded); err != nil || resp.Message.RequestID != 7 {
		t.Errorf("with a response: %+v, %v", resp, err)
	}
}

// meaning is what a worker makes of a failed fetch.
func meaning(err error) error {
	for _, kind := range []error{worker.ErrNotSent, worker.ErrUnreachable, context.DeadlineExceeded} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return err
}

// TestReplyFails: a reply that did not get out whole is an error, at the latest when its context ends, and nobody is
// told that it was sent.
func TestReplyFails(t *testing.T) {
	for _, c := range []struct {
		name string
		size int
		ask  func(n *net10, s *stranger) // asks host 0
		took time.Duration
		want error
	}{
		{"too large", wire.MaxMessage, (*net10).askOnce, 0, wire.ErrOversized},
		{"nobody reads", 100_000, func(n *net10, s *stranger) {
			s.say(s.dialAs(0, narrow), s.seal(someID, false, wire.AppendRequest(nil, 7, wire.Key{9}, true)))
		}, 5 * time.Second, nil},
		{"requester left", 100_000, func(n *net10, s *stranger) {
			c := s.dial(0)
			s.say(c, s.seal(someID, false, wire.AppendRequest(nil, 7, wire.Key{9}, true)))
			time.Sleep(100 * time.Millisecond)
			_ = c.CloseWithError(0, "")
		}, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(n *net10) {
				done := make(chan struct{})
				n.start(0, Defaults(), func(_ wire.PeerID, r wire.Request, reply Reply) {
					go func() {
						defer close(done)
						time.Sleep(time.Second)
						ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
						defer cancel()
						began := time.Now()
						m := wire.Message{RequestID: r.RequestID, Kind: wire.Success, Key: r.Key, Data: make([]byte, c.size)}
						err := reply(ctx, &m, func() { n.Error("told that it was sent") })
						if took := time.Since(began); err == nil || c.want != nil && !errors.Is(err, c.want) || took != c.took {
							n.Errorf("after %v: %v", took, err)
						}
					}()
				})
				c.ask(n, n.stranger(1, nil))
				<-done
			})
		})
	}
}

// TestSentFirst: what a reply's sender does about its being sent is done before the requester has the whole of it.
func TestSentFirst(t *testing.T) {
	const size = 8 * firstRead // more memory is held only once all of that has arrived
	inBubble(t, func(n *net10) {
		telling, told := make(chan struct{}), make(chan struct{})
		n.start(0, Defaults(), func(_ wire.PeerID, r wire.Request, reply Reply) {
			go func() {
				m := wire.Message{RequestID: r.RequestID, Kind: wire.Success, Key: r.Key, Data: make([]byte, size)}
				if err := reply(context.Background(), &m, func() { close(telling); <-told }); err != nil {
					n.Error(err)
				}
			}()
		})
		a := n.start(1, Defaults(), nil)
		go func() {
			<-telling
			time.Sleep(time.Second) // all that was sent has arrived
			if st := n.stats(a); st.Arriving <= size || st.Responses != 0 {
				n.Errorf("before it is told: %d bytes held of a record of %d, %d whole", st.Arriving, size, st.Responses)
			}
			close(told)
		}()
		began := time.Now()
		if _, arrived, err := a.fetch(0, 10*time.Second); err != nil || arrived != 1 || time.Since(began) < time.Second {
			n.Errorf("after %v: arrived %d times, %v", time.Since(began), arrived, err)
		}
		<-told
	})
}

func (n *net10) askOnce(s *stranger) {
	s.say(s.dial(0), s.seal(someID, false, wire.AppendRequest(nil, 7, wire.Key{9}, true)))
}
