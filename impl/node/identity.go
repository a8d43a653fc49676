package node

import (
	crand "crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fetchproof/impl/wire"
)

// maxSeedFile is how many bytes a seed's file may have: the seed in hex, and room
// around it.
const maxSeedFile = 1 << 10

// identity reads the identity, or makes it.
func identity(file string) (*wire.Signer, error) {
	if file == "" {
		return wire.GenerateSigner(crand.Reader)
	}
	text, err := readFile(file, maxSeedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return newIdentity(file)
	}
	if err != nil {
		return nil, err
	}
	seed, ok := parseHex(strings.TrimSpace(string(text)))
	if !ok {
		return nil, fmt.Errorf("%w: %s is no seed: want 64 hex digits", ErrUsage, file)
	}
	return wire.NewSigner(seed), nil
}

func newIdentity(file string) (*wire.Signer, error) {
	var seed [wire.SeedSize]byte
	_, _ = crand.Read(seed[:]) // never fails, see its documentation
	return wire.NewSigner(seed), os.WriteFile(file, []byte(hex.EncodeToString(seed[:])+"\n"), 0o600)
}
