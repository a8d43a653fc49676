package wire

import "unicode/utf8"

// Header is what the envelopes say besides the message (WIR-8).
type Header struct {
	// MessageID is a request's new id, or the id of the request answered.
	MessageID MessageID
	// IsResponse is the message's direction.
	IsResponse bool
	// Timestamp is the clock in seconds.
	Timestamp uint64
	// UserAgent is UTF-8, any.
	UserAgent string
}

// Seal appends the two envelopes around payload, signed. The parts of payload
// are joined; the message comes first and its trailer, if it is not in the same
// part, second. Each byte is copied once. It fails with [ErrOversized],
// [ErrMessageID] or [ErrBadUTF8], and then returns dst as it was.
func Seal(dst []byte, s *Signer, h *Header, payload ...[]byte) ([]byte, error) {
	size := 0
	for _, part := range payload {
		size += len(part)
	}
	l := newLayout(h, size)
	if err := l.check(); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = l.open(dst)
	for _, part := range payload {
		dst = append(dst, part...)
	}
	return l.close(dst, start, s), nil
}

// SealMessage is [Seal] for a message that is not encoded yet. It encodes m in
// place, so a record is copied once, from m.Data to dst.
func SealMessage(dst []byte, s *Signer, h *Header, m *Message) ([]byte, error) {
	l := newLayout(h, MessageSize(m))
	if err := l.check(); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = AppendMessage(l.open(dst), m)
	return l.close(dst, start, s), nil
}

// layout knows how long an envelope's parts are before they are written, as
// each length stands in front of its bytes.
type layout struct {
	header  *Header
	payload int // bytes of payload
	inner   int // bytes of inner envelope
	total   int // bytes of outer envelope
}

func newLayout(h *Header, payload int) layout {
	inner := blockSize(messageIDText) + 1 + blockSize(payload)
	return layout{
		header:  h,
		payload: payload,
		inner:   inner,
		total: blockSize(len(Protocol)) + blockSize(inner) + blockSize(peerDigits) +
			varintSize(h.Timestamp) + blockSize(len(h.UserAgent)) +
			blockSize(PublicKeySize) + blockSize(SignatureSize),
	}
}

func (l *layout) check() error {
	switch {
	case l.payload > MaxMessage:
		return refuse(ErrOversized, "payload", 0)
	case l.total > MaxEnvelope:
		return refuse(ErrOversized, "envelope", 0)
	case !l.header.MessageID.valid():
		return refuse(ErrMessageID, "message id version", 0)
	case !utf8.ValidString(l.header.UserAgent):
		return refuse(ErrBadUTF8, "user agent", 0)
	}
	return nil
}

// open writes all that comes before the payload.
func (l *layout) open(dst []byte) []byte {
	dst = reserve(dst, l.total)
	dst = appendText(dst, Protocol)
	dst = appendVarint(dst, uint64(l.inner))
	dst = appendVarint(dst, messageIDText)
	dst = l.header.MessageID.appendTo(dst)
	dst = appendBool(dst, l.header.IsResponse)
	return appendVarint(dst, uint64(l.payload))
}

// close writes all that comes after the payload. The five fields signed start
// at dst[start] (WIR-8).
func (l *layout) close(dst []byte, start int, s *Signer) []byte {
	dst = appendText(dst, s.id.String())
	dst = appendVarint(dst, l.header.Timestamp)
	dst = appendText(dst, l.header.UserAgent)
	signed := dst[start:]
	dst = appendBytes(dst, s.public[:])
	dst = appendVarint(dst, SignatureSize)
	return s.AppendSignature(dst, signed)
}
