package ops

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
)

var nameCheckers = sync.Pool{New: func() any { return &nameChecker{} }}

// decodeLine reads a line of the protocol.
func decodeLine(b []byte, l *jsonLine) error {
	_, err := decodeNoting(b, l, false)
	return err
}

// decodeNoting reads a line, and returns the first fields that it ignored if they are wanted.
func decodeNoting(b []byte, l *jsonLine, want bool) (unknown []string, err error) {
	if err := json.Unmarshal(b, l); err != nil {
		return nil, fmt.Errorf("not a line of the protocol: %w", plainly(err))
	}
	c := nameCheckers.Get().(*nameChecker)
	defer nameCheckers.Put(c)
	c.want = want
	if err := c.checkNames(b); err != nil {
		return nil, fmt.Errorf("not a line of the protocol: %w", err)
	}
	return append(unknown, c.unknown...), nil
}

// plainly says what encoding/json says in the words of the protocol.
func plainly(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		// encoding/json exports no name for this error, which the first line of pretty-printed JSON gives.
		if syntax.Error() == "unexpected end of JSON input" {
			return fmt.Errorf("%w; an object takes one line", err)
		}
		return fmt.Errorf("%w (byte %d)", err, syntax.Offset)
	}
	var ill *json.UnmarshalTypeError
	if !errors.As(err, &ill) {
		return err
	}
	if ill.Field == "" {
		return fmt.Errorf("want %s, have %s", wanted(ill.Type), ill.Value)
	}
	return fmt.Errorf("field %q: want %s, have %s", ill.Field, wanted(ill.Type), ill.Value)
}

func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number of 64 bits"
	case reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fmt.Sprintf("a whole number of %d bits, not below 0", t.Bits())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list"
	case reflect.Array:
		return "64 lower-case hex digits"
	default:
		return "an object"
	}
}
