package wire

import (
	"errors"
	"fmt"
)

// Answer says what a response means for the fetch that waits for it, by the
// table of outcomes (section 9 of the rules).
type Answer uint8

// The answers. Each is one of the outcomes, except that a record still has to be
// stored, which decides between Stored, StoreFailed and Declined.
const (
	// AnswerRecord: the record asked for is here.
	AnswerRecord Answer = iota + 1
	// AnswerNotFound: outcome NotFound.
	AnswerNotFound
	// AnswerError: outcome ErrorReply.
	AnswerError
	// AnswerBusy: a busy for the requested key (BSY-1).
	AnswerBusy
	// AnswerInvalid: outcome Invalid; the verdict has the defect.
	AnswerInvalid
)

// String is the answer's name.
func (a Answer) String() string {
	switch a {
	case AnswerRecord:
		return "record"
	case AnswerNotFound:
		return "not-found"
	case AnswerError:
		return "error"
	case AnswerBusy:
		return "busy"
	case AnswerInvalid:
		return "invalid"
	}
	return fmt.Sprintf("answer(%d)", uint8(a))
}

// Defect says why a response is invalid.
type Defect uint8

// The defects, in the order in which they are looked for.
const (
	// Sound: none.
	Sound Defect = iota
	// TooLarge: the message or the record is above its bound (WIR-5).
	TooLarge
	// Undecodable: it is no message.
	Undecodable
	// NotResponse: it is a request.
	NotResponse
	// WrongKey: it speaks of another key.
	WrongKey
	// HashMismatch: the bytes are not the record that the key names (WIR-7).
	HashMismatch
)

// String is the defect's name.
func (d Defect) String() string {
	switch d {
	case Sound:
		return "sound"
	case TooLarge:
		return "too-large"
	case Undecodable:
		return "undecodable"
	case NotResponse:
		return "not-a-response"
	case WrongKey:
		return "wrong-key"
	case HashMismatch:
		return "hash-mismatch"
	}
	return fmt.Sprintf("defect(%d)", uint8(d))
}

// Verdict is an answer, with the defect if it is [AnswerInvalid]. Err then has
// the particulars, and is nil otherwise.
type Verdict struct {
	Answer Answer
	Defect Defect
	Err    error
}

var (
	errNotResponse = errors.New("wire: a request where a response was expected")
	errWrongKey    = errors.New("wire: response for another key")
)

// Triage classifies what [DecodeMessage] made of a response to a request for
// want, without reading the record: AnswerRecord still has to pass [CheckRecord].
// So the answer can be applied when its bytes arrive, before the record is
// checked (WRK-2). err is DecodeMessage's. Every response, whichever its variant,
// must be for the key that was asked for.
func Triage(want Key, m *Message, err error) Verdict {
	switch {
	case errors.Is(err, ErrOversized):
		return invalid(TooLarge, err)
	case err != nil:
		return invalid(Undecodable, err)
	case m.Kind == FetchRequest:
		return invalid(NotResponse, errNotResponse)
	case m.Key != want:
		return invalid(WrongKey, fmt.Errorf("%w: %v, not %v", errWrongKey, m.Key, want))
	}
	switch m.Kind {
	case Success:
		if len(m.Data) > MaxRecord {
			return invalid(TooLarge, fmt.Errorf("%w: %d bytes", ErrRecordSize, len(m.Data)))
		}
		return Verdict{Answer: AnswerRecord}
	case NotFound:
		return Verdict{Answer: AnswerNotFound}
	case ErrorReply:
		return Verdict{Answer: AnswerError}
	case Busy:
		return Verdict{Answer: AnswerBusy}
	}
	return invalid(Undecodable, fmt.Errorf("wire: message of kind %v", m.Kind))
}

// Classify is [Triage] and, for a record, [CheckRecord]: AnswerRecord is then a
// record that may be stored (WIR-5, WIR-7).
func Classify(want Key, m *Message, err error) Verdict {
	v := Triage(want, m, err)
	if v.Answer != AnswerRecord {
		return v
	}
	if err := CheckRecord(want, m.Data); err != nil {
		return invalid(HashMismatch, err)
	}
	return v
}

func invalid(d Defect, err error) Verdict {
	return Verdict{Answer: AnswerInvalid, Defect: d, Err: err}
}
