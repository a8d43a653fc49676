package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"fetchproof/impl/wire"
)

// decoder is one of the four, with what it decodes into.
type decoder struct {
	name   string
	into   any // a pointer
	decode func(buf []byte) error
	views  func() map[string][]byte // what it hands out of buf
}

func decoders() []decoder {
	var m wire.Message
	var r wire.Request
	var o wire.Outer
	var in wire.Inner
	return []decoder{
		{"message", &m, func(buf []byte) error { _, err := wire.DecodeMessage(buf, &m); return err }, func() map[string][]byte {
			return map[string][]byte{"data": m.Data, "reason": m.Reason}
		}},
		{"request", &r, func(buf []byte) error { _, err := wire.DecodeRequest(buf, &r); return err }, func() map[string][]byte { return nil }},
		{"outer", &o, func(buf []byte) error { return wire.DecodeOuter(buf, &o) }, func() map[string][]byte {
			return map[string][]byte{
				"protocol": o.Protocol, "envelope": o.Data, "from": o.From, "user agent": o.UserAgent,
				"public key": o.PublicKey, "signature": o.Signature, "signed": o.Signed(),
			}
		}},
		{"inner", &in, func(buf []byte) error { return wire.DecodeInner(buf, &in) }, func() map[string][]byte {
			return map[string][]byte{"payload": in.Payload}
		}},
	}
}

// inputs are good inputs of the decoder with that name.
func inputs(t *testing.T, name string) (out [][]byte) {
	t.Helper()
	k := wire.KeyOf([]byte("hello"))
	sealed := seal(t, wire.NewSigner([32]byte{7}), wire.AppendRequest(nil, 1, k, true))
	switch name {
	case "message":
		for _, m := range oneOfEach() {
			out = append(out, wire.AppendMessage(nil, &m))
		}
	case "request":
		out = append(out, wire.AppendRequest(nil, 300, k, false), wire.AppendRequest(nil, 300, k, true))
	case "outer":
		out = append(out, sealed)
	case "inner":
		var o wire.Outer
		if err := wire.DecodeOuter(sealed, &o); err != nil {
			t.Fatal(err)
		}
		out = append(out, bytes.Clone(o.Data))
	}
	return out
}

// What a decoder hands out is the caller's buffer: it changes with it, and ends
// where it ends, so that appending to it leaves the buffer alone. Decoding writes
// nothing to it.
func TestViews(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range decoders() {
		for _, input := range inputs(t, d.name) {
			buf := append(bytes.Clone(input), "tail"...)
			if err := d.decode(buf); err != nil {
				t.Fatalf("%s: %v", d.name, err)
			}
			if !bytes.HasPrefix(buf, input) || !bytes.HasSuffix(buf, []byte("tail")) {
				t.Errorf("%s: decoding wrote into its input", d.name)
			}
			for what, view := range d.views() {
				if len(view) == 0 {
					continue
				}
				seen[what] = true
				if cap(view) != len(view) {
					t.Errorf("%s, %s: a view of %d bytes reaches %d bytes far", d.name, what, len(view), cap(view))
				}
				before := bytes.Clone(view)
				for i := range buf {
					buf[i] ^= 0xff
				}
				if bytes.Equal(view, before) {
					t.Errorf("%s, %s: it is a copy", d.name, what)
				}
				for i := range buf {
					buf[i] ^= 0xff
				}
			}
		}
	}
	if len(seen) != 10 {
		t.Errorf("only %d views were seen: %v", len(seen), seen)
	}
}

