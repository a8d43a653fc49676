"""The envelope vectors of vectors.py: bytes and verdicts by the rules WIR-8 and WIR-9."""

import uuid

from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA65PrivateKey

import blake3
from messages import BIG, KEY, REQUEST, TRAILER

PROTOCOL = b"/rr/autonomi.ant.replication.v2"
AGENT = b"fetchproof/vectors"
ID = str(uuid.UUID(int=0x0123456789ABCDEF8123456789ABCDEF, version=4)).encode()
TIME = 1_700_000_000
LIMIT = BIG + 64 * 1024


class Node:
    def __init__(self, name, seed):
        self.name = name
        self.secret = MLDSA65PrivateKey.from_seed_bytes(seed)
        self.public = self.secret.public_key().public_bytes_raw()
        self.id = blake3.digest(self.public).hex().encode()


A = Node("A", bytes(range(32)))
B = Node("B", bytes(range(32, 64)))


def varint(n, width=1):
    """The varint of n in at least width bytes."""
    out = []
    while n > 127 or len(out) < width - 1:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + [n])


def block(data, width=1):
    return varint(len(data), width) + data


def inner(message_id=ID, flag=b"\0", payload=bytes.fromhex(REQUEST + TRAILER), width=1, tail=b""):
    return block(message_id) + flag + block(payload, width) + tail


def five(data, protocol=PROTOCOL, sender=A.id, time=TIME, agent=AGENT, width=1):
    return block(protocol, width) + block(data, width) + block(sender, width) + varint(time, width) + block(agent, width)


class Vector:
    """An envelope whose signature is right unless told otherwise."""

    def __init__(self, verdict, note, fields, public=A.public, signer=A, over=None, signature=None, tail="", context=b""):
        self.verdict, self.note, self.fields, self.public, self.tail = verdict, note, fields, public, tail
        if signature is None:
            over = fields if over is None else over
            signature = signer.secret.sign(over, context)
        self.signature = signature

    def expression(self):
        parts = [squeeze(self.fields), block_of(self.public), squeeze(block(self.signature))]
        return "+".join(parts + ([self.tail] if self.tail else []))


def block_of(public):
    for node in (A, B):
        if public == node.public:
            return varint(1952).hex() + "+{" + node.name + "}"
    return squeeze(block(public))


def squeeze(data):
    """Hex, with a long run of zeros written as such."""
    run = data.find(bytes(4096))
    if run < 0:
        return data.hex()
    end = run
    while end < len(data) and data[end] == 0:
        end += 1
    parts = [data[:run].hex(), "00*%d" % (end - run), data[end:].hex()]
    return "+".join(p for p in parts if p)


def rows():
    """Yields verdict, expression, note."""
    for v in signed():
        yield v.verdict, v.expression(), v.note
    whole = Vector("ok", "", five(inner()))
    hex_ = whole.fields.hex()
    yield "truncated", "-", "empty"
    yield "truncated", hex_, "nothing after the five fields"
    yield "truncated", hex_ + varint(1952).hex() + "+{A}+" + block(whole.signature)[:-1].hex(), "a signature that lacks its last byte"
    yield "truncated", "1f" + PROTOCOL.hex() + "+ff*9+01", "data of 2^64-1 bytes"
    yield "bad-varint", "80*10+00", "the protocol's length in eleven bytes"
    yield "bad-varint", "1f" + PROTOCOL.hex() + "+ff*9+02", "data's length: tenth byte 02"
    yield "bad-varint", (block(PROTOCOL) + block(inner()) + block(A.id)).hex() + "+80*10", "a timestamp without end"
    yield "oversized", "00*%d" % (LIMIT + 1), "refused unread"
    good = len(whole.fields) + 2 + 1952 + 2 + 3309
    yield "oversized", whole.expression() + "+00*%d" % (LIMIT + 1 - good), "a good envelope with a tail, one byte too long"
    yield "ok", whole.expression() + "+00*%d" % (LIMIT - good), "the same, exactly at the bound"


