package fuzz

import (
	"bytes"
	"testing"

	wirevectors "fetchproof/corpus/wire"
	"fetchproof/impl/wire"
	"fetchproof/impl/wire/wiretest"
)

// seedLimit keeps the vectors that are large only to be too large out of the
// fuzzer's corpus, in bytes: mutating 10 MiB finds nothing and takes for ever.
const seedLimit = 16 << 10

// seedMessages gives every small message vector to add.
func seedMessages(f *testing.F, add func(v wirevectors.Message)) {
	f.Helper()
	all, err := wirevectors.Messages()
	if err != nil {
		f.Fatal(err)
	}
	for _, v := range all {
		if len(v.Bytes) <= seedLimit {
			add(v)
		}
	}
}

// FuzzMessage holds the decoder of now, on any input, against the reference and
// against the mirror from before; and what decodes must encode to itself if it
// was canonical, and to the same value in any case (WIR-1 to WIR-6).
func FuzzMessage(f *testing.F) {
	seedMessages(f, func(v wirevectors.Message) { f.Add(v.Bytes) })
	f.Fuzz(func(t *testing.T, input []byte) {
		original := bytes.Clone(input)
		if err := wiretest.Compare(input, wiretest.Production); err != nil {
			t.Errorf("%x: %v", input, err)
		}
		checkRequest(t, input)
		checkReencoding(t, input)
		if !bytes.Equal(input, original) {
			t.Errorf("%x: the decoder wrote into its input", original)
		}
	})
}

// checkRequest holds the responder's decoder against the reference.
func checkRequest(t *testing.T, input []byte) {
	var r wire.Request
	end, err := wire.DecodeRequest(input, &r)
	ref, verdict := wiretest.Reference(input)
	got := wire.ClassOf(err)
	switch {
	case got == wire.ClassNotRequest:
		// It stops at the variant, so only that the input is no request is known.
		if verdict == wiretest.OK && ref.Response == nil {
			t.Errorf("%x: a request was taken for a response", input)
		}
	case got.String() != verdict:
		t.Errorf("%x: the request decoder says %v, the reference %s", input, err, verdict)
	case err != nil:
		if end != 0 || r != (wire.Request{}) {
			t.Errorf("%x: refused, and yet %+v", input, r)
		}
	case ref.Response != nil || r.RequestID != ref.RequestID || !bytes.Equal(r.Key[:], ref.Key) ||
		r.AsksBusy != ref.Capable || !bytes.Equal(input[end:], ref.Tail):
		t.Errorf("%x: %+v ends at %d; want %+v", input, r, end, ref)
	}
}

// checkReencoding encodes what was decoded. The result is never longer, decodes to
// the same, and is the input itself if that was no longer.
func checkReencoding(t *testing.T, input []byte) {
	var m wire.Message
	end, err := wire.DecodeMessage(input, &m)
	if err != nil {
		return
	}
	canonical := wire.AppendMessage(nil, &m)
	if len(canonical) != wire.MessageSize(&m) {
		t.Errorf("%x: encodes to %d bytes, said %d", input, len(canonical), wire.MessageSize(&m))
	}
	body := len(canonical)
	if m.AsksBusy {
		body -= len(trailer)
	}
	if body > end || body == end && !bytes.Equal(canonical[:body], input[:end]) {
		t.Errorf("%x: encodes to %x", input, canonical)
	}
	var again wire.Message
	n, err := wire.DecodeMessage(canonical, &again)
	if err != nil || n != body || again.RequestID != m.RequestID || again.Kind != m.Kind || again.Key != m.Key ||
		again.AsksBusy != m.AsksBusy || !bytes.Equal(again.Data, m.Data) || !bytes.Equal(again.Reason, m.Reason) {
		t.Errorf("%x: encoded to %x, decodes to %+v, %v; want %+v", input, canonical, again, err, m)
	}
}

var trailer = []byte("antf\x01")

// FuzzTrailer puts any tail behind any good request and behind any good response.
// A tail is a capability only behind a request and if it is exactly one trailer
// with the bit set; it never changes what was decoded, nor what a decoder from
// before reads (WIR-3, WIR-4).
func FuzzTrailer(f *testing.F) {
	seedMessages(f, func(v wirevectors.Message) {
		if m, verdict := wiretest.Reference(v.Bytes); verdict == wiretest.OK {
			f.Add(m.RequestID, m.Key, m.Tail)
		}
	})
	f.Fuzz(func(t *testing.T, id uint64, keyBytes, tail []byte) {
		var key wire.Key
		copy(key[:], keyBytes)
		want := len(tail) == 5 && bytes.Equal(tail[:4], trailer[:4]) && tail[4]&1 == 1
		for _, m := range []wire.Message{
			{RequestID: id, Kind: wire.FetchRequest, Key: key},
			{RequestID: id, Kind: wire.Success, Key: key, Data: keyBytes},
			{RequestID: id, Kind: wire.NotFound, Key: key},
			{RequestID: id, Kind: wire.ErrorReply, Key: key, Reason: bytes.ToValidUTF8(keyBytes, nil)},
			{RequestID: id, Kind: wire.Busy, Key: key},
		} {
			head := wire.AppendMessage(nil, &m)
			input := append(bytes.Clone(head), tail...)
			var got wire.Message
			end, err := wire.DecodeMessage(input, &got)
			if err != nil || end != len(head) {
				t.Errorf("%v with tail %x: ends at %d of %d: %v", m.Kind, tail, end, len(head), err)
			}
			if got.AsksBusy != (want && m.Kind == wire.FetchRequest) {
				t.Errorf("%v with tail %x: asks for busy: %t", m.Kind, tail, got.AsksBusy)
			}
			if err := wiretest.Compare(input, wiretest.Production); err != nil {
				t.Errorf("%v with tail %x: %v", m.Kind, tail, err)
			}
		}
	})
}
