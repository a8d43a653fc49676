package wire_test

import (
	"bytes"
	"errors"
	"testing"

	"fetchproof/impl/wire"
)

// Each row of the table of outcomes that a response can lead to, and each way in
// which one can be invalid (section 9, WIR-5, WIR-7, BSY-1).
func TestClassify(t *testing.T) {
	hello := []byte("hello")
	want, other := wire.KeyOf(hello), wire.KeyOf([]byte("other"))
	exact := bytes.Repeat([]byte{1}, wire.MaxRecord)
	large := bytes.Repeat([]byte{1}, wire.MaxRecord+1)
	for name, c := range map[string]struct {
		key    wire.Key
		input  []byte
		triage wire.Answer
		answer wire.Answer
		defect wire.Defect
		err    error
	}{
		"record":             {want, wire.AppendSuccess(nil, 1, want, hello), wire.AnswerRecord, wire.AnswerRecord, wire.Sound, nil},
		"empty record":       {wire.KeyOf(nil), wire.AppendSuccess(nil, 1, wire.KeyOf(nil), nil), wire.AnswerRecord, wire.AnswerRecord, wire.Sound, nil},
		"record of 4 MiB":    {wire.KeyOf(exact), wire.AppendSuccess(nil, 1, wire.KeyOf(exact), exact), wire.AnswerRecord, wire.AnswerRecord, wire.Sound, nil},
		"record above 4 MiB": {wire.KeyOf(large), wire.AppendSuccess(nil, 1, wire.KeyOf(large), large), wire.AnswerInvalid, wire.AnswerInvalid, wire.TooLarge, wire.ErrRecordSize},
		"another record":     {want, wire.AppendSuccess(nil, 1, want, []byte("hellO")), wire.AnswerRecord, wire.AnswerInvalid, wire.HashMismatch, wire.ErrRecordHash},
		"record, wrong key":  {want, wire.AppendSuccess(nil, 1, other, []byte("other")), wire.AnswerInvalid, wire.AnswerInvalid, wire.WrongKey, nil},
		"not found":          {want, wire.AppendNotFound(nil, 1, want), wire.AnswerNotFound, wire.AnswerNotFound, wire.Sound, nil},
		"not found, other":   {want, wire.AppendNotFound(nil, 1, other), wire.AnswerInvalid, wire.AnswerInvalid, wire.WrongKey, nil},
		"error":              {want, wire.AppendError(nil, 1, want, "disk"), wire.AnswerError, wire.AnswerError, wire.Sound, nil},
		"error, other":       {want, wire.AppendError(nil, 1, other, "disk"), wire.AnswerInvalid, wire.AnswerInvalid, wire.WrongKey, nil},
		"busy":               {want, wire.AppendBusy(nil, 1, want), wire.AnswerBusy, wire.AnswerBusy, wire.Sound, nil},
		"busy for another":   {want, wire.AppendBusy(nil, 1, other), wire.AnswerInvalid, wire.AnswerInvalid, wire.WrongKey, nil},
		"a request":          {want, wire.AppendRequest(nil, 1, want, true), wire.AnswerInvalid, wire.AnswerInvalid, wire.NotResponse, nil},
		"nothing":            {want, nil, wire.AnswerInvalid, wire.AnswerInvalid, wire.Undecodable, wire.ErrTruncated},
		"another protocol":   {want, []byte{1, 3}, wire.AnswerInvalid, wire.AnswerInvalid, wire.Undecodable, wire.ErrNotFetch},
		"oversized":          {want, make([]byte, wire.MaxMessage+1), wire.AnswerInvalid, wire.AnswerInvalid, wire.TooLarge, wire.ErrOversized},
	} {
		var m wire.Message
		_, err := wire.DecodeMessage(c.input, &m)
		if v := wire.Triage(c.key, &m, err); v.Answer != c.triage {
			t.Errorf("%s: triage %v, %v", name, v.Answer, v.Err)
		}
		v := wire.Classify(c.key, &m, err)
		if v.Answer != c.answer || v.Defect != c.defect || (v.Err != nil) != (c.defect != wire.Sound) ||
			c.err != nil && !errors.Is(v.Err, c.err) {
			t.Errorf("%s: %v, %v, %v; want %v, %v, %v", name, v.Answer, v.Defect, v.Err, c.answer, c.defect, c.err)
		}
	}
	if v := wire.Classify(want, &wire.Message{Key: want}, nil); v.Answer != wire.AnswerInvalid || v.Defect != wire.Undecodable {
		t.Errorf("no message: %+v", v)
	}
}

func TestCheckRecord(t *testing.T) {
	large := make([]byte, wire.MaxRecord+1)
	if err := wire.CheckRecord(wire.KeyOf(large), large); !errors.Is(err, wire.ErrRecordSize) {
		t.Errorf("a large record: %v", err)
	}
	if err := wire.CheckRecord(wire.KeyOf(large[1:]), large[1:]); err != nil {
		t.Errorf("the largest record: %v", err)
	}
}
