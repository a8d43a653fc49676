package wire

import (
	"errors"
	"fmt"
)

// The ways in which bytes can be refused, to be matched with [errors.Is]. Each
// has a [Class].
var (
	// ErrTruncated: the input ends inside a field, or a length is beyond what
	// is left of it (WIR-5).
	ErrTruncated = errors.New("wire: truncated")
	// ErrBadVarint: a varint is longer, or its last byte larger, than its type
	// allows (WIR-2).
	ErrBadVarint = errors.New("wire: bad varint")
	// ErrBadUTF8: a string is not UTF-8 (WIR-5).
	ErrBadUTF8 = errors.New("wire: invalid UTF-8")
	// ErrBadBool: a bool is neither 0 nor 1 (WIR-8).
	ErrBadBool = errors.New("wire: bad bool")
	// ErrUnknownVariant: a body or response variant that does not exist (WIR-1).
	ErrUnknownVariant = errors.New("wire: unknown variant")
	// ErrNotFetch: a body variant that exists, but is no fetch message (WIR-1).
	ErrNotFetch = errors.New("wire: not a fetch message")
	// ErrNotRequest: a response where only a request makes sense.
	ErrNotRequest = errors.New("wire: not a fetch request")
	// ErrOversized: more than [MaxMessage] bytes of message, or more than
	// [MaxEnvelope] of envelope; refused before decoding (WIR-5).
	ErrOversized = errors.New("wire: oversized")
	// ErrProtocol: the envelope belongs to another protocol (WIR-8).
	ErrProtocol = errors.New("wire: another protocol")
	// ErrPublicKey: the public key does not have [PublicKeySize] bytes (WIR-8).
	ErrPublicKey = errors.New("wire: bad public key")
	// ErrSender: from is not the 64 lower-case hex digits of the public key's
	// hash (WIR-8, WIR-9).
	ErrSender = errors.New("wire: sender mismatch")
	// ErrSignature: the signature does not have [SignatureSize] bytes, or does
	// not verify (WIR-9).
	ErrSignature = errors.New("wire: bad signature")
	// ErrMessageID: the message id is not a UUIDv4 in its lower-case text form
	// (WIR-8).
	ErrMessageID = errors.New("wire: bad message id")
)

// Class numbers the sentinel errors, so that a node can count drops in an
// array (WIR-9).
type Class uint8

// The classes, in the order of the sentinel errors they stand for.
const (
	ClassOK    Class = iota // no error
	ClassOther              // an error that is not of this package
	ClassTruncated
	ClassBadVarint
	ClassBadUTF8
	ClassBadBool
	ClassUnknownVariant
	ClassNotFetch
	ClassNotRequest
	ClassOversized
	ClassProtocol
	ClassPublicKey
	ClassSender
	ClassSignature
	ClassMessageID

	// NumClasses is the length of an array indexed by Class.
	NumClasses
)

var classes = [NumClasses]struct {
	name string
	err  error
}{
	ClassOK:             {"ok", nil},
	ClassOther:          {"other", nil},
	ClassTruncated:      {"truncated", ErrTruncated},
	ClassBadVarint:      {"bad-varint", ErrBadVarint},
	ClassBadUTF8:        {"bad-utf8", ErrBadUTF8},
	ClassBadBool:        {"bad-bool", ErrBadBool},
	ClassUnknownVariant: {"unknown-variant", ErrUnknownVariant},
	ClassNotFetch:       {"not-fetch", ErrNotFetch},
	ClassNotRequest:     {"not-request", ErrNotRequest},
	ClassOversized:      {"oversized", ErrOversized},
	ClassProtocol:       {"bad-protocol", ErrProtocol},
	ClassPublicKey:      {"bad-public-key", ErrPublicKey},
	ClassSender:         {"sender-mismatch", ErrSender},
	ClassSignature:      {"bad-signature", ErrSignature},
	ClassMessageID:      {"bad-message-id", ErrMessageID},
}

// String is the class's name as it appears in counters and test vectors.
func (c Class) String() string {
	if c < NumClasses {
		return classes[c].name
	}
	return fmt.Sprintf("class(%d)", uint8(c))
}

// ClassOf is the class of an error of this package, wrapped or not: [ClassOK]
// for nil and [ClassOther] for an error of somebody else's.
func ClassOf(err error) Class {
	if err == nil {
		return ClassOK
	}
	for c := ClassTruncated; c < NumClasses; c++ {
		if errors.Is(err, classes[c].err) {
			return c
		}
	}
	return ClassOther
}

// DecodeError says which field was refused, where, and (through Unwrap) why.
type DecodeError struct {
	// What names the field, such as "request id"; never text from the input.
	What string
	// Offset is where that field starts, in bytes from the start of the slice
	// that its decoder was given, or of the inner envelope if the field is there.
	// What [Seal] refuses has none: 0.
	Offset int
	// Err is one of the sentinel errors.
	Err error
}

// Error gives all three in a line.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("%v: %s at byte %d", e.Err, e.What, e.Offset)
}

// Unwrap is the sentinel error.
func (e *DecodeError) Unwrap() error { return e.Err }

func refuse(err error, what string, offset int) error {
	return &DecodeError{What: what, Offset: offset, Err: err}
}
