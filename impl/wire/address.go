package wire

import (
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/zeebo/blake3"
)

// MaxRecord is the largest record, in bytes. A larger one decodes and is then
// invalid (WIR-5).
const MaxRecord = 4 << 20

// The ways in which a record can fail to be the one asked for.
var (
	// ErrRecordSize: more than [MaxRecord] bytes (WIR-5).
	ErrRecordSize = errors.New("wire: record too large")
	// ErrRecordHash: the bytes do not hash to the key (WIR-7).
	ErrRecordHash = errors.New("wire: record does not hash to its key")
)

// Key names a record: the BLAKE3-256 hash of its bytes (WIR-7).
type Key [32]byte

// KeyOf is the key of a record.
func KeyOf(record []byte) Key { return blake3.Sum256(record) }

// String is the key as 64 lower-case hex digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// CheckRecord says whether data is the record that key names: [ErrRecordSize]
// or [ErrRecordHash] if not (WIR-5, WIR-7). It hashes all of data, about a
// millisecond for [MaxRecord].
func CheckRecord(key Key, data []byte) error {
	if len(data) > MaxRecord {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrRecordSize, len(data), MaxRecord)
	}
	if got := KeyOf(data); got != key {
		return fmt.Errorf("%w: %v, not %v", ErrRecordHash, got, key)
	}
	return nil
}

// peerDigits is the length of a peer id in text.
const peerDigits = 2 * len(PeerID{})

// PeerID names a peer: the BLAKE3-256 hash of its public key (WIR-8).
type PeerID [32]byte

// PeerOf is the id of the peer that owns a public key.
func PeerOf(publicKey []byte) PeerID { return blake3.Sum256(publicKey) }

// String is the id as it is written in an envelope: 64 lower-case hex digits.
func (p PeerID) String() string { return hex.EncodeToString(p[:]) }

// written says whether text is exactly how this id is written. Upper-case
// digits are another text, and so another sender (WIR-8).
func (p PeerID) written(text []byte) bool {
	var want [peerDigits]byte
	hex.Encode(want[:], p[:])
	return string(text) == string(want[:])
}
