package wire

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// AppendRequest appends a fetch request, with the capability trailer if
// asksBusy (WIR-1, WIR-3).
func AppendRequest(dst []byte, requestID uint64, key Key, asksBusy bool) []byte {
	dst = appendVarint(dst, requestID)
	dst = append(dst, bodyRequest)
	dst = append(dst, key[:]...)
	if asksBusy {
		dst = appendTrailer(dst)
	}
	return dst
}

// AppendSuccess appends a response with the record. It copies data once, into
// dst; a record above [MaxRecord] is encoded all the same, and the receiver will
// call it invalid (WIR-5).
func AppendSuccess(dst []byte, requestID uint64, key Key, data []byte) []byte {
	return appendBytes(appendResponse(dst, requestID, responseSuccess, key), data)
}

// AppendNotFound appends a response that the record is not here.
func AppendNotFound(dst []byte, requestID uint64, key Key) []byte {
	return appendResponse(dst, requestID, responseNotFound, key)
}

// AppendError appends a response with a reason for people. What is not UTF-8 in
// it is replaced by U+FFFD, because no decoder would take it (WIR-5).
func AppendError(dst []byte, requestID uint64, key Key, reason string) []byte {
	reason = strings.ToValidUTF8(reason, string(utf8.RuneError))
	return appendText(appendResponse(dst, requestID, responseError, key), reason)
}

// AppendBusy appends a response that the request was refused for now. Only a
// requester that asked for it can read it (RSP-4, WIR-4).
func AppendBusy(dst []byte, requestID uint64, key Key) []byte {
	return appendResponse(dst, requestID, responseBusy, key)
}

func appendResponse(dst []byte, requestID uint64, variant byte, key Key) []byte {
	dst = appendVarint(dst, requestID)
	dst = append(dst, bodyResponse, variant)
	return append(dst, key[:]...)
}

// AppendMessage appends m, whatever its kind; a kind that is none of the five is
// a mistake of the caller's and panics. Fields that the kind does not have are
// not written.
func AppendMessage(dst []byte, m *Message) []byte {
	switch m.Kind {
	case FetchRequest:
		return AppendRequest(dst, m.RequestID, m.Key, m.AsksBusy)
	case Success:
		return AppendSuccess(dst, m.RequestID, m.Key, m.Data)
	case NotFound:
		return AppendNotFound(dst, m.RequestID, m.Key)
	case ErrorReply:
		return appendBytes(appendResponse(dst, m.RequestID, responseError, m.Key), validReason(m.Reason))
	case Busy:
		return AppendBusy(dst, m.RequestID, m.Key)
	}
	panic(fmt.Sprintf("wire: no message has kind %d", m.Kind))
}

// MessageSize is the number of bytes that [AppendMessage] appends for m.
func MessageSize(m *Message) int {
	n := varintSize(m.RequestID) + 1 + len(m.Key)
	if m.Kind != FetchRequest {
		n++ // the response variant
	}
	switch {
	case m.Kind == FetchRequest && m.AsksBusy:
		n += trailerSize
	case m.Kind == Success:
		n += blockSize(len(m.Data))
	case m.Kind == ErrorReply:
		n += blockSize(len(validReason(m.Reason)))
	}
	return n
}

// validReason is reason itself, unless it has to be mended as in [AppendError].
func validReason(reason []byte) []byte {
	if utf8.Valid(reason) {
		return reason
	}
	return bytes.ToValidUTF8(reason, []byte(string(utf8.RuneError)))
}
