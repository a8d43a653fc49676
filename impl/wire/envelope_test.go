package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"fetchproof/impl/wire"
	"fetchproof/impl/wire/wiretest"
)

var testID = wire.NewMessageID([16]byte{1, 2, 3, 4, 5, 6, 0xff, 8, 0xff, 10, 11, 12, 13, 14, 15, 16})

func header() *wire.Header {
	return &wire.Header{MessageID: testID, IsResponse: true, Timestamp: 1_700_000_000, UserAgent: "test/1"}
}

func seal(t testing.TB, s *wire.Signer, payload ...[]byte) []byte {
	t.Helper()
	sealed, err := wire.Seal(nil, s, header(), payload...)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// overlongOuter is the envelope with the protocol's length in two bytes.
func overlongOuter(t testing.TB, sealed []byte) []byte {
	t.Helper()
	if sealed[0] != 31 {
		t.Fatal("the protocol has another length")
	}
	return append([]byte{31 | 0x80, 0}, sealed[1:]...)
}

// What is sealed opens to the same, with the reference too; a message sealed in
// place gives the same bytes as one that was encoded before (WIR-6, WIR-8).
func TestSealOpen(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	v := wire.NewVerifier(0)
	rapid.Check(t, func(rt *rapid.T) {
		h := &wire.Header{
			MessageID:  wire.NewMessageID([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(rt, "id"))),
			IsResponse: rapid.Bool().Draw(rt, "response"),
			Timestamp:  drawUint64(rt, "timestamp"),
			UserAgent:  rapid.String().Draw(rt, "agent"),
		}
		m := drawMessage(rt)
		payload := wire.AppendMessage(nil, &m)
		sealed, err := wire.SealMessage([]byte("x"), s, h, &m)
		if err != nil {
			rt.Fatal(err)
		}
		cut := rapid.IntRange(0, len(payload)).Draw(rt, "cut")
		parts, err := wire.Seal([]byte("x"), s, h, payload[:cut], nil, payload[cut:])
		if err != nil || !bytes.Equal(parts, sealed) {
			rt.Fatalf("sealed in parts: %v, the same: %t", err, bytes.Equal(parts, sealed))
		}
		e, err := v.Open(sealed[1:])
		if err != nil {
			rt.Fatal(err)
		}
		if e.From != s.ID() || e.Timestamp != h.Timestamp || string(e.UserAgent) != h.UserAgent ||
			e.MessageID != h.MessageID || e.IsResponse != h.IsResponse || !bytes.Equal(e.Payload, payload) {
			rt.Fatalf("opened %+v, sealed %+v", e, h)
		}
		ref, verdict := wiretest.Open(sealed[1:], wire.MaxEnvelope, wiretest.Verify)
		if verdict != wiretest.OK || !sameEnvelope(e, ref) {
			rt.Fatalf("reference: %s, %+v, want %+v", verdict, ref, e)
		}
	})
}

// Seal refuses what Open would, and leaves the buffer alone.
func TestSealRefuses(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	dst := []byte("keep")
	for name, c := range map[string]struct {
		change  func(*wire.Header)
		payload int
		want    error
	}{
		"payload":    {func(*wire.Header) {}, wire.MaxMessage + 1, wire.ErrOversized},
		"user agent": {func(h *wire.Header) { h.UserAgent = strings.Repeat("a", 64<<10) }, wire.MaxMessage, wire.ErrOversized},
		"message id": {func(h *wire.Header) { h.MessageID = wire.MessageID{} }, 1, wire.ErrMessageID},
		"utf-8":      {func(h *wire.Header) { h.UserAgent = "\xff" }, 1, wire.ErrBadUTF8},
	} {
		h := header()
		c.change(h)
		got, err := wire.Seal(dst, s, h, make([]byte, c.payload))
		if !errors.Is(err, c.want) || string(got) != "keep" {
			t.Errorf("%s: %v, want %v; buffer of %d bytes", name, err, c.want, len(got))
		}
	}
	m := wire.Message{Kind: wire.Success, Data: make([]byte, wire.MaxMessage)}
	if got, err := wire.SealMessage(dst, s, header(), &m); !errors.Is(err, wire.ErrOversized) || string(got) != "keep" {
		t.Errorf("an oversized message: %v", err)
	}
}

// The largest message fits its envelope, and the largest envelope opens.
func TestEnvelopeBound(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	v := wire.NewVerifier(0)
	h := header()
	payload := make([]byte, wire.MaxMessage)
	base, err := wire.Seal(nil, s, h, payload)
	if err != nil {
		t.Fatal(err)
	}
	// The user agent's length grows from one byte to three.
	h.UserAgent += strings.Repeat("a", wire.MaxEnvelope-len(base)-2)
	sealed, err := wire.Seal(nil, s, h, payload)
	if err != nil || len(sealed) != wire.MaxEnvelope {
		t.Fatalf("%d bytes, %v", len(sealed), err)
	}
	if _, err := v.Open(sealed); err != nil {
		t.Errorf("%d bytes: %v", len(sealed), err)
	}
	if _, err := v.Open(append(sealed, 0)); !errors.Is(err, wire.ErrOversized) {
		t.Errorf("a byte more: %v", err)
	}
	h.UserAgent += "a"
	if _, err := wire.Seal(nil, s, h, payload); !errors.Is(err, wire.ErrOversized) {
		t.Errorf("sealing a byte more: %v", err)
	}
}

// Flipping any bit of a sealed envelope makes it refused; so does cutting it
// anywhere (WIR-9).
func TestEveryMutationIsRefused(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	sealed := seal(t, s, wire.AppendRequest(nil, 1, wire.Key{}, true))
	v := wire.NewVerifier(0)
	step := 1
	if testing.Short() {
		step = 17
	}
	for i := 0; i < len(sealed); i += step {
		mutated := bytes.Clone(sealed)
		mutated[i] ^= 1 << (i % 8)
		if _, err := v.Open(mutated); err == nil {
			t.Errorf("bit %d of byte %d does not matter", i%8, i)
		}
		if _, err := v.Open(sealed[:i]); !errors.Is(err, wire.ErrTruncated) {
			t.Errorf("cut to %d bytes: %v", i, err)
		}
	}
}

// from has to be lower-case hex: turning each letter of it upper-case is another
// sender, even when that is what was signed (WIR-8).
func TestUpperCaseSender(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	sealed := seal(t, s, []byte("x"))
	var o wire.Outer
	if err := wire.DecodeOuter(sealed, &o); err != nil {
		t.Fatal(err)
	}
	v := wire.NewVerifier(0)
	at := bytes.Index(sealed, o.From)
	letters := 0
	for i, ch := range o.From {
		if ch < 'a' {
			continue
		}
		letters++
		mutated := bytes.Clone(sealed)
		mutated[at+i] -= 'a' - 'A'
		public := s.PublicKey()
		end := bytes.Index(mutated, public[:]) - 2
		copy(mutated[len(mutated)-wire.SignatureSize:], s.AppendSignature(nil, mutated[:end]))
		if _, err := v.Open(mutated); !errors.Is(err, wire.ErrSender) {
			t.Errorf("digit %d in upper case: %v", i, err)
		}
	}
	if letters == 0 {
		t.Error("the id has no letter; take another seed")
	}
}

// Many goroutines open envelopes of more senders than the cache holds, good and
// bad, and each gets its own verdict.
func TestOpenConcurrently(t *testing.T) {
	const senders = 6
	var good, bad [senders][]byte
	for i := range senders {
		good[i] = seal(t, wire.NewSigner([32]byte{byte(i)}), []byte{byte(i)})
		bad[i] = bytes.Clone(good[i])
		bad[i][len(bad[i])-1] ^= 0x80
	}
	v := wire.NewVerifier(2)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 30 {
				n := (g + i) % senders
				if e, err := v.Open(good[n]); err != nil || e.Payload[0] != byte(n) {
					t.Errorf("good %d: %v", n, err)
				}
				if _, err := v.Open(bad[n]); !errors.Is(err, wire.ErrSignature) {
					t.Errorf("bad %d: %v", n, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestSigner(t *testing.T) {
	seed := [32]byte{1, 2, 3}
	s := wire.NewSigner(seed)
	g, err := wire.GenerateSigner(bytes.NewReader(seed[:]))
	if err != nil || g.ID() != s.ID() || g.Seed() != seed || g.PublicKey() != s.PublicKey() {
		t.Errorf("the same seed gives another identity: %v", err)
	}
	if _, err := wire.GenerateSigner(bytes.NewReader(seed[:31])); err == nil {
		t.Error("31 bytes make a key")
	}
	public := s.PublicKey()
	if s.ID() != wire.PeerOf(public[:]) {
		t.Error("the id is not the key's hash")
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
		for _, shown := range []string{fmt.Sprintf(verb, s), fmt.Sprintf(verb, *s)} {
			if strings.Contains(shown, hex.EncodeToString(seed[:4])) || !strings.Contains(shown, s.ID().String()) {
				t.Errorf("%s shows %s", verb, shown)
			}
		}
	}
}

func TestMessageID(t *testing.T) {
	const want = "01020304-0506-4f08-bf0a-0b0c0d0e0f10"
	if got := testID.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	rapid.Check(t, func(rt *rapid.T) {
		id := wire.NewMessageID([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(rt, "random")))
		text, err := id.AppendText([]byte("x"))
		if err != nil || string(text) != "x"+id.String() {
			rt.Fatalf("%q, %v", text, err)
		}
		if got, err := wire.ParseMessageID(text[1:]); err != nil || got != id {
			rt.Fatalf("%s: %v, %v", text[1:], got, err)
		}
	})
}

// An envelope says which way it goes, and the request in it what was asked for,
// whichever way each was written (WIR-1, WIR-8).
func TestDirectionAndRequest(t *testing.T) {
	s, v := wire.NewSigner([32]byte{7}), wire.NewVerifier(0)
	want := wire.Request{RequestID: 300, Key: wire.KeyOf([]byte("hello")), AsksBusy: true}
	m := wire.Message{RequestID: 300, Kind: wire.FetchRequest, Key: want.Key, AsksBusy: true}
	for _, response := range []bool{false, true} {
		h := header()
		h.IsResponse = response
		sealed, err := wire.SealMessage(nil, s, h, &m)
		if err != nil {
			t.Fatal(err)
		}
		e, err := v.Open(sealed)
		if err != nil || e.IsResponse != response {
			t.Fatalf("a response: %t, opened: %t, %v", response, e.IsResponse, err)
		}
		var r wire.Request
		if end, err := wire.DecodeRequest(e.Payload, &r); err != nil || end != len(e.Payload)-5 || r != want {
			t.Errorf("%+v up to byte %d, %v; want %+v", r, end, err, want)
		}
	}
}
