package wire

import (
	"github.com/cloudflare/circl/sign/mldsa/mldsa65"
)

// Envelope is an envelope whose sender is proven (WIR-9). UserAgent and Payload
// are views.
type Envelope struct {
	// From is the sender: the hash of the key that signed.
	From PeerID
	// Timestamp is the sender's clock in seconds, believed by nobody.
	Timestamp uint64
	// UserAgent is UTF-8, any.
	UserAgent []byte
	// Inner has the message id, the direction and the payload.
	Inner
}

// Verifier opens envelopes. It remembers the unpacked public keys of recent
// senders, because unpacking costs more than verifying. It may be used
// concurrently.
type Verifier struct {
	keys *keyCache
}

// NewVerifier makes a verifier that remembers at most keys public keys, about
// 40 KiB each; below 1 counts as [DefaultKeys].
func NewVerifier(keys int) *Verifier {
	if keys < 1 {
		keys = DefaultKeys
	}
	return &Verifier{keys: newKeyCache(keys)}
}

// Open reads an envelope and proves its sender, in the order that the package
// comment gives. The payload is not decoded. It fails with any of the sentinel
// errors but those of message bodies; a caller counts the drop by its [Class]
// (WIR-9).
func (v *Verifier) Open(buf []byte) (Envelope, error) {
	var o Outer
	if err := DecodeOuter(buf, &o); err != nil {
		return Envelope{}, err
	}
	from, err := v.prove(&o)
	if err != nil {
		return Envelope{}, err
	}
	e := Envelope{From: from, Timestamp: o.Timestamp, UserAgent: o.UserAgent}
	if err := DecodeInner(o.Data, &e.Inner); err != nil {
		return Envelope{}, err
	}
	return e, nil
}

// prove establishes who signed an envelope (WIR-8, WIR-9).
func (v *Verifier) prove(o *Outer) (PeerID, error) {
	if string(o.Protocol) != Protocol {
		return PeerID{}, refuse(ErrProtocol, "protocol", 0)
	}
	if len(o.PublicKey) != PublicKeySize {
		return PeerID{}, refuse(ErrPublicKey, "public key length", len(o.five))
	}
	k := v.sender(o.PublicKey)
	if !k.peer.written(o.From) {
		return PeerID{}, refuse(ErrSender, "from", o.fromAt)
	}
	if err := v.verify(k, o.PublicKey, o.Signed(), o.Signature, o.signatureAt); err != nil {
		return PeerID{}, err
	}
	return k.peer, nil
}

// Verify checks a signature over message with an empty context. It fails with
// [ErrPublicKey] for a key of the wrong length and with [ErrSignature].
func (v *Verifier) Verify(publicKey, message, signature []byte) error {
	if len(publicKey) != PublicKeySize {
		return refuse(ErrPublicKey, "public key length", 0)
	}
	return v.verify(v.sender(publicKey), publicKey, message, signature, 0)
}

// sender is what the cache knows of a public key, or else its owner alone.
func (v *Verifier) sender(publicKey []byte) *senderKey {
	if k := v.keys.get(publicKey); k != nil {
		return k
	}
	return &senderKey{peer: PeerOf(publicKey)}
}

// verify expects a public key of the right length; at is where the signature
// begins in the input. The key enters the cache only once it has verified
// something, so that forged envelopes under invented keys push nobody out.
func (v *Verifier) verify(k *senderKey, publicKey, message, signature []byte, at int) error {
	if len(signature) != SignatureSize {
		return refuse(ErrSignature, "signature length", at)
	}
	cached := k.key != nil
	if !cached {
		k.unpack(publicKey)
	}
	if !mldsa65.Verify(k.key, message, nil, signature) {
		return refuse(ErrSignature, "signature", at)
	}
	if !cached {
		v.keys.put(k)
	}
	return nil
}