// A clone is the same message and shares no byte with it, whatever it holds.
func TestCloneSharesNothing(t *testing.T) {
	for _, m := range append(oneOfEach(), wire.Message{Kind: wire.Success, Data: []byte("data"), Reason: []byte("reason")}) {
		buf := wire.AppendMessage(nil, &m)
		var view wire.Message
		if _, err := wire.DecodeMessage(buf, &view); err != nil {
			t.Fatal(err)
		}
		for name, original := range map[string]*wire.Message{"decoded": &view, "made by hand": &m} {
			c := original.Clone()
			if !reflect.DeepEqual(c, *original) {
				t.Errorf("%v, %s: cloned to %+v", m.Kind, name, c)
			}
			data, reason := bytes.Clone(c.Data), bytes.Clone(c.Reason)
			clear(original.Data)
			clear(original.Reason)
			if !bytes.Equal(c.Data, data) || !bytes.Equal(c.Reason, reason) {
				t.Errorf("%v, %s: the clone went with the original: %q %q", m.Kind, name, c.Data, c.Reason)
			}
			copy(original.Data, data)
			copy(original.Reason, reason)
		}
	}
}

// Whatever a target held, after a failure it holds nothing: neither what was
// there, nor what was read before the field that was refused.
func TestFailureLeavesNothing(t *testing.T) {
	oversized := make([]byte, wire.MaxEnvelope+1) // of zeros: an inner envelope's id is then no id
	for _, d := range decoders() {
		failed := map[wire.Class]int{}
		for _, input := range inputs(t, d.name) {
			try := func(bad []byte) {
				if err := d.decode(input); err != nil {
					t.Fatalf("%s: %v", d.name, err)
				}
				err := d.decode(bad)
				if err == nil {
					return
				}
				failed[wire.ClassOf(err)]++
				if !reflect.ValueOf(d.into).Elem().IsZero() {
					t.Errorf("%s: refused (%v), and yet something is left in the %T", d.name, err, d.into)
				}
				var at *wire.DecodeError
				if !errors.As(err, &at) || wire.ClassOf(err) == wire.ClassOther {
					t.Errorf("%s: %v is no decode error", d.name, err)
				}
			}
			try(oversized)
			for n := range input {
				try(input[:n])
			}
			for n := range min(len(input), 300) {
				for _, b := range []byte{0x00, 0x80, 0xff} {
					bad := bytes.Clone(input)
					bad[n] = b
					try(bad)
				}
			}
		}
		if failed[wire.ClassTruncated] == 0 || len(failed) < 2 {
			t.Errorf("%s failed only so: %v", d.name, failed)
		}
	}
	for _, v := range messageVectors(t) {
		for _, d := range decoders()[:2] {
			if err := d.decode(v.Bytes); err != nil && !reflect.ValueOf(d.into).Elem().IsZero() {
				t.Errorf("%s, vector %s: refused, and yet %+v", d.name, v.ID, d.into)
			}
		}
	}
}

// An envelope that is refused, at whatever point, gives away nothing of what it
// says, nor who sent it (WIR-9).
func TestRefusedEnvelopeSaysNothing(t *testing.T) {
	v := wire.NewVerifier(0)
	refused := map[wire.Class]bool{}
	for _, vector := range envelopeVectors(t) {
		e, err := v.Open(vector.Bytes)
		if err == nil {
			continue
		}
		refused[wire.ClassOf(err)] = true
		var at *wire.DecodeError
		if !errors.As(err, &at) {
			t.Errorf("%s: %v is no decode error", vector.ID, err)
		}
		if !reflect.ValueOf(e).IsZero() {
			t.Errorf("%s: refused (%v), and yet %+v", vector.ID, err, e)
		}
	}
	for _, c := range []wire.Class{
		wire.ClassTruncated, wire.ClassBadVarint, wire.ClassBadUTF8, wire.ClassBadBool, wire.ClassOversized, wire.ClassProtocol,
		wire.ClassPublicKey, wire.ClassSender, wire.ClassSignature, wire.ClassMessageID,
	} {
		if !refused[c] && c != wire.ClassOversized { // which takes 10 MiB
			t.Errorf("no vector is refused as %v", c)
		}
	}
	if e, err := v.Open(make([]byte, wire.MaxEnvelope+1)); !errors.Is(err, wire.ErrOversized) || !reflect.ValueOf(e).IsZero() {
		t.Errorf("%v, %+v", err, e)
	}
}

