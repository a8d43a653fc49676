package wire

import (
	"fmt"
	"io"

	"github.com/cloudflare/circl/sign/mldsa/mldsa65"
)

// Sizes of ML-DSA-65, in bytes (WIR-8).
const (
	SeedSize      = mldsa65.SeedSize
	PublicKeySize = mldsa65.PublicKeySize
	SignatureSize = mldsa65.SignatureSize
)

// Signer is a node's identity: the key with which it signs and the peer id that
// follows from it (WIR-8). It does not change and may be used concurrently.
type Signer struct {
	seed   [SeedSize]byte
	key    *mldsa65.PrivateKey
	public [PublicKeySize]byte
	id     PeerID
}

// NewSigner derives the identity from its seed, which is all that has to be
// stored of it.
func NewSigner(seed [SeedSize]byte) *Signer {
	public, key := mldsa65.NewKeyFromSeed(&seed)
	s := &Signer{seed: seed, key: key}
	public.Pack(&s.public)
	s.id = PeerOf(s.public[:])
	return s
}

// GenerateSigner makes a new identity from 32 bytes of random, which should be
// crypto/rand.Reader outside tests.
func GenerateSigner(random io.Reader) (*Signer, error) {
	var seed [SeedSize]byte
	if _, err := io.ReadFull(random, seed[:]); err != nil {
		return nil, fmt.Errorf("wire: reading a key seed: %w", err)
	}
	return NewSigner(seed), nil
}

// Seed is the secret from which [NewSigner] makes the same identity.
func (s *Signer) Seed() [SeedSize]byte { return s.seed }

// PublicKey is the packed public key.
func (s *Signer) PublicKey() [PublicKeySize]byte { return s.public }

// ID is the peer id of this identity.
func (s *Signer) ID() PeerID { return s.id }

// AppendSignature appends the signature over message, [SignatureSize] bytes,
// with an empty context (WIR-8). It uses the deterministic variant of FIPS 204:
// the same message gives the same bytes. message and dst may share memory.
func (s *Signer) AppendSignature(dst, message []byte) []byte {
	dst = reserve(dst, SignatureSize)
	end := len(dst) + SignatureSize
	if err := mldsa65.SignTo(s.key, message, nil, false, dst[len(dst):end]); err != nil {
		// Only a context above 255 bytes makes it fail, and there is none.
		panic("wire: signing: " + err.Error())
	}
	return dst[:end]
}

// Format writes the peer id whatever the verb, so that no log shows the seed.
func (s Signer) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "signer "+s.id.String())
}
