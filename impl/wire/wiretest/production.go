package wiretest

import "fetchproof/impl/wire"

// Production is what the decoder under test makes of a message, in the reference's
// terms, for Compare.
func Production(input []byte) (Message, string) {
	var m wire.Message
	end, err := wire.DecodeMessage(input, &m)
	if err != nil {
		return Message{}, wire.ClassOf(err).String()
	}
	got := Message{
		RequestID: m.RequestID, Key: m.Key[:], Data: m.Data, Reason: string(m.Reason),
		Capable: m.AsksBusy, Tail: input[end:],
	}
	if m.Kind != wire.FetchRequest {
		variant := uint64(m.Kind - wire.Success)
		got.Response = &variant
	}
	return got, OK
}
