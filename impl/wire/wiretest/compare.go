package wiretest

import (
	"bytes"
	"fmt"
)

// Compare holds what a decoder makes of a message against the reference, and both
// against the mirror from before. The decoder answers in the reference's terms: a
// message and a verdict. The error says who differs, in what.
func Compare(input []byte, decode func([]byte) (Message, string)) error {
	got, verdict := decode(input)
	want, wantVerdict := Reference(input)
	if verdict != wantVerdict {
		return fmt.Errorf("decoder says %s, reference %s", verdict, wantVerdict)
	}
	if err := same(got, want); err != nil {
		return fmt.Errorf("decoder and reference: %w", err)
	}
	before, beforeVerdict := Before(input)
	if wantVerdict == Truncated && beforeVerdict == UnknownVariant && cutBusy(input) {
		return nil
	}
	return sameBefore(want, wantVerdict, before, beforeVerdict)
}

func same(got, want Message) error {
	switch {
	case got.RequestID != want.RequestID:
		return fmt.Errorf("request id %d, want %d", got.RequestID, want.RequestID)
	case !bytes.Equal(got.Key, want.Key):
		return fmt.Errorf("key %x, want %x", got.Key, want.Key)
	case (got.Response == nil) != (want.Response == nil) || got.Response != nil && *got.Response != *want.Response:
		return fmt.Errorf("response variant %v, want %v", show(got.Response), show(want.Response))
	case !bytes.Equal(got.Data, want.Data):
		return fmt.Errorf("data of %d bytes, want %d: %.40x, %.40x", len(got.Data), len(want.Data), got.Data, want.Data)
	case got.Reason != want.Reason:
		return fmt.Errorf("reason %q, want %q", got.Reason, want.Reason)
	case got.Capable != want.Capable:
		return fmt.Errorf("capability %t, want %t", got.Capable, want.Capable)
	case !bytes.Equal(got.Tail, want.Tail):
		return fmt.Errorf("tail %x, want %x", got.Tail, want.Tail)
	}
	return nil
}

func show(variant *uint64) any {
	if variant == nil {
		return "none"
	}
	return *variant
}

// cutBusy says whether the input is a Busy that ends early: truncated now, but
// before it was unknown already.
func cutBusy(input []byte) bool {
	whole, verdict := Reference(append(bytes.Clone(input), make([]byte, 32)...))
	return verdict == OK && whole.Response != nil && *whole.Response == 3
}

// sameBefore holds the mirror against the reference: all but Busy is as it was,
// and a Busy, whole or not, is an unknown variant (WIR-1, WIR-4).
func sameBefore(now Message, nowVerdict string, before BeforeMessage, verdict string) error {
	if nowVerdict != OK {
		if verdict != nowVerdict {
			return fmt.Errorf("reference says %s, before %s", nowVerdict, verdict)
		}
		return nil
	}
	if now.Response != nil && *now.Response == 3 {
		if verdict != UnknownVariant {
			return fmt.Errorf("before reads a Busy: %s", verdict)
		}
		return nil
	}
	if verdict != OK {
		return fmt.Errorf("reference reads it, before says %s", verdict)
	}
	old := Message{RequestID: before.RequestID, Capable: now.Capable, Tail: now.Tail}
	var variant uint64
	switch {
	case before.Request != nil:
		old.Key = before.Request.Key[:]
	case before.Response.Success != nil:
		old.Key, old.Data, old.Response = before.Response.Success.Key[:], before.Response.Success.Data, &variant
	case before.Response.NotFound != nil:
		variant = 1
		old.Key, old.Response = before.Response.NotFound.Key[:], &variant
	case before.Response.Error != nil:
		variant = 2
		old.Key, old.Reason, old.Response = before.Response.Error.Key[:], before.Response.Error.Reason, &variant
	}
	if err := same(old, now); err != nil {
		return fmt.Errorf("before and reference: %w", err)
	}
	return nil
}
