package ops

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Key names a record. Keys compare as bytes.
type Key [32]byte

// Peer names a node. Peers compare as bytes.
type Peer [32]byte

// Distance is the XOR distance of a key to this node: a big-endian number.
type Distance [32]byte

// Compare orders keys as bytes.
func (k Key) Compare(o Key) int { return bytes.Compare(k[:], o[:]) }

// Compare orders peers as bytes.
func (p Peer) Compare(o Peer) int { return bytes.Compare(p[:], o[:]) }

// Compare orders distances as numbers.
func (d Distance) Compare(o Distance) int { return bytes.Compare(d[:], o[:]) }

// CompareIDs orders two names as bytes, without copying them.
func CompareIDs[ID ~[32]byte](a, b *ID) int { return bytes.Compare((*a)[:], (*b)[:]) }

// Nearer reports whether (d1, k1) is nearer than (d2, k2): the total order of section 1 of the rules.
func Nearer(d1 Distance, k1 Key, d2 Distance, k2 Key) bool {
	if c := d1.Compare(d2); c != 0 {
		return c < 0
	}
	return k1.Compare(k2) < 0
}

// DistanceOf is the distance with the value n.
func DistanceOf(n uint64) Distance {
	var d Distance
	binary.BigEndian.PutUint64(d[24:], n)
	return d
}

// Names: an identifier whose bytes are a word followed by zeros is written as that word, any other as 0x and 64 hex
// digits. So names need no table, they order as they read, and text and bytes convert into each other without loss.

// KeyNamed is the key written as name, for tests and generators. It panics if name is no word of at most 32 bytes.
func KeyNamed(name string) Key { return Key(mustWord(name)) }

// PeerNamed is the peer written as name. It panics if name is no word of at most 32 bytes.
func PeerNamed(name string) Peer { return Peer(mustWord(name)) }

func mustWord(name string) [32]byte {
	id, err := parseID(name)
	if err != nil {
		panic(err)
	}
	return id
}

// String is the key's name.
func (k Key) String() string { return formatID(k) }

// String is the peer's name.
func (p Peer) String() string { return formatID(p) }

// String is the number in decimal if it is below 2^64, else 0x and 64 hex digits.
func (d Distance) String() string {
	if [24]byte(d[:24]) == ([24]byte{}) {
		return strconv.FormatUint(binary.BigEndian.Uint64(d[24:]), 10)
	}
	return "0x" + hex.EncodeToString(d[:])
}

func isWordByte(c byte, first bool) bool {
	letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	return letter || !first && (c >= '0' && c <= '9' || c == '_' || c == '-')
}

func wordLen(id [32]byte) int {
	n := 0
	for n < len(id) && isWordByte(id[n], n == 0) {
		n++
	}
	for _, c := range id[n:] {
		if c != 0 {
			return 0
		}
	}
	return n
}

func formatID(id [32]byte) string {
	if n := wordLen(id); n > 0 {
		return string(id[:n])
	}
	return "0x" + hex.EncodeToString(id[:])
}

func parseID(s string) (id [32]byte, err error) {
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		return parseHex32(digits)
	}
	if s == "" || len(s) > len(id) {
		return id, fmt.Errorf("name %q: want a word of 1 to 32 letters, digits, _ or -, or 0x and 64 hex digits", clip(s))
	}
	for i := range len(s) {
		if !isWordByte(s[i], i == 0) {
			return id, fmt.Errorf("name %q: want a word that begins with a letter, or 0x and 64 hex digits", clip(s))
		}
	}
	copy(id[:], s)
	return id, nil
}

func parseHex32(digits string) (id [32]byte, err error) {
	if len(digits) != 64 || strings.ToLower(digits) != digits {
		return id, fmt.Errorf("%q: want 64 lower-case hex digits", clip(digits))
	}
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return id, fmt.Errorf("%q: want 64 lower-case hex digits", clip(digits))
	}
	return id, nil
}

// ParseKey reads a key as String writes it.
func ParseKey(s string) (Key, error) {
	id, err := parseID(s)
	return Key(id), err
}

// ParsePeer reads a peer as String writes it.
func ParsePeer(s string) (Peer, error) {
	id, err := parseID(s)
	return Peer(id), err
}

// ParseDistance reads a decimal number below 2^64, or 0x and 64 hex digits.
func ParseDistance(s string) (Distance, error) {
	if digits, ok := strings.CutPrefix(s, "0x"); ok {
		id, err := parseHex32(digits)
		return Distance(id), err
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return Distance{}, fmt.Errorf("distance %q: want a number below 2^64, or 0x and 64 hex digits", clip(s))
	}
	return DistanceOf(n), nil
}

// clip keeps an error message short whatever the input.
func clip(s string) string {
	if len(s) > 80 {
		return s[:77] + "..."
	}
	return s
}