// Every encoder appends to the buffer that it is given, in place where there is
// room, and leaves alone what the buffer holds and what it is to encode.
func TestEncodersAppend(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	k := wire.KeyOf([]byte("hello"))
	record := wire.Message{RequestID: 300, Kind: wire.Success, Key: k, Data: []byte("record")}
	refusal := wire.Message{RequestID: 300, Kind: wire.ErrorReply, Key: k, Reason: []byte("no\xff")}
	parts := [][]byte{[]byte("pay"), []byte("load")}
	must := func(b []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, encode := range map[string]func(dst []byte) []byte{
		"AppendRequest":          func(dst []byte) []byte { return wire.AppendRequest(dst, 300, k, true) },
		"AppendSuccess":          func(dst []byte) []byte { return wire.AppendSuccess(dst, 300, k, record.Data) },
		"AppendNotFound":         func(dst []byte) []byte { return wire.AppendNotFound(dst, 300, k) },
		"AppendError":            func(dst []byte) []byte { return wire.AppendError(dst, 300, k, "no\xff") },
		"AppendBusy":             func(dst []byte) []byte { return wire.AppendBusy(dst, 300, k) },
		"AppendMessage":          func(dst []byte) []byte { return wire.AppendMessage(dst, &record) },
		"AppendMessage, refusal": func(dst []byte) []byte { return wire.AppendMessage(dst, &refusal) },
		"AppendText":             func(dst []byte) []byte { return must(testID.AppendText(dst)) },
		"AppendSignature":        func(dst []byte) []byte { return s.AppendSignature(dst, record.Data) },
		"Seal":                   func(dst []byte) []byte { return must(wire.Seal(dst, s, header(), parts...)) },
		"SealMessage":            func(dst []byte) []byte { return must(wire.SealMessage(dst, s, header(), &record)) },
	} {
		want := encode(nil)
		for _, room := range []int{0, 1, len(want) - 1, len(want), len(want) + 100} {
			dst := append(make([]byte, 0, 4+room), "keep"...)
			got := encode(dst)
			if string(got) != "keep"+string(want) || string(dst) != "keep" {
				t.Errorf("%s, with room for %d of %d: %d bytes behind %q", name, room, len(want), len(got)-4, got[:4])
			}
			if inPlace := &got[0] == &dst[0]; inPlace != (room >= len(want)) {
				t.Errorf("%s, with room for %d of %d: in place %v", name, room, len(want), inPlace)
			}
		}
	}
	if string(record.Data) != "record" || string(refusal.Reason) != "no\xff" || string(bytes.Join(parts, nil)) != "payload" {
		t.Errorf("an encoder wrote to what it encoded: %q %q %q", record.Data, refusal.Reason, parts)
	}
}

// A signature may go behind its own message, with room or without.
func TestSignatureBehindItsMessage(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	message := []byte("what is signed")
	want := s.AppendSignature(nil, message)
	for _, room := range []int{0, wire.SignatureSize} {
		buf := append(make([]byte, 0, len(message)+room), message...)
		got := s.AppendSignature(buf, buf)
		if !bytes.Equal(got[:len(message)], message) || !bytes.Equal(got[len(message):], want) {
			t.Errorf("with room for %d it is another", room)
		}
		overlap := s.AppendSignature(buf[:4], buf)
		if !bytes.Equal(overlap[4:], want) {
			t.Errorf("over its own message, with room for %d, it is another", room)
		}
	}
}

// One signer serves many goroutines, each with its own signature.
func TestSignConcurrently(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	var want [8][]byte
	for i := range want {
		want[i] = s.AppendSignature(nil, []byte{byte(i)})
	}
	var wg sync.WaitGroup
	for g := range want {
		wg.Go(func() {
			for i := range want {
				n := (g + i) % len(want)
				if got := s.AppendSignature(nil, []byte{byte(n)}); !bytes.Equal(got, want[n]) {
					t.Errorf("message %d has another signature", n)
				}
				if public := s.PublicKey(); s.ID() != wire.PeerOf(public[:]) {
					t.Error("the identity changed")
				}
			}
		})
	}
	wg.Wait()
}

// What a verifier remembers is its own: the buffers that it opened may be used
// again at once.
func TestVerifierKeepsNothing(t *testing.T) {
	v := wire.NewVerifier(2)
	sealed := [2][]byte{seal(t, wire.NewSigner([32]byte{1}), []byte("one")), seal(t, wire.NewSigner([32]byte{2}), []byte("two"))}
	buf := make([]byte, max(len(sealed[0]), len(sealed[1])))
	for round := range 4 { // each key is new, then remembered
		n := copy(buf, sealed[round%2])
		e, err := v.Open(buf[:n])
		if err != nil || e.From != wire.NewSigner([32]byte{byte(1 + round%2)}).ID() {
			t.Fatalf("round %d: %v, from %v", round, err, e.From)
		}
		clear(buf)
	}
	// The bytes of the first key are not the second's, whatever buffer they came in.
	forged := bytes.Clone(sealed[0])
	public := wire.NewSigner([32]byte{2}).PublicKey()
	first := wire.NewSigner([32]byte{1}).PublicKey()
	copy(forged[bytes.Index(forged, first[:]):], public[:])
	if _, err := v.Open(forged); !errors.Is(err, wire.ErrSender) {
		t.Errorf("another's key: %v", err)
	}
}

// Of what a peer wrote, an error repeats at most keys, in hex: it is safe to log.
func TestErrorsRepeatNothing(t *testing.T) {
	const marker = "EvilText"
	evil := []byte(strings.Repeat(marker, 40))
	s := wire.NewSigner([32]byte{7})
	k := wire.KeyOf([]byte("hello"))
	h := header()
	h.UserAgent = marker
	sealed, err := wire.Seal(nil, s, h, evil)
	if err != nil {
		t.Fatal(err)
	}
	// Outer envelopes whose fields are all the peer's own words, also behind the right protocol.
	block := func(text string) string { return string(rune(len(text))) + text }
	words := block(marker) + block(marker) + "\x01" + block(marker) + block(marker) + block(marker)
	var texts []string
	keep := func(err error) {
		if err != nil {
			texts = append(texts, fmt.Sprintf("%v %+v %#v", err, err, errors.Unwrap(err)))
		}
	}
	v := wire.NewVerifier(0)
	for _, input := range [][]byte{evil, sealed, []byte(block(marker) + words), []byte(block(wire.Protocol) + words), wire.AppendError(nil, 1, k, marker), wire.AppendSuccess(nil, 1, k, evil)} {
		for n := 0; n <= len(input); n += 1 + n/64 {
			for _, mutate := range []func([]byte){func([]byte) {}, func(b []byte) {
				if n < len(b) {
					b[n] = 0xff
				}
			}} {
				bad := bytes.Clone(input)
				mutate(bad)
				for _, b := range [][]byte{bad, bad[:n]} {
					var m wire.Message
					for _, d := range decoders() {
						keep(d.decode(b))
					}
					_, err := v.Open(b)
					keep(err)
					_, err = wire.DecodeMessage(b, &m)
					keep(wire.Classify(wire.Key{}, &m, err).Err)
				}
			}
		}
	}
	_, err = wire.ParseMessageID(evil[:36])
	keep(err)
	keep(wire.CheckRecord(k, evil))
	if len(texts) < 500 {
		t.Errorf("only %d errors", len(texts))
	}
	for _, text := range texts {
		if strings.Contains(strings.ToLower(text), "evil") || strings.Contains(text, fmt.Sprintf("%x", marker)) {
			t.Fatalf("an error repeats what a peer wrote: %s", text)
		}
	}
}
