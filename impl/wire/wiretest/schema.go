package wiretest

import (
	"math/big"
	"unicode/utf8"
)

// schema is a type of the wire, read off the rules: the reference decoder walks
// it and knows nothing of messages or envelopes.
type schema interface {
	// read takes a value off the front of in.
	read(in []byte) (value any, rest []byte, verdict string)
}

type (
	// number is a varint below two to the power of bits; a uint64.
	number struct{ bits int }
	// octets is that many raw bytes; a []byte.
	octets struct{ length int }
	// block is a length and that many bytes; a []byte.
	block struct{}
	// text is a block of UTF-8; a string.
	text struct{}
	// truth is a bool.
	truth struct{}
	// record is its fields in order; a map by name.
	record []field
	// choice is a number and the case it picks; a Chosen.
	choice map[uint64]schema
	// foreign is a case that exists and is not of this protocol.
	foreign struct{}
)

type field struct {
	name string
	of   schema
}

// Chosen is the value of a choice: which case, and the case's value.
type Chosen struct {
	Case  uint64
	Value any
}

func (s number) read(in []byte) (any, []byte, string) {
	longest := (s.bits + 6) / 7
	sum := new(big.Int)
	for i := range longest {
		if len(in) == 0 {
			return nil, nil, Truncated
		}
		low := big.NewInt(int64(in[0] % 128))
		sum.Add(sum, low.Lsh(low, uint(7*i)))
		more := in[0] >= 128
		in = in[1:]
		if !more {
			if sum.BitLen() > s.bits {
				return nil, nil, BadVarint
			}
			return sum.Uint64(), in, OK
		}
	}
	return nil, nil, BadVarint
}

func (s octets) read(in []byte) (any, []byte, string) {
	if len(in) < s.length {
		return nil, nil, Truncated
	}
	return append([]byte{}, in[:s.length]...), in[s.length:], OK
}

func (block) read(in []byte) (any, []byte, string) {
	length, rest, verdict := number{64}.read(in)
	if verdict != OK {
		return nil, nil, verdict
	}
	if length.(uint64) > uint64(len(rest)) {
		return nil, nil, Truncated
	}
	return octets{int(length.(uint64))}.read(rest)
}

func (text) read(in []byte) (any, []byte, string) {
	b, rest, verdict := block{}.read(in)
	if verdict != OK {
		return nil, nil, verdict
	}
	if !utf8.Valid(b.([]byte)) {
		return nil, nil, BadUTF8
	}
	return string(b.([]byte)), rest, OK
}

func (truth) read(in []byte) (any, []byte, string) {
	b, rest, verdict := octets{1}.read(in)
	if verdict != OK {
		return nil, nil, verdict
	}
	switch b.([]byte)[0] {
	case 0:
		return false, rest, OK
	case 1:
		return true, rest, OK
	}
	return nil, nil, BadBool
}

func (s record) read(in []byte) (any, []byte, string) {
	fields := map[string]any{}
	for _, f := range s {
		value, rest, verdict := f.of.read(in)
		if verdict != OK {
			return nil, nil, verdict
		}
		fields[f.name], in = value, rest
	}
	return fields, in, OK
}

func (s choice) read(in []byte) (any, []byte, string) {
	tag, rest, verdict := number{32}.read(in)
	if verdict != OK {
		return nil, nil, verdict
	}
	of, ok := s[tag.(uint64)]
	if !ok {
		return nil, nil, UnknownVariant
	}
	value, rest, verdict := of.read(rest)
	if verdict != OK {
		return nil, nil, verdict
	}
	return Chosen{tag.(uint64), value}, rest, OK
}

func (foreign) read([]byte) (any, []byte, string) { return nil, nil, NotFetch }
