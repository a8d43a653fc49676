// Package wire is the fetch protocol on the wire: the messages and their
// capability trailer, the two envelopes they travel in, the signature over the
// outer one, and the addresses of records and peers (WIR-1 to WIR-9).
//
// # Views
//
// Decoders allocate nothing but the error they return. What they hand out
// (Data, Reason, Payload, UserAgent) are views into the caller's buffer: they
// live as long as it does and change when it does. [Message.Clone] makes an
// owned copy. Encoders append to the caller's buffer and return it.
//
// # Order of checks
//
// [Verifier.Open] judges an envelope in this order and stops at the first
// failure, cheapest first:
//
//  1. size: more than [MaxEnvelope] bytes is refused unread (WIR-5);
//  2. the seven outer fields are read;
//  3. the protocol name, which says whether the rest is for this package;
//  4. the public key's length, then that from is its BLAKE3-256 hash (WIR-9);
//  5. the signature (WIR-9);
//  6. the inner envelope: message id, direction, payload and its size.
//
// The payload, which holds the message, is never looked at: decoding it with
// [DecodeRequest] or [DecodeMessage] comes after, so nothing of a message whose
// sender is unproven is ever decoded.
//
// # Errors
//
// Every failure is a [*DecodeError] around one of the sentinel errors of this
// package, for [errors.Is]; [ClassOf] maps it to a small number for counters.
// An error repeats nothing that a peer wrote except keys, in hex: it is safe to
// log.
package wire
