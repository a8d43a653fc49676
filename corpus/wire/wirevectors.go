// Package wirevectors has the wire vectors: bytes of messages and envelopes, with
// the verdicts that the rules give them (WIR-1 to WIR-9). The files say how they
// were made; none came out of a decoder.
package wirevectors

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

//go:embed vectors.tsv
var vectors string

//go:embed more.tsv
var more string

//go:embed envelopes.tsv
var envelopes string

// maxVector bounds what an expression may expand to, in bytes: some more than the
// largest envelope.
const maxVector = 16 << 20

// Capability is what a request says about busy replies (WIR-3).
type Capability string

// The capabilities as they are written in the files.
const (
	Yes           Capability = "yes"
	No            Capability = "no"
	NotApplicable Capability = "-" // a response, or not decodable
)

// Message is a vector for the message decoders.
type Message struct {
	// ID is unique across both files of messages.
	ID string
	// Bytes are the message with its trailer.
	Bytes []byte
	// Now is the verdict of a decoder that knows Busy, Before of one from before
	// the change (WIR-4).
	Now, Before string
	// Capability is what the request's trailer says.
	Capability Capability
	// Note says what is special about it.
	Note string
}

// Envelope is a vector for opening envelopes.
type Envelope struct {
	// ID is unique in its file.
	ID string
	// Bytes are the outer envelope.
	Bytes []byte
	// Verdict is "ok" or the reason for the drop.
	Verdict string
	// Note says what is special about it.
	Note string
}

// Messages reads vectors.tsv and more.tsv, in that order. An error has file and
// line.
func Messages() ([]Message, error) {
	var all []Message
	for _, file := range []struct{ name, text string }{{"vectors.tsv", vectors}, {"more.tsv", more}} {
		err := rows(file.name, file.text, 6, func(data []byte, f []string) {
			all = append(all, Message{f[0], data, f[2], f[3], Capability(f[4]), f[5]})
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Envelopes reads envelopes.tsv. An error has file and line.
func Envelopes() ([]Envelope, error) {
	var all []Envelope
	err := rows("envelopes.tsv", envelopes, 4, func(data []byte, f []string) {
		all = append(all, Envelope{f[0], data, f[2], f[3]})
	})
	return all, err
}

// rows calls yield for each vector of a file, with its bytes and its columns.
func rows(name, text string, columns int, yield func(data []byte, fields []string)) error {
	defined := map[string][]byte{}
	seen := map[string]bool{}
	line := 0
	for row := range strings.Lines(text) {
		line++
		row = strings.TrimRight(row, "\r\n")
		if row == "" || row[0] == '#' {
			continue
		}
		fields := strings.Split(row, "\t")
		if len(fields) < 2 {
			return fmt.Errorf("%s:%d: no tab", name, line)
		}
		data, err := expand(fields[1], defined)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
		switch definition, ok := strings.CutPrefix(fields[0], "$"); {
		case ok:
			defined[definition] = data
		case len(fields) != columns:
			return fmt.Errorf("%s:%d: %d columns, want %d", name, line, len(fields), columns)
		case seen[fields[0]]:
			return fmt.Errorf("%s:%d: %s is there twice", name, line, fields[0])
		default:
			seen[fields[0]] = true
			yield(data, fields)
		}
	}
	return nil
}

// expand turns an expression into bytes: hex, xx*n and {name}, joined by +; a
// lone - is empty.
func expand(expression string, defined map[string][]byte) ([]byte, error) {
	if expression == "-" {
		return []byte{}, nil
	}
	var out []byte
	for segment := range strings.SplitSeq(expression, "+") {
		part, err := expandSegment(segment, defined)
		if err != nil {
			return nil, err
		}
		if out = append(out, part...); len(out) > maxVector {
			return nil, fmt.Errorf("more than %d bytes", maxVector)
		}
	}
	return out, nil
}

func expandSegment(segment string, defined map[string][]byte) ([]byte, error) {
	if name, ok := strings.CutPrefix(segment, "{"); ok {
		data, ok := defined[strings.TrimSuffix(name, "}")]
		if !ok {
			return nil, fmt.Errorf("%s is not defined", segment)
		}
		return data, nil
	}
	if segment == "" {
		return nil, errors.New("an empty segment; no bytes are written as -")
	}
	digits, times, repeated := strings.Cut(segment, "*")
	data, err := hex.DecodeString(digits)
	if err != nil {
		return nil, err
	}
	if !repeated {
		return data, nil
	}
	n, err := strconv.Atoi(times)
	if err != nil || n < 0 || n > maxVector || len(data) != 1 {
		return nil, fmt.Errorf("bad repetition %q", segment)
	}
	return bytes.Repeat(data, n), nil
}
