package transport

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"time"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/wire"
)

// ALPN is the application protocol of the TLS handshake.
const ALPN = "autonomi.ant.replication/2"

// ServerTLS makes a certificate and the configuration of the side that is dialled.
// The dates are fixed because nobody looks at them and clocks differ.
func ServerTLS() (*tls.Config, error) {
	var seed [ed25519.SeedSize]byte
	_, _ = rand.Read(seed[:]) // never fails, see its documentation
	private := ed25519.NewKeyFromSeed(seed[:])
	template := x509.Certificate{
		NotBefore: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:  time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, private.Public(), private)
	if err != nil {
		return nil, fmt.Errorf("transport: making a certificate: %w", err)
	}
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		NextProtos:   []string{ALPN},
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: private}},
	}, nil
}

// ClientTLS is the configuration of the side that dials. It takes any certificate:
// the sender of each message is proven by its own signature (WIR-9).
func ClientTLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, NextProtos: []string{ALPN}, InsecureSkipVerify: true}
}

// resetKey makes the key of stateless resets from the identity, so that a node that
// was restarted tells its old peers at their next packet.
func resetKey(s *wire.Signer) *quic.StatelessResetKey {
	seed := s.Seed()
	k := quic.StatelessResetKey(wire.KeyOf(append([]byte("stateless reset "), seed[:]...)))
	return &k
}
