package gate

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
)

// ParseSeed reads a seed: a number below 2^64 or a commit hash of 40 hex digits, of which the first 16 count. An empty one
// is drawn anew.
func ParseSeed(s string) (uint64, error) {
	switch len(s) {
	case 0:
		var b [8]byte
		_, _ = rand.Read(b[:]) // never fails, see its documentation
		// Half of the bits are easier to read and serve as well.
		return binary.BigEndian.Uint64(b[:]) >> 32, nil
	case 40:
		b, err := hex.DecodeString(s)
		if err != nil {
			return 0, fmt.Errorf("seed %q: want a number or a commit hash of 40 hex digits", s)
		}
		return binary.BigEndian.Uint64(b), nil
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("seed %q: want a number below 2^64 or a commit hash of 40 hex digits", s)
	}
	return n, nil
}
