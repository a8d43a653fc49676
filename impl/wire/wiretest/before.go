// Package wiretest has the decoders that the production one is held against: a
// mirror of the decoder from before the change (WIR-4), and a naive reference for
// the present one. They share no code with it, with each other, or with the
// encoders; they allocate as they like. It is for tests.
package wiretest

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// Verdicts are the names of what a decoder can say of an input, as they stand in
// the vector files.
const (
	OK             = "ok"
	Truncated      = "truncated"
	BadVarint      = "bad-varint"
	BadUTF8        = "bad-utf8"
	BadBool        = "bad-bool"
	UnknownVariant = "unknown-variant"
	NotFetch       = "not-fetch"
	Oversized      = "oversized"
)

// BeforeRequest is the fetch request as it was before the change.
type BeforeRequest struct {
	Key [32]byte
}

// BeforeResponse is the fetch response as it was before the change, when there
// was no Busy: exactly one field is set.
type BeforeResponse struct {
	Success *struct {
		Key  [32]byte
		Data []byte
	}
	NotFound *struct {
		Key [32]byte
	}
	Error *struct {
		Key    [32]byte
		Reason string
	}
}

// BeforeMessage is the message as it was before the change. At most one body is
// set; neither is if the verdict is not OK.
type BeforeMessage struct {
	RequestID uint64
	Request   *BeforeRequest
	Response  *BeforeResponse
}

// Before decodes as a node from before the change does: it knows no Busy and no
// trailer, and ignores whatever follows the message (WIR-4). The verdict is one
// of the constants.
func Before(input []byte) (m BeforeMessage, verdict string) {
	if len(input) > 10485760 {
		return BeforeMessage{}, Oversized
	}
	d := &old{in: strings.NewReader(string(input))}
	defer func() {
		if stop := recover(); stop != nil {
			s, ok := stop.(oldStop)
			if !ok {
				panic(stop)
			}
			m, verdict = BeforeMessage{}, string(s)
		}
	}()
	m.RequestID = d.number(64)
	switch tag := d.number(32); tag {
	case 0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16:
		return BeforeMessage{}, NotFetch
	case 7:
		m.Request = &BeforeRequest{Key: d.key()}
	case 8:
		m.Response = d.response()
	default:
		return BeforeMessage{}, UnknownVariant
	}
	return m, OK
}

// old reads from a stream and panics with an oldStop where it cannot go on.
type old struct {
	in *strings.Reader
}

type oldStop string

func (d *old) response() *BeforeResponse {
	r := &BeforeResponse{}
	switch d.number(32) {
	case 0:
		r.Success = &struct {
			Key  [32]byte
			Data []byte
		}{d.key(), d.block()}
	case 1:
		r.NotFound = &struct{ Key [32]byte }{d.key()}
	case 2:
		r.Error = &struct {
			Key    [32]byte
			Reason string
		}{d.key(), string(d.block())}
		if !utf8.ValidString(r.Error.Reason) {
			panic(oldStop(BadUTF8))
		}
	default:
		panic(oldStop(UnknownVariant))
	}
	return r
}

// number reads a varint of a type with that many bits. It leans on the standard
// library's reader, which takes the same ten bytes for 64 bits, and adds what
// that does not know: that 32 bits have at most five. A fifth byte that goes on
// is too large, whether or not a sixth is there.
func (d *old) number(bits int) uint64 {
	before := d.in.Len()
	v, err := binary.ReadUvarint(d.in)
	used := before - d.in.Len()
	switch {
	case bits == 32 && (used > 5 || used == 5 && (err != nil || v>>32 != 0)):
		panic(oldStop(BadVarint))
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		panic(oldStop(Truncated))
	case err != nil:
		panic(oldStop(BadVarint))
	}
	return v
}

func (d *old) key() (k [32]byte) {
	if _, err := io.ReadFull(d.in, k[:]); err != nil {
		panic(oldStop(Truncated))
	}
	return k
}

func (d *old) block() []byte {
	n := d.number(64)
	if n > uint64(d.in.Len()) {
		panic(oldStop(Truncated))
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(d.in, b); err != nil {
		panic(oldStop(Truncated))
	}
	return b
}
