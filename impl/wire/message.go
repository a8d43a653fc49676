package wire

import (
	"bytes"
	"fmt"
)

// MaxMessage is the largest message with its trailer, in bytes: one of exactly
// this size passes, a larger one is refused before decoding (WIR-5).
const MaxMessage = 10 << 20

// The body and response variants by number (WIR-1).
const (
	bodyRequest  = 7
	bodyResponse = 8
	bodyVariants = 17

	responseSuccess  = 0
	responseNotFound = 1
	responseError    = 2
	responseBusy     = 3
)

// Kind says what a message is. The zero Kind is no message.
type Kind uint8

// The fetch messages (WIR-1).
const (
	FetchRequest Kind = iota + 1
	Success
	NotFound
	ErrorReply
	Busy
)

// String is the kind's name in the rules.
func (k Kind) String() string {
	switch k {
	case FetchRequest:
		return "FetchRequest"
	case Success:
		return "Success"
	case NotFound:
		return "NotFound"
	case ErrorReply:
		return "ErrorReply"
	case Busy:
		return "Busy"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Message is a fetch request or a response to one (WIR-1).
type Message struct {
	// RequestID is the requester's number, which the response repeats.
	RequestID uint64
	// Kind says which of the fields below apply.
	Kind Kind
	// AsksBusy: a request whose trailer says that its sender understands Busy
	// (WIR-3).
	AsksBusy bool
	// Key is the record's.
	Key Key
	// Data is the record of a Success. After decoding it is a view.
	Data []byte
	// Reason is the text of an ErrorReply, UTF-8. After decoding it is a view.
	Reason []byte
}

// Clone is a copy that shares no memory with m, and so outlives the buffer that
// m was decoded from.
func (m *Message) Clone() Message {
	c := *m
	c.Data, c.Reason = bytes.Clone(m.Data), bytes.Clone(m.Reason)
	return c
}

// Request is a fetch request, all that a responder needs of a message.
type Request struct {
	// RequestID is to be repeated in the response.
	RequestID uint64
	// Key is the record asked for.
	Key Key
	// AsksBusy: the requester understands Busy (RSP-4, WIR-3).
	AsksBusy bool
}

// DecodeMessage reads one message from the front of buf into m and returns
// where decoding ended; what follows is a request's trailer or is ignored
// (WIR-3). Data and Reason are views into buf. It fails with [ErrOversized],
// [ErrTruncated], [ErrBadVarint], [ErrBadUTF8], [ErrUnknownVariant] or
// [ErrNotFetch], and m is then zero.
func DecodeMessage(buf []byte, m *Message) (int, error) {
	*m = Message{}
	c := cursor{buf: buf}
	var h head
	err := c.head(&h)
	if err != nil {
		return 0, err
	}
	if h.body == bodyRequest {
		err = c.key(&m.Key)
		m.Kind, m.AsksBusy = FetchRequest, asksBusy(buf[c.off:])
	} else {
		err = c.response(m)
	}
	if err != nil {
		*m = Message{}
		return 0, err
	}
	m.RequestID = h.id
	return c.off, nil
}

// DecodeRequest is [DecodeMessage] for a responder: it reads only requests, and
// refuses a response with [ErrNotRequest] as soon as it sees that it is one. It
// returns where decoding ended; on failure r is zero.
func DecodeRequest(buf []byte, r *Request) (int, error) {
	*r = Request{}
	c := cursor{buf: buf}
	var h head
	if err := c.head(&h); err != nil {
		return 0, err
	}
	if h.body != bodyRequest {
		return 0, refuse(ErrNotRequest, "body variant", h.bodyAt)
	}
	if err := c.key(&r.Key); err != nil {
		return 0, err
	}
	r.RequestID, r.AsksBusy = h.id, asksBusy(buf[c.off:])
	return c.off, nil
}

// head is what every message begins with.
type head struct {
	id     uint64
	body   uint32
	bodyAt int // where the body variant begins
}

// head reads the request id and a body variant that is a fetch message's.
func (c *cursor) head(h *head) (err error) {
	if len(c.buf) > MaxMessage {
		return refuse(ErrOversized, "message", MaxMessage)
	}
	if h.id, err = c.u64("request id"); err != nil {
		return err
	}
	h.bodyAt = c.off
	if h.body, err = c.u32("body variant"); err != nil {
		return err
	}
	body := h.body
	switch {
	case body == bodyRequest || body == bodyResponse:
		return nil
	case body < bodyVariants:
		return refuse(ErrNotFetch, "body variant", h.bodyAt)
	}
	return refuse(ErrUnknownVariant, "body variant", h.bodyAt)
}

func (c *cursor) response(m *Message) error {
	start := c.off
	variant, err := c.u32("response variant")
	if err != nil {
		return err
	}
	if variant > responseBusy {
		return refuse(ErrUnknownVariant, "response variant", start)
	}
	if err := c.key(&m.Key); err != nil {
		return err
	}
	switch variant {
	case responseSuccess:
		m.Kind = Success
		m.Data, err = c.bytes("data")
	case responseNotFound:
		m.Kind = NotFound
	case responseError:
		m.Kind = ErrorReply
		m.Reason, err = c.text("reason")
	case responseBusy:
		m.Kind = Busy
	}
	return err
}

func (c *cursor) key(k *Key) error {
	v, err := c.raw(len(k), "key")
	if err != nil {
		return err
	}
	copy(k[:], v)
	return nil
}
