package wire_test

import (
	"bytes"
	"testing"

	wirevectors "fetchproof/corpus/wire"
	"fetchproof/impl/wire"
	"fetchproof/impl/wire/wiretest"
)

func messageVectors(t testing.TB) []wirevectors.Message {
	t.Helper()
	all, err := wirevectors.Messages()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d message vectors", len(all))
	}
	return all
}

func envelopeVectors(t testing.TB) []wirevectors.Envelope {
	t.Helper()
	all, err := wirevectors.Envelopes()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("only %d envelope vectors", len(all))
	}
	return all
}

// capability is what the decoded message says, as the vectors write it.
func capability(request, asksBusy bool) wirevectors.Capability {
	switch {
	case !request:
		return wirevectors.NotApplicable
	case asksBusy:
		return wirevectors.Yes
	}
	return wirevectors.No
}

// Every vector gets its verdicts and its capability from the decoder of now, from
// the reference and from the mirror of before (WIR-1 to WIR-5).
func TestMessageVectors(t *testing.T) {
	for _, v := range messageVectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			var m wire.Message
			_, err := wire.DecodeMessage(v.Bytes, &m)
			if got := wire.ClassOf(err).String(); got != v.Now {
				t.Errorf("now: %s (%v), want %s: %s", got, err, v.Now, v.Note)
			}
			if got := capability(m.Kind == wire.FetchRequest, m.AsksBusy); got != v.Capability {
				t.Errorf("now: capability %s, want %s: %s", got, v.Capability, v.Note)
			}
			ref, verdict := wiretest.Reference(v.Bytes)
			if verdict != v.Now {
				t.Errorf("reference: %s, want %s: %s", verdict, v.Now, v.Note)
			}
			if got := capability(verdict == wiretest.OK && ref.Response == nil, ref.Capable); got != v.Capability {
				t.Errorf("reference: capability %s, want %s: %s", got, v.Capability, v.Note)
			}
			if _, verdict := wiretest.Before(v.Bytes); verdict != v.Before {
				t.Errorf("before: %s, want %s: %s", verdict, v.Before, v.Note)
			}
			sameMessage(t, v.Bytes)
		})
	}
}

// sameMessage holds what the decoders make of an input against each other.
func sameMessage(t *testing.T, input []byte) {
	t.Helper()
	if err := wiretest.Compare(input, wiretest.Production); err != nil {
		t.Error(err)
	}
}

// A responder's decoder says the same as the general one of every request, and
// refuses every response (WIR-1, WIR-3).
func TestDecodeRequestOnVectors(t *testing.T) {
	for _, v := range messageVectors(t) {
		var m wire.Message
		wantEnd, wantErr := wire.DecodeMessage(v.Bytes, &m)
		var r wire.Request
		end, err := wire.DecodeRequest(v.Bytes, &r)
		switch {
		case wire.ClassOf(err) == wire.ClassNotRequest:
			if wantErr == nil && m.Kind == wire.FetchRequest || end != 0 || r != (wire.Request{}) {
				t.Errorf("%s: a request was taken for a response", v.ID)
			}
		case wire.ClassOf(err) != wire.ClassOf(wantErr) || end != wantEnd:
			t.Errorf("%s: %d, %v; want %d, %v", v.ID, end, err, wantEnd, wantErr)
		case r != wire.Request{RequestID: m.RequestID, Key: m.Key, AsksBusy: m.AsksBusy}:
			t.Errorf("%s: %+v, want %+v", v.ID, r, m)
		}
	}
}

// B30: trailing bytes, accepted unseen by one decoder and fatal to another. Each
// tail of the vectors, behind each kind of message, must be read by the decoder of
// now and by the one from before as the same message, and count as a capability
// only where the vectors say so (WIR-3, WIR-4).
func TestEveryTailBehindEveryKind(t *testing.T) {
	tails := requestTails(t)
	if len(tails) < 15 {
		t.Fatalf("only %d tails", len(tails))
	}
	for tail, want := range tails {
		for _, m := range oneOfEach() {
			m.AsksBusy = false
			input := append(wire.AppendMessage(nil, &m), tail...)
			var got wire.Message
			end, err := wire.DecodeMessage(input, &got)
			if err != nil || end != len(input)-len(tail) {
				t.Fatalf("%v with tail %x: ends at %d of %d: %v", m.Kind, tail, end, len(input), err)
			}
			if capability := m.Kind == wire.FetchRequest && want == wirevectors.Yes; got.AsksBusy != capability {
				t.Errorf("%v with tail %x: asks for busy %t, want %t", m.Kind, tail, got.AsksBusy, capability)
			}
			wantBefore := wiretest.OK
			if m.Kind == wire.Busy {
				wantBefore = wiretest.UnknownVariant
			}
			if _, verdict := wiretest.Before(input); verdict != wantBefore {
				t.Errorf("%v with tail %x before: %s, want %s", m.Kind, tail, verdict, wantBefore)
			}
			sameMessage(t, input)
		}
	}
}

// requestTails is what follows the request in each vector that is one, with the
// capability it gives.
func requestTails(t *testing.T) map[string]wirevectors.Capability {
	tails := map[string]wirevectors.Capability{}
	for _, v := range messageVectors(t) {
		if v.Capability == wirevectors.NotApplicable || len(v.Bytes) > 1<<10 {
			continue
		}
		m, _ := wiretest.Reference(v.Bytes)
		tails[string(m.Tail)] = v.Capability
	}
	return tails
}

// oneOfEach is a message of each kind.
func oneOfEach() []wire.Message {
	k := wire.KeyOf([]byte("hello"))
	return []wire.Message{
		{RequestID: 300, Kind: wire.FetchRequest, Key: k, AsksBusy: true},
		{RequestID: 1, Kind: wire.Success, Key: k, Data: []byte("hello")},
		{RequestID: 1<<64 - 1, Kind: wire.NotFound, Key: k},
		{RequestID: 0, Kind: wire.ErrorReply, Key: k, Reason: []byte("disk")},
		{RequestID: 128, Kind: wire.Busy, Key: k},
	}
}

// Every envelope gets its verdict from the production code and from the
// reference, and the same content (WIR-8, WIR-9).
func TestEnvelopeVectors(t *testing.T) {
	verifier := wire.NewVerifier(0)
	for _, v := range envelopeVectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			ref, verdict := wiretest.Open(v.Bytes, wire.MaxEnvelope, wiretest.Verify)
			if verdict != v.Verdict {
				t.Errorf("reference: %s, want %s: %s", verdict, v.Verdict, v.Note)
			}
			for range 2 { // with the key unknown, if it is the first, and known
				e, err := verifier.Open(v.Bytes)
				if got := wire.ClassOf(err).String(); got != v.Verdict {
					t.Fatalf("%s (%v), want %s: %s", got, err, v.Verdict, v.Note)
				}
				if err == nil && !sameEnvelope(e, ref) {
					t.Fatalf("got %+v, reference %+v", e, ref)
				}
			}
		})
	}
}

func sameEnvelope(e wire.Envelope, ref wiretest.Envelope) bool {
	return e.From.String() == ref.From && e.Timestamp == ref.Timestamp && string(e.UserAgent) == ref.UserAgent &&
		e.MessageID.String() == ref.MessageID && e.IsResponse == ref.IsResponse && bytes.Equal(e.Payload, ref.Payload)
}
