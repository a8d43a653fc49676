package wire_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fetchproof/impl/wire"
)

// fields is an outer envelope to be written field by field.
type fields struct {
	protocol, data, from string
	timestamp            uint64
	agent, key           string
	signature            string
}

// writtenBy are the fields of an envelope that s signed around an inner one.
func writtenBy(s *wire.Signer, inner string) fields {
	public := s.PublicKey()
	f := fields{wire.Protocol, inner, s.ID().String(), 1_700_000_000, "test/1", string(public[:]), ""}
	buf, at := f.write()
	f.signature = string(s.AppendSignature(nil, buf[:at["public key length"]]))
	return f
}

// write is the envelope, and where each field begins, by what errors call it.
func (f fields) write() (out []byte, at map[string]int) {
	at = map[string]int{}
	block := func(what, s string) {
		at[what] = len(out)
		out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
	}
	block("protocol", f.protocol)
	block("envelope data", f.data)
	block("from", f.from)
	at["timestamp"] = len(out)
	out = binary.AppendUvarint(out, f.timestamp)
	block("user agent", f.agent)
	block("public key length", f.key)
	block("signature", f.signature)
	at["signature length"] = at["signature"]
	return out, at
}

// refusedAt wants an error that names the field and where it begins.
func refusedAt(t *testing.T, name string, err, why error, what string, offset int) {
	t.Helper()
	var got *wire.DecodeError
	if want := (wire.DecodeError{What: what, Offset: offset, Err: why}); !errors.As(err, &got) || *got != want {
		t.Errorf("%s: %v; want %v", name, err, &want)
	}
}

// An envelope that is refused names the field for which it is, and where that
// begins: in the envelope, or in the inner one for what stands there.
func TestEnvelopeErrorPlace(t *testing.T) {
	const id = "\x2401020304-0506-4f08-bf0a-0b0c0d0e0f10"
	s := wire.NewSigner([32]byte{7})
	good := writtenBy(s, id+"\x01\x03abc")
	buf, _ := good.write()
	if e, err := wire.NewVerifier(0).Open(buf); err != nil || string(e.Payload) != "abc" {
		t.Fatalf("not even the good one opens: %v", err)
	}
	for name, c := range map[string]struct {
		change func(*fields)
		err    error
		what   string
	}{
		"protocol":         {func(f *fields) { f.protocol = "other" }, wire.ErrProtocol, "protocol"},
		"protocol, bytes":  {func(f *fields) { f.protocol = "\xff" }, wire.ErrBadUTF8, "protocol"},
		"from":             {func(f *fields) { f.from = strings.ToUpper(f.from) }, wire.ErrSender, "from"},
		"from, bytes":      {func(f *fields) { f.from = "\xff" }, wire.ErrBadUTF8, "from"},
		"agent, bytes":     {func(f *fields) { f.agent = "\xff" }, wire.ErrBadUTF8, "user agent"},
		"key":              {func(f *fields) { f.key = f.key[1:] }, wire.ErrPublicKey, "public key length"},
		"signature, short": {func(f *fields) { f.signature = f.signature[1:] }, wire.ErrSignature, "signature length"},
		"signature":        {func(f *fields) { f.timestamp++ }, wire.ErrSignature, "signature"},
	} {
		f := good
		c.change(&f)
		buf, at := f.write()
		_, err := wire.NewVerifier(0).Open(buf)
		refusedAt(t, name, err, c.err, c.what, at[c.what])
	}
	for name, c := range map[string]struct {
		inner  string
		err    error
		what   string
		offset int
	}{
		"id":      {"\x03abc\x01\x00", wire.ErrMessageID, "message id", 0},
		"no flag": {id, wire.ErrTruncated, "is-response flag", 37},
		"flag":    {id + "\x02\x00", wire.ErrBadBool, "is-response flag", 37},
		"payload": {id + "\x00\x02a", wire.ErrTruncated, "payload", 38},
	} {
		buf, _ := writtenBy(s, c.inner).write()
		_, err := wire.NewVerifier(0).Open(buf)
		refusedAt(t, name, err, c.err, c.what, c.offset)
	}
}

// So does everything else that refuses bytes: where there is no input the place
// is its beginning.
func TestErrorPlace(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	public := s.PublicKey()
	signature := s.AppendSignature(nil, []byte("m"))
	v := wire.NewVerifier(0)
	refusedAt(t, "a short key", v.Verify(public[1:], []byte("m"), signature), wire.ErrPublicKey, "public key length", 0)
	refusedAt(t, "a short signature", v.Verify(public[:], []byte("m"), signature[1:]), wire.ErrSignature, "signature length", 0)
	refusedAt(t, "another message", v.Verify(public[:], []byte("n"), signature), wire.ErrSignature, "signature", 0)

	var r wire.Request
	for requestID, offset := range map[uint64]int{1: 1, 300: 2, 1<<64 - 1: 10} {
		_, err := wire.DecodeRequest(wire.AppendNotFound(nil, requestID, wire.Key{}), &r)
		refusedAt(t, fmt.Sprintf("response %d", requestID), err, wire.ErrNotRequest, "body variant", offset)
	}

	for name, c := range map[string]struct {
		change  func(*wire.Header)
		payload int
		err     error
		what    string
	}{
		"payload":    {func(*wire.Header) {}, wire.MaxMessage + 1, wire.ErrOversized, "payload"},
		"envelope":   {func(h *wire.Header) { h.UserAgent = strings.Repeat("a", wire.MaxEnvelope) }, 0, wire.ErrOversized, "envelope"},
		"message id": {func(h *wire.Header) { h.MessageID = wire.MessageID{} }, 1, wire.ErrMessageID, "message id version"},
		"user agent": {func(h *wire.Header) { h.UserAgent = "\xff" }, 1, wire.ErrBadUTF8, "user agent"},
	} {
		h := header()
		c.change(h)
		_, err := wire.Seal(nil, s, h, make([]byte, c.payload))
		refusedAt(t, "seal, "+name, err, c.err, c.what, 0)
	}
}

// Each error says in a line what it found and then what it wanted.
func TestErrorTexts(t *testing.T) {
	is, want := wire.KeyOf([]byte("is")), wire.KeyOf([]byte("want"))
	truncated := func() error {
		var m wire.Message
		_, err := wire.DecodeMessage([]byte{0xac, 2, 7, 1}, &m)
		return err
	}
	for _, c := range []struct {
		err  error
		text string
	}{
		{truncated(), "wire: truncated: key at byte 3"},
		{wire.CheckRecord(want, []byte("is")), fmt.Sprintf("wire: record does not hash to its key: %v, not %v", is, want)},
		{
			wire.CheckRecord(want, make([]byte, wire.MaxRecord+1)),
			"wire: record too large: 4194305 bytes, at most 4194304",
		},
		{
			wire.Triage(want, &wire.Message{Kind: wire.NotFound, Key: is}, nil).Err,
			fmt.Sprintf("wire: response for another key: %v, not %v", is, want),
		},
	} {
		if c.err == nil || c.err.Error() != c.text {
			t.Errorf("%v\nwant %s", c.err, c.text)
		}
	}
}