def signed():
    success = bytes.fromhex("010800ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f0568656c6c6f")
    yield Vector("ok", "a request with its trailer", five(inner()))
    yield Vector("ok", "a response", five(inner(flag=b"\1", payload=success)))
    yield Vector("ok", "from another node, with no user agent and the largest time", five(inner(), sender=B.id, time=2**64 - 1, agent=b""), B.public, B)
    yield Vector("ok", "an empty payload and a user agent beyond ASCII", five(inner(payload=b""), agent="hé ☃".encode()))
    yield Vector("ok", "outer varints overlong; the signature is over the canonical form", five(inner(), width=3), over=five(inner()))
    yield Vector("ok", "inner varints overlong; data is signed as it is", five(inner(width=4)))
    yield Vector("ok", "bytes after the inner envelope", five(inner(tail=b"antf\1")))
    yield Vector("ok", "bytes after the outer envelope", five(inner()), tail="616e746601")
    yield Vector("ok", "a payload that is no message is not looked at", five(inner(payload=b"\xff" * 20)))

    yield Vector("bad-signature", "over the overlong form instead of the canonical one", five(inner(), width=2))
    yield Vector("bad-signature", "by another key", five(inner()), signer=B)
    yield Vector("bad-signature", "with a context", five(inner()), context=b"antf")
    yield Vector("bad-signature", "over another user agent", five(inner()), over=five(inner(), agent=b"other"))
    yield Vector("bad-signature", "over another direction", five(inner(flag=b"\1")), over=five(inner()))
    yield Vector("bad-signature", "over four fields", five(inner(), agent=b""), over=five(inner(), agent=b"")[:-1])
    good = A.secret.sign(five(inner()))
    yield Vector("bad-signature", "a bit flipped", five(inner()), signature=bytes([good[0] ^ 1]) + good[1:])
    yield Vector("bad-signature", "the last byte cut", five(inner()), signature=good[:-1])
    yield Vector("bad-signature", "a byte more", five(inner()), signature=good + b"\0")
    yield Vector("bad-signature", "none", five(inner()), signature=b"")
    yield Vector("bad-signature", "told before the inner envelope, which is truncated", five(b""), signature=bytes(3309))

    yield Vector("sender-mismatch", "another node's id", five(inner(), sender=B.id))
    yield Vector("sender-mismatch", "another node's key", five(inner()), B.public, B)
    yield Vector("sender-mismatch", "upper-case digits", five(inner(), sender=A.id.upper()))
    yield Vector("sender-mismatch", "one digit short", five(inner(), sender=A.id[:-1]))
    yield Vector("sender-mismatch", "one digit more", five(inner(), sender=A.id + b"0"))
    yield Vector("sender-mismatch", "empty", five(inner(), sender=b""))
    yield Vector("sender-mismatch", "told before a bad signature", five(inner(), sender=B.id), signature=bytes(3309))

    for public, note in ((A.public[:-1], "a byte short"), (A.public + b"\0", "a byte more"), (b"", "none")):
        own = blake3.digest(public).hex().encode()
        yield Vector("bad-public-key", note, five(inner(), sender=own), public)

    for protocol in (b"/rr/autonomi.ant.replication.v1", b"autonomi.ant.replication.v2", PROTOCOL + b"/", b""):
        yield Vector("bad-protocol", protocol.decode() or "empty", five(inner(), protocol=protocol))

    for field in ({"protocol": b"/rr/\xff"}, {"sender": b"\xc3("}, {"agent": b"\xed\xa0\x80"}):
        yield Vector("bad-utf8", "outer " + ", ".join(field), five(inner(), **field))
    yield Vector("bad-utf8", "inner message id", five(inner(message_id=b"\xff" * 36)))

    for flag in (2, 0x80, 0xFF):
        yield Vector("bad-bool", "%02x" % flag, five(inner(flag=bytes([flag]))))

    text = ID.decode()
    for message_id, note in (
        ("", "empty"),
        (text.upper(), "upper-case digits"),
        (text.replace("-", ""), "no hyphens"),
        ("{" + text[1:-1] + "}", "braces"),
        (text[:14] + "1" + text[15:], "version 1"),
        (text[:19] + "c" + text[20:], "variant c"),
        (text + "0", "a digit more"),
        (text[:8] + "0-" + text[10:], "a hyphen in the wrong place"),
    ):
        yield Vector("bad-message-id", note, five(inner(message_id=message_id.encode())))

    yield Vector("truncated", "inner: empty", five(b""))
    yield Vector("truncated", "inner: no payload", five(block(ID) + b"\0"))
    yield Vector("truncated", "inner: a payload beyond it", five(block(ID) + b"\0" + b"\x05abcd"))
    yield Vector("bad-varint", "inner: payload length", five(block(ID) + b"\0" + b"\xff" * 9 + b"\x02"))
    yield Vector("oversized", "inner: a payload of 10 MiB and a byte", five(inner(payload=bytes(BIG + 1))))
    yield Vector("ok", "inner: a payload of exactly 10 MiB", five(inner(payload=bytes(BIG))))
