package wire_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"fetchproof/impl/wire"
)

// An error names the field and where it starts.
func TestDecodeErrorPlace(t *testing.T) {
	key := make([]byte, 32)
	response := func(variant byte, rest ...byte) []byte {
		return append(append([]byte{0xac, 2, 8, variant}, key...), rest...)
	}
	for name, c := range map[string]struct {
		input  []byte
		what   string
		offset int
		err    error
	}{
		"id":       {[]byte{0x80}, "request id", 0, wire.ErrTruncated},
		"body":     {[]byte{0xac, 2, 0xff, 0xff, 0xff, 0xff, 0x10}, "body variant", 2, wire.ErrBadVarint},
		"unknown":  {[]byte{1, 17}, "body variant", 1, wire.ErrUnknownVariant},
		"foreign":  {[]byte{1, 16}, "body variant", 1, wire.ErrNotFetch},
		"key":      {[]byte{1, 7, 0}, "key", 2, wire.ErrTruncated},
		"response": {[]byte{1, 8, 4}, "response variant", 2, wire.ErrUnknownVariant},
		"data":     {response(0, 2, 0), "data", 36, wire.ErrTruncated},
		"reason":   {response(2, 1, 0xff), "reason", 36, wire.ErrBadUTF8},
	} {
		var m wire.Message
		_, err := wire.DecodeMessage(c.input, &m)
		var at *wire.DecodeError
		if !errors.As(err, &at) || !errors.Is(err, c.err) || at.What != c.what || at.Offset != c.offset {
			t.Errorf("%s: %v; want %v: %s at byte %d", name, err, c.err, c.what, c.offset)
		}
	}
}

// Each sentinel error has a class and a name of its own, wrapped or not.
func TestClasses(t *testing.T) {
	names := map[string]bool{}
	for c := range wire.NumClasses {
		if names[c.String()] {
			t.Errorf("%s is there twice", c)
		}
		names[c.String()] = true
	}
	for _, err := range []error{
		wire.ErrTruncated, wire.ErrBadVarint, wire.ErrBadUTF8, wire.ErrBadBool, wire.ErrUnknownVariant, wire.ErrNotFetch,
		wire.ErrNotRequest, wire.ErrOversized, wire.ErrProtocol, wire.ErrPublicKey, wire.ErrSender, wire.ErrSignature, wire.ErrMessageID,
	} {
		class := wire.ClassOf(err)
		if class < wire.ClassTruncated || wire.ClassOf(fmt.Errorf("dropped: %w", &wire.DecodeError{Err: err})) != class {
			t.Errorf("%v has class %v", err, class)
		}
		delete(names, class.String())
	}
	if len(names) != 2 || wire.ClassOf(nil) != wire.ClassOK || wire.ClassOf(io.EOF) != wire.ClassOther {
		t.Errorf("classes without an error: %v", names)
	}
}

// A class, kind, answer or defect that does not exist still prints.
func TestNamesOfNumbers(t *testing.T) {
	for i := range 256 {
		for _, s := range []fmt.Stringer{wire.Class(i), wire.Kind(i), wire.Answer(i), wire.Defect(i)} {
			if s.String() == "" {
				t.Errorf("%T %d has no name", s, i)
			}
		}
	}
}
