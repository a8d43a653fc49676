package wire

import "encoding/hex"

// messageIDText is the length of a UUID in text: 32 digits and 4 hyphens.
const messageIDText = 36

// MessageID ties a response to its request: a UUIDv4 (WIR-8).
type MessageID [16]byte

// NewMessageID makes an id of 16 random bytes, of which it keeps 122 bits. The
// draw is the caller's.
func NewMessageID(random [16]byte) MessageID {
	id := MessageID(random)
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

// ParseMessageID reads the 36 characters of a UUIDv4, or fails with
// [ErrMessageID]. Only the lower-case form is taken: so each id has one spelling,
// an answer repeats its request's bytes, and encoding gives back what was
// decoded (WIR-6).
func ParseMessageID(text []byte) (MessageID, error) {
	var id MessageID
	if len(text) != messageIDText {
		return MessageID{}, refuse(ErrMessageID, "message id length", 0)
	}
	digits := 0
	for i, ch := range text {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if ch != '-' {
				return MessageID{}, refuse(ErrMessageID, "message id hyphen", i)
			}
			continue
		}
		v, ok := nibble(ch)
		if !ok {
			return MessageID{}, refuse(ErrMessageID, "message id digit", i)
		}
		id[digits/2] = id[digits/2]<<4 | v
		digits++
	}
	if !id.valid() {
		return MessageID{}, refuse(ErrMessageID, "message id version", 14)
	}
	return id, nil
}

// valid says whether version and variant are those of a UUIDv4.
func (id MessageID) valid() bool {
	return id[6]>>4 == 4 && id[8]>>6 == 2
}

func nibble(ch byte) (byte, bool) {
	switch {
	case '0' <= ch && ch <= '9':
		return ch - '0', true
	case 'a' <= ch && ch <= 'f':
		return ch - 'a' + 10, true
	}
	return 0, false
}

// AppendText appends the 36 characters of the id.
func (id MessageID) AppendText(dst []byte) ([]byte, error) {
	return id.appendTo(dst), nil
}

func (id MessageID) appendTo(dst []byte) []byte {
	start := 0
	for i, end := range [...]int{4, 6, 8, 10, 16} {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, id[start:end])
		start = end
	}
	return dst
}

// String is the id's 36 characters.
func (id MessageID) String() string { return string(id.appendTo(nil)) }
