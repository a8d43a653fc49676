package fuzz

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/cloudflare/circl/sign/mldsa/mldsa65"

	wirevectors "fetchproof/corpus/wire"
	"fetchproof/impl/wire"
	"fetchproof/impl/wire/wiretest"
)

// envelopeBase is sealed envelopes from a fixed seed for the fuzzer to edit, and
// the means to judge what comes of it.
type envelopeBase struct {
	sealed   [][]byte
	signer   *wire.Signer
	verifier *wire.Verifier
	// public and key are the signer's, unpacked once: the reference would spend
	// its time on nothing else.
	public [wire.PublicKeySize]byte
	key    mldsa65.PublicKey
}

func newEnvelopeBase(tb testing.TB) *envelopeBase {
	b := &envelopeBase{signer: wire.NewSigner([wire.SeedSize]byte{42}), verifier: wire.NewVerifier(4)}
	b.public = b.signer.PublicKey()
	b.key.Unpack(&b.public)
	h := &wire.Header{MessageID: wire.NewMessageID([16]byte{0xab, 0xcd, 0xef}), Timestamp: 1_700_000_000, UserAgent: "fuzz"}
	key := wire.KeyOf([]byte("hello"))
	for _, payload := range [][]byte{
		wire.AppendRequest(nil, 1, key, true),
		wire.AppendSuccess(nil, 1<<40, key, []byte("hello")),
		wire.AppendBusy(nil, 2, key),
	} {
		sealed, err := wire.Seal(nil, b.signer, h, payload)
		if err != nil {
			tb.Fatal(err)
		}
		b.sealed = append(b.sealed, sealed)
		h.IsResponse = true
	}
	return b
}

func (b *envelopeBase) verify(publicKey, message, signature []byte) bool {
	if bytes.Equal(publicKey, b.public[:]) {
		return mldsa65.Verify(&b.key, message, nil, signature)
	}
	return wiretest.Verify(publicKey, message, signature)
}

// FuzzEnvelope opens any bytes, or a good envelope with any edits: flipped bits,
// letters in the other case, bytes put in, cut out, lengths made overlong, the
// signature renewed over whatever the five fields have become. The verdict and the
// content must be the reference's (WIR-8, WIR-9).
func FuzzEnvelope(f *testing.F) {
	base := newEnvelopeBase(f)
	all, err := wirevectors.Envelopes()
	if err != nil {
		f.Fatal(err)
	}
	for _, v := range all {
		if len(v.Bytes) <= seedLimit {
			f.Add(v.Bytes, uint8(0), []byte{})
		}
	}
	for which := range base.sealed {
		for kind := range editKinds {
			f.Add([]byte{}, uint8(which), []byte{byte(kind), 0, 70, 1})
			f.Add([]byte{}, uint8(which), []byte{byte(kind), 0, 0, 2, resign, 0, 0, 0})
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, which uint8, edits []byte) {
		input := bytes.Clone(raw)
		if len(raw) == 0 {
			input = base.edited(base.sealed[int(which)%len(base.sealed)], edits)
		}
		base.check(t, input)
	})
}

// check holds the production code against the reference.
func (b *envelopeBase) check(t *testing.T, input []byte) {
	original := bytes.Clone(input)
	got, err := b.verifier.Open(input)
	want, verdict := wiretest.Open(input, wire.MaxEnvelope, b.verify)
	switch {
	case wire.ClassOf(err).String() != verdict:
		t.Errorf("%x: %v, reference %s", input, err, verdict)
	case err != nil:
		if !reflect.ValueOf(got).IsZero() {
			t.Errorf("%x: refused, and yet %+v", input, got)
		}
	case got.From.String() != want.From || got.Timestamp != want.Timestamp || string(got.UserAgent) != want.UserAgent ||
		got.MessageID.String() != want.MessageID || got.IsResponse != want.IsResponse || !bytes.Equal(got.Payload, want.Payload):
		t.Errorf("%x: opened %+v, reference %+v", input, got, want)
	}
	if !bytes.Equal(input, original) {
		t.Errorf("%x: Open wrote into its input", original)
	}
}

// An edit is four bytes: what to do, where (two bytes, modulo the length) and
// with what.
const (
	flip     = iota // a bit
	swapCase        // of a letter
	insert          // a byte, after that
	remove          // up to 255 bytes
	overlong        // a varint that ends here gets a byte that adds nothing
	truncate        // what follows, up to 64 KiB
	resign          // as the five fields now are
	editKinds
)

// edited applies edits to a copy of an envelope. Every byte string is a list of
// edits; what is left over at its end is ignored.
func (b *envelopeBase) edited(sealed, edits []byte) []byte {
	out := bytes.Clone(sealed)
	for ; len(edits) >= 4 && len(out) > 0; edits = edits[4:] {
		at := int(binary.BigEndian.Uint16(edits[1:])) % len(out)
		with := edits[3]
		switch edits[0] % editKinds {
		case flip:
			out[at] ^= 1 << (with % 8)
		case swapCase:
			if letter := out[at] | 0x20; 'a' <= letter && letter <= 'z' {
				out[at] ^= 0x20
			}
		case insert:
			out = append(out[:at+1:at+1], append([]byte{with}, out[at+1:]...)...)
		case remove:
			out = append(out[:at:at], out[min(len(out), at+int(with)):]...)
		case overlong:
			out[at] |= 0x80
			out = append(out[:at+1:at+1], append([]byte{0}, out[at+1:]...)...)
		case truncate:
			out = out[:at]
		case resign:
			out = b.resigned(out)
		}
	}
	return out
}

// resigned puts a fresh signature over the five fields, in their canonical form,
// if there still are five and a signature.
func (b *envelopeBase) resigned(out []byte) []byte {
	var o wire.Outer
	if wire.DecodeOuter(out, &o) != nil || len(o.Signature) != wire.SignatureSize {
		return out
	}
	signature := b.signer.AppendSignature(nil, o.Signed())
	copy(o.Signature, signature) // a view of out
	return out
}
