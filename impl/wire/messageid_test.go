package wire_test

import (
	"strings"
	"testing"

	"fetchproof/impl/wire"
)

// An id is the random bytes with six of their bits replaced, and no other
// (WIR-8).
func TestNewMessageID(t *testing.T) {
	for want, random := range map[string][16]byte{
		"00000000-0000-4000-8000-000000000000": {},
		"ffffffff-ffff-4fff-bfff-ffffffffffff": {
			0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		},
		"10213243-5465-4687-98a9-bacbdcedfe0f": {
			0x10, 0x21, 0x32, 0x43, 0x54, 0x65, 0x76, 0x87, 0x98, 0xa9, 0xba, 0xcb, 0xdc, 0xed, 0xfe, 0x0f,
		},
		"f0e1d2c3-b4a5-4978-a958-473625140302": {
			0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0xb9, 0x78, 0x69, 0x58, 0x47, 0x36, 0x25, 0x14, 0x03, 0x02,
		},
	} {
		if got := wire.NewMessageID(random).String(); got != want {
			t.Errorf("%x makes %s, want %s", random, got, want)
		}
	}
}

// Of all bytes in all places of an id, those are taken that spell a UUIDv4 in
// lower case, and each other one is refused with its place (WIR-8).
func TestMessageIDSpelling(t *testing.T) {
	const digits, good = "0123456789abcdef", "01234567-89ab-4cde-8f01-23456789abcd"
	for i := range len(good) {
		allowed, what, place := digits, "message id digit", i
		switch i {
		case 8, 13, 18, 23:
			allowed, what = "-", "message id hyphen"
		case 14:
			allowed = "4"
		case 19:
			allowed = "89ab"
		}
		for ch := range 256 {
			text := []byte(good)
			text[i] = byte(ch)
			id, err := wire.ParseMessageID(text)
			if strings.IndexByte(allowed, byte(ch)) >= 0 {
				if err != nil || id.String() != string(text) {
					t.Errorf("%q: %v, %v", text, id, err)
				}
				continue
			}
			wantWhat, wantPlace := what, place
			if (i == 14 || i == 19) && strings.IndexByte(digits, byte(ch)) >= 0 {
				wantWhat, wantPlace = "message id version", 14
			}
			refusedAt(t, string(text), err, wire.ErrMessageID, wantWhat, wantPlace)
			if id != (wire.MessageID{}) {
				t.Errorf("%q is refused, and yet %v", text, id)
			}
		}
	}
	for _, text := range []string{"", good[1:], good + "0"} {
		_, err := wire.ParseMessageID([]byte(text))
		refusedAt(t, text, err, wire.ErrMessageID, "message id length", 0)
	}
}
