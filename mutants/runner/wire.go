package main

import (
	"fmt"
	"sync"

	wirevectors "fetchproof/corpus/wire"
	"fetchproof/impl/wire"
	"fetchproof/impl/wire/wiretest"
	"fetchproof/mutants/worker"
)

// vectorLimit leaves out the vectors that are large only to be too large, in bytes: they take long and catch what the
// package's own tests do.
const vectorLimit = 64 << 10

// The vectors, expanded once a process.
var (
	parsedMessages  = sync.OnceValues(wirevectors.Messages)
	parsedEnvelopes = sync.OnceValues(wirevectors.Envelopes)
)

// vectors holds the decoders against the wire vectors and the reference decoders; a check is a vector's id.
func vectors(p worker.Params) *worker.Failure {
	messages, err := parsedMessages()
	if err != nil {
		return &worker.Failure{Check: "vectors", Message: err.Error()}
	}
	envelopes, err := parsedEnvelopes()
	if err != nil {
		return &worker.Failure{Check: "vectors", Message: err.Error()}
	}
	for i := range messages {
		v := &messages[i]
		if len(v.Bytes) > vectorLimit || p.Check != "" && p.Check != v.ID {
			continue
		}
		if err := checkMessage(v); err != nil {
			return &worker.Failure{Check: v.ID, Message: err.Error(), Steps: i + 1}
		}
	}
	verifier := wire.NewVerifier(4)
	for i := range envelopes {
		v := &envelopes[i]
		if len(v.Bytes) > vectorLimit || p.Check != "" && p.Check != v.ID {
			continue
		}
		if _, err := verifier.Open(v.Bytes); wire.ClassOf(err).String() != v.Verdict {
			return &worker.Failure{Check: v.ID, Message: fmt.Sprintf("%v, want %s", err, v.Verdict), Steps: len(messages) + i + 1}
		}
	}
	return nil
}

// checkMessage holds one vector against its verdict, the reference, and its own encoding.
func checkMessage(v *wirevectors.Message) error {
	var m wire.Message
	end, err := wire.DecodeMessage(v.Bytes, &m)
	if got := wire.ClassOf(err).String(); got != v.Now {
		return fmt.Errorf("%v, want %s", err, v.Now)
	}
	if err := wiretest.Compare(v.Bytes, decode); err != nil {
		return err
	}
	if err != nil {
		return nil
	}
	var again wire.Message
	encoded := wire.AppendMessage(nil, &m)
	if len(encoded) != wire.MessageSize(&m) {
		return fmt.Errorf("encodes to %d bytes, said %d", len(encoded), wire.MessageSize(&m))
	}
	n, err := wire.DecodeMessage(encoded, &again)
	if err != nil || n > end || again.RequestID != m.RequestID || again.Kind != m.Kind || again.Key != m.Key || again.AsksBusy != m.AsksBusy ||
		string(again.Data) != string(m.Data) || string(again.Reason) != string(m.Reason) {
		return fmt.Errorf("encoded and decoded again: %v", err)
	}
	return nil
}

// decode puts the decoder into the reference's terms.
func decode(input []byte) (wiretest.Message, string) {
	var m wire.Message
	end, err := wire.DecodeMessage(input, &m)
	if err != nil {
		return wiretest.Message{}, wire.ClassOf(err).String()
	}
	got := wiretest.Message{
		RequestID: m.RequestID, Key: m.Key[:], Data: m.Data, Reason: string(m.Reason), Capable: m.AsksBusy, Tail: input[end:],
	}
	if m.Kind != wire.FetchRequest {
		variant := uint64(m.Kind - wire.Success)
		got.Response = &variant
	}
	return got, wiretest.OK
}
