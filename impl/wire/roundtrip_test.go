package wire_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"fetchproof/impl/wire"
)

// drawMessage draws a message in canonical form: only what its kind has is set.
func drawMessage(t *rapid.T) wire.Message {
	m := wire.Message{
		RequestID: drawUint64(t, "request id"),
		Kind:      wire.Kind(rapid.IntRange(int(wire.FetchRequest), int(wire.Busy)).Draw(t, "kind")),
	}
	copy(m.Key[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key"))
	size := rapid.SampledFrom([]int{0, 1, 127, 128, 129, 16383, 16384, 20000}).Draw(t, "size")
	switch m.Kind {
	case wire.FetchRequest:
		m.AsksBusy = rapid.Bool().Draw(t, "asks busy")
	case wire.Success:
		m.Data = bytes.Repeat([]byte{rapid.Byte().Draw(t, "fill")}, size)
	case wire.ErrorReply:
		m.Reason = []byte(rapid.String().Draw(t, "reason") + strings.Repeat("e", size))
	}
	return m
}

// drawUint64 draws around every length of a varint.
func drawUint64(t *rapid.T, label string) uint64 {
	shift := rapid.IntRange(0, 63).Draw(t, label+" shift")
	return uint64(1)<<shift + uint64(rapid.IntRange(-2, 2).Draw(t, label+" offset"))
}

// equal compares values: an absent and an empty slice are the same bytes.
func equal(a, b wire.Message) bool {
	return a.RequestID == b.RequestID && a.Kind == b.Kind && a.AsksBusy == b.AsksBusy && a.Key == b.Key &&
		bytes.Equal(a.Data, b.Data) && bytes.Equal(a.Reason, b.Reason)
}

// Encoding then decoding gives the same value, decoding then encoding the same
// bytes, and both other decoders read the same (WIR-6).
func TestMessageRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := drawMessage(rt)
		prefix := []byte("in front")
		out := wire.AppendMessage(prefix, &m)
		if !bytes.HasPrefix(out, prefix) {
			rt.Fatal("the buffer's content is gone")
		}
		encoded := out[len(prefix):]
		if len(encoded) != wire.MessageSize(&m) {
			rt.Fatalf("size %d, said %d", len(encoded), wire.MessageSize(&m))
		}
		var got wire.Message
		if _, err := wire.DecodeMessage(encoded, &got); err != nil || !equal(got, m) {
			rt.Fatalf("decoded %+v, %v; want %+v", got, err, m)
		}
		if again := wire.AppendMessage(nil, &got); !bytes.Equal(again, encoded) {
			rt.Fatalf("encoded again: %x, want %x", again, encoded)
		}
		sameMessage(t, encoded)
	})
}

// Overlong varints, wherever there is one, decode to the same value, and are never
// produced (WIR-2).
func TestOverlongMessages(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := drawMessage(rt)
		m.AsksBusy = false
		w := &overlong{t: rt}
		w.varint(m.RequestID, 10)
		if m.Kind == wire.FetchRequest {
			w.varint(7, 5)
			w.out = append(w.out, m.Key[:]...)
		} else {
			w.varint(8, 5)
			w.varint(uint64(m.Kind-wire.Success), 5)
			w.out = append(w.out, m.Key[:]...)
		}
		switch m.Kind {
		case wire.Success:
			w.varint(uint64(len(m.Data)), 10)
			w.out = append(w.out, m.Data...)
		case wire.ErrorReply:
			w.varint(uint64(len(m.Reason)), 10)
			w.out = append(w.out, m.Reason...)
		}
		var got wire.Message
		if end, err := wire.DecodeMessage(w.out, &got); err != nil || end != len(w.out) || !equal(got, m) {
			rt.Fatalf("%x: ends at %d: %+v, %v; want %+v", w.out, end, got, err, m)
		}
		if encoded := wire.AppendMessage(nil, &got); len(encoded) != len(w.out)-w.extra {
			rt.Fatalf("encoded to %d bytes, want %d", len(encoded), len(w.out)-w.extra)
		}
		sameMessage(t, w.out)
	})
}

// overlong writes varints with a drawn number of bytes that add nothing.
type overlong struct {
	t     *rapid.T
	out   []byte
	extra int
}

func (w *overlong) varint(v uint64, most int) {
	start := len(w.out)
	for ; v > 127; v >>= 7 {
		w.out = append(w.out, byte(v)|128)
	}
	w.out = append(w.out, byte(v))
	for n := rapid.IntRange(0, most-(len(w.out)-start)).Draw(w.t, "overlong"); n > 0; n-- {
		w.out[len(w.out)-1] |= 128
		w.out = append(w.out, 0)
		w.extra++
	}
}

// No prefix of a message decodes: each is truncated. Each tail leaves the value as
// it was (WIR-3, WIR-5).
func TestPrefixesAndTails(t *testing.T) {
	for _, m := range oneOfEach() {
		m.AsksBusy = false
		whole := wire.AppendMessage(nil, &m)
		for n := range whole {
			var got wire.Message
			if end, err := wire.DecodeMessage(whole[:n], &got); !errors.Is(err, wire.ErrTruncated) || end != 0 || !equal(got, wire.Message{}) {
				t.Fatalf("%v cut to %d bytes: ends at %d, %+v, %v", m.Kind, n, end, got, err)
			}
			sameMessage(t, whole[:n])
		}
	}
}

// What is not UTF-8 cannot be sent: it is replaced, by either encoder, alike.
func TestReasonIsMended(t *testing.T) {
	const broken = "no\xff\xfespace"
	want := wire.AppendError(nil, 1, wire.Key{}, "no\uFFFDspace")
	if got := wire.AppendError(nil, 1, wire.Key{}, broken); !bytes.Equal(got, want) {
		t.Errorf("AppendError: %q, want %q", got, want)
	}
	m := wire.Message{RequestID: 1, Kind: wire.ErrorReply, Reason: []byte(broken)}
	if got := wire.AppendMessage(nil, &m); !bytes.Equal(got, want) || len(got) != wire.MessageSize(&m) {
		t.Errorf("AppendMessage: %q, want %q", got, want)
	}
	if string(m.Reason) != broken || !utf8.Valid(want) {
		t.Error("the message was changed")
	}
}

func TestAppendMessagePanicsOnNoKind(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a message of no kind was encoded")
		}
	}()
	wire.AppendMessage(nil, &wire.Message{})
}

// The convenience encoders and AppendMessage write the same.
func TestAppendersAgree(t *testing.T) {
	k := wire.KeyOf([]byte("hello"))
	want := [][]byte{
		wire.AppendRequest(nil, 300, k, true),
		wire.AppendSuccess(nil, 1, k, []byte("hello")),
		wire.AppendNotFound(nil, 1<<64-1, k),
		wire.AppendError(nil, 0, k, "disk"),
		wire.AppendBusy(nil, 128, k),
	}
	for i, m := range oneOfEach() {
		if got := wire.AppendMessage(nil, &m); !bytes.Equal(got, want[i]) {
			t.Errorf("%v: %x, want %x", m.Kind, got, want[i])
		}
	}
}
