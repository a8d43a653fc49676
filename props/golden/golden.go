// Package golden holds the wire format of the built-in implementation against the golden vectors (WIR-1 to WIR-9).
package golden

import (
	"fmt"
	"sync"

	wirevectors "fetchproof/corpus/wire"
	"fetchproof/impl/wire"
	"fetchproof/impl/wire/wiretest"
)

// The vectors, expanded once a process.
var (
	parsedMessages  = sync.OnceValues(wirevectors.Messages)
	parsedEnvelopes = sync.OnceValues(wirevectors.Envelopes)
)

// Miss is a vector on which the implementation is wrong.
type Miss struct {
	ID      string // of the vector
	Message string
	Number  int // of the vector, from 1
}

// Check holds the decoders and encoders against the vectors, their verdicts, and the reference decoders; only, if it is not
// empty, is the id of the one vector to look at, and most how many bytes those looked at may have. It returns how many held, up to the first that did not, if any. An error is
// about the vectors themselves.
func Check(only string, most int) (held int, miss *Miss, err error) {
	messages, err := parsedMessages()
	if err != nil {
		return 0, nil, err
	}
	envelopes, err := parsedEnvelopes()
	if err != nil {
		return 0, nil, err
	}
	wanted := func(id string, bytes []byte) bool { return len(bytes) <= most && (only == "" || only == id) }
	for i := range messages {
		v := &messages[i]
		if !wanted(v.ID, v.Bytes) {
			continue
		}
		if err := checkMessage(v); err != nil {
			return held, &Miss{v.ID, err.Error(), i + 1}, nil
		}
		held++
	}
	verifier := wire.NewVerifier(4)
	for i := range envelopes {
		v := &envelopes[i]
		if !wanted(v.ID, v.Bytes) {
			continue
		}
		if _, err := verifier.Open(v.Bytes); wire.ClassOf(err).String() != v.Verdict {
			return held, &Miss{v.ID, fmt.Sprintf("%v, want %s", err, v.Verdict), len(messages) + i + 1}, nil
		}
		held++
	}
	return held, nil, nil
}

// checkMessage holds one vector against its verdict, the reference, and its own encoding.
func checkMessage(v *wirevectors.Message) error {
	var m wire.Message
	end, err := wire.DecodeMessage(v.Bytes, &m)
	if got := wire.ClassOf(err).String(); got != v.Now {
		return fmt.Errorf("%v, want %s", err, v.Now)
	}
	if err := wiretest.Compare(v.Bytes, wiretest.Production); err != nil {
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
