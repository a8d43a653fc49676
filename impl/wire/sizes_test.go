package wire_test

import (
	"bytes"
	"reflect"
	"testing"

	"fetchproof/impl/wire"
)

// The bounds are those of the rules, to the byte (WIR-5).
func TestBounds(t *testing.T) {
	if wire.MaxRecord != 4_194_304 || wire.MaxMessage != 10_485_760 || wire.MaxEnvelope != 10_485_760+65_536 {
		t.Errorf("a record has %d bytes at most, a message %d, an envelope %d", wire.MaxRecord, wire.MaxMessage, wire.MaxEnvelope)
	}
}

// Fields that a kind does not have are neither written nor counted.
func TestForeignFieldsAreNotWritten(t *testing.T) {
	for _, m := range oneOfEach() {
		want := wire.AppendMessage(nil, &m)
		full := m
		if m.Kind != wire.FetchRequest {
			full.AsksBusy = true
		}
		if m.Kind != wire.Success {
			full.Data = []byte("foreign data")
		}
		if m.Kind != wire.ErrorReply {
			full.Reason = []byte("foreign reason \xff")
		}
		if got := wire.AppendMessage(nil, &full); !bytes.Equal(got, want) || wire.MessageSize(&full) != len(want) {
			t.Errorf("%v: %x, said %d bytes; want %x", m.Kind, got, wire.MessageSize(&full), want)
		}
	}
}

// A sealed envelope gets just the memory that it fills, whatever it carries.
func TestSealedFillsItsBuffer(t *testing.T) {
	s := wire.NewSigner([32]byte{7})
	for _, n := range []int{0, 1, 90, 127, 128, 16_384, 100_000} {
		for _, dst := range [][]byte{nil, []byte("keep")[:4:4]} {
			h := header()
			h.Timestamp = 1 << (n % 64)
			m := wire.Message{RequestID: uint64(n), Kind: wire.Success, Data: make([]byte, n)}
			byParts, err := wire.Seal(dst, s, h, wire.AppendMessage(nil, &m))
			if err != nil {
				t.Fatal(err)
			}
			whole, err := wire.SealMessage(dst, s, h, &m)
			if err != nil {
				t.Fatal(err)
			}
			if cap(byParts) != len(byParts) || cap(whole) != len(whole) {
				t.Errorf("%d bytes of record behind %q: %d bytes in room for %d, %d in %d",
					n, dst, len(byParts), cap(byParts), len(whole), cap(whole))
			}
		}
	}
}

// What a target held before does not show in what is decoded into it.
func TestDecodeIntoUsed(t *testing.T) {
	for i, d := range decoders() {
		list := inputs(t, d.name)
		switch d.name {
		case "outer":
			list = append(list, seal(t, wire.NewSigner([32]byte{8})))
		case "inner":
			list = append(list, []byte("\x24fffffff0-0506-4f08-bf0a-0b0c0d0e0f10\x00\x00"))
		}
		for _, before := range list {
			for _, input := range list {
				fresh := decoders()[i]
				if err := fresh.decode(input); err != nil {
					t.Fatalf("%s: %v", d.name, err)
				}
				if err := d.decode(before); err != nil {
					t.Fatalf("%s: %v", d.name, err)
				}
				if err := d.decode(input); err != nil || !reflect.DeepEqual(d.into, fresh.into) {
					t.Errorf("%s: %v, %+v; want %+v", d.name, err, d.into, fresh.into)
				}
			}
		}
	}
}
