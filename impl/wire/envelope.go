package wire

// Protocol is the name that an envelope must carry (WIR-8).
const Protocol = "/rr/autonomi.ant.replication.v2"

// MaxEnvelope is the largest envelope, in bytes, and the most that a transport
// need read: [MaxMessage] and 64 KiB for the envelopes around it, of which the
// key, the signature and the fixed fields take 5.5 KiB and the user agent may
// take the rest.
const MaxEnvelope = MaxMessage + 64<<10

// Outer is the outer envelope as it was read: nothing in it is proven yet. All
// slices are views (WIR-8).
type Outer struct {
	// Protocol is text, any.
	Protocol []byte
	// Data is the inner envelope, unread.
	Data []byte
	// From is text, by rights the sender's peer id.
	From []byte
	// Timestamp is the sender's clock in seconds.
	Timestamp uint64
	// UserAgent is text, any.
	UserAgent []byte
	// PublicKey is the sender's, of any length.
	PublicKey []byte
	// Signature is over the five fields before PublicKey, of any length.
	Signature []byte

	// five is the part of the input that holds the first five fields; the public
	// key begins where it ends.
	five []byte
	// fromAt and signatureAt are where those fields begin in the input.
	fromAt, signatureAt int
}

// Inner is the inner envelope. Payload is a view (WIR-8).
type Inner struct {
	// MessageID ties a response to its request.
	MessageID MessageID
	// IsResponse is the message's direction.
	IsResponse bool
	// Payload is the message and its trailer, at most [MaxMessage] bytes.
	Payload []byte
}

// DecodeOuter reads the seven fields of an outer envelope and checks their form
// alone; what follows them is not signed and is ignored. It fails with
// [ErrOversized], [ErrTruncated], [ErrBadVarint] or [ErrBadUTF8], and o is then
// zero. Use [Verifier.Open] for an envelope that came from a peer.
func DecodeOuter(buf []byte, o *Outer) error {
	c := cursor{buf: buf}
	err := c.outer(o)
	if err != nil {
		*o = Outer{}
	}
	return err
}

// outer sets every field of o, or fails.
func (c *cursor) outer(o *Outer) (err error) {
	if len(c.buf) > MaxEnvelope {
		return refuse(ErrOversized, "envelope", MaxEnvelope)
	}
	if o.Protocol, err = c.text("protocol"); err != nil {
		return err
	}
	if o.Data, err = c.bytes("envelope data"); err != nil {
		return err
	}
	o.fromAt = c.off
	if o.From, err = c.text("from"); err != nil {
		return err
	}
	if o.Timestamp, err = c.u64("timestamp"); err != nil {
		return err
	}
	if o.UserAgent, err = c.text("user agent"); err != nil {
		return err
	}
	o.five = c.buf[:c.off:c.off]
	if o.PublicKey, err = c.bytes("public key"); err != nil {
		return err
	}
	o.signatureAt = c.off
	o.Signature, err = c.bytes("signature")
	return err
}

// Signed is what the signature is over: the postcard of the first five fields
// (WIR-8). Postcard has one canonical form and the signer wrote that, so input
// with overlong varints, which WIR-2 accepts, is encoded again; any other is
// returned as a view. An overlong form is always longer, hence the comparison.
func (o *Outer) Signed() []byte {
	size := blockSize(len(o.Protocol)) + blockSize(len(o.Data)) + blockSize(len(o.From)) +
		varintSize(o.Timestamp) + blockSize(len(o.UserAgent))
	if len(o.five) == size {
		return o.five
	}
	dst := make([]byte, 0, size)
	dst = appendBytes(dst, o.Protocol)
	dst = appendBytes(dst, o.Data)
	dst = appendBytes(dst, o.From)
	dst = appendVarint(dst, o.Timestamp)
	return appendBytes(dst, o.UserAgent)
}

// DecodeInner reads an inner envelope; what follows it is ignored. It fails with
// [ErrTruncated], [ErrBadVarint], [ErrBadUTF8], [ErrMessageID], [ErrBadBool], or
// [ErrOversized] for a payload above [MaxMessage], and in is then zero.
func DecodeInner(buf []byte, in *Inner) error {
	c := cursor{buf: buf}
	err := c.inner(in)
	if err != nil {
		*in = Inner{}
	}
	return err
}

// inner sets every field of in, or fails.
func (c *cursor) inner(in *Inner) error {
	id, err := c.text("message id")
	if err != nil {
		return err
	}
	if in.IsResponse, err = c.boolean("is-response flag"); err != nil {
		return err
	}
	start := c.off
	if in.Payload, err = c.bytes("payload"); err != nil {
		return err
	}
	if in.MessageID, err = ParseMessageID(id); err != nil {
		return refuse(ErrMessageID, "message id", 0)
	}
	if len(in.Payload) > MaxMessage {
		return refuse(ErrOversized, "payload", start)
	}
	return nil
}
