"""The message vectors of vectors.py: bytes and verdicts by the rules WIR-1 to WIR-5."""

KEY = bytes(range(32)).hex()
TRAILER = b"antf\x01".hex()
REQUEST = "0107" + KEY
BIG = 10 * 1024 * 1024


def rows():
    """Yields class, bytes, verdict now, verdict before, capability, note."""

    def bad(verdict, data, note, before=None):
        return verdict, data, verdict, before or verdict, "-", note

    def ok(data, capability, note, before="ok"):
        return "ok", data, "ok", before, capability, note

    yield bad("truncated", "ac", "half a request id")
    yield bad("truncated", "ff*9", "nine of ten bytes of a request id")
    yield bad("truncated", "0187", "half a body variant")
    yield bad("truncated", "0107", "a request without a key")
    yield bad("truncated", "0108", "a response without a variant")
    yield bad("truncated", "010880", "half a response variant")
    yield bad("truncated", "010801" + KEY[:62], "NotFound with 31 bytes of key")
    yield bad("truncated", "010803" + KEY[:62], "Busy with 31 bytes of key", "unknown-variant")
    yield bad("truncated", "010800" + KEY[:62], "Success with 31 bytes of key")
    yield bad("truncated", "010800" + KEY + "c8", "half a data length")
    yield bad("truncated", "010800" + KEY + "8080808010", "a data length of 2^32 and no data")
    yield bad("truncated", "010802" + KEY, "Error without a length")
    yield bad("truncated", "010802" + KEY + "ffffffffffffffff7f" + "616161", "a reason length of 2^63-1")
    yield bad("truncated", "010802" + KEY + "02c3", "a reason cut inside a letter is truncated before it is bad UTF-8")

    yield bad("bad-varint", "ff*9+7f07" + KEY, "request id: tenth byte 7f")
    yield bad("bad-varint", "80*9+02", "request id: tenth byte 02, and nothing after")
    yield bad("bad-varint", "ff*12", "request id: twelve bytes")
    yield bad("bad-varint", "01ffffffff1f" + KEY, "body variant: fifth byte 1f")
    yield bad("bad-varint", "018780808080" + "00" + KEY, "body variant: six bytes")
    yield bad("bad-varint", "01ffffffffff", "body variant: fifth byte goes on, and the input ends")
    yield bad("bad-varint", "01088080808010" + KEY, "response variant: fifth byte 10")
    yield bad("bad-varint", "0108838080808000" + KEY, "response variant: six bytes for Busy")
    yield bad("bad-varint", "010800" + KEY + "+80*9+02", "data length: tenth byte 02")
    yield bad("bad-varint", "010802" + KEY + "+80*10+00", "reason length: eleven bytes")

    for text, note in (
        ("80", "a lone continuation byte"),
        ("c3", "a letter cut by the length"),
        ("c080", "an overlong NUL"),
        ("e080af", "an overlong slash"),
        ("eda080", "a surrogate"),
        ("f4908080", "above U+10FFFF"),
        ("f5808080", "a byte that UTF-8 does not have"),
        ("6f6bff", "a good start"),
    ):
        size = "%02x" % (len(text) // 2)
        yield bad("bad-utf8", "010802" + KEY + size + text, "reason: " + note)
    yield bad("bad-utf8", "010802" + KEY + "01ff" + TRAILER, "reason: not saved by a tail")

    for tag, note in (
        ("12", "18"),
        ("7f", "127"),
        ("8001", "128"),
        ("9100", "17, overlong"),
        ("ffffffff0f", "the largest u32"),
    ):
        yield bad("unknown-variant", "01" + tag + KEY, "body variant " + note)
    for tag, note in (("05", "5"), ("7f", "127"), ("8400", "4, overlong"), ("ffffffff0f", "the largest u32")):
        yield bad("unknown-variant", "0108" + tag + KEY, "response variant " + note)
    yield bad("unknown-variant", "010804", "an unknown response variant is told before the missing key")

    for tag in (0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16):
        yield bad("not-fetch", "01%02x" % tag + KEY, "body variant %d" % tag)
    yield bad("not-fetch", "019000", "body variant 16, overlong, and nothing after")
    yield bad("not-fetch", "018080808000" + TRAILER, "body variant 0 in five bytes")

    yield bad("oversized", "00*%d" % (BIG + 1), "refused before decoding: it would not be a fetch message")
    yield bad("oversized", "80*%d" % (BIG + 1), "refused before decoding: it would be a bad varint")
    yield bad("oversized", REQUEST + "+00*%d" % (BIG + 1 - 34), "a request with a tail, one byte too long")
    # 34 bytes and the response variant, a length of four bytes, the data.
    head = 35 + 4
    yield bad("oversized", "010800" + KEY + size4(BIG + 1 - head) + "+5a*%d" % (BIG + 1 - head), "Success, one byte too long")
    yield bad("oversized", "010802" + KEY + size4(BIG + 1 - head) + "+61*%d" % (BIG + 1 - head), "Error, one byte too long")

    yield ok(REQUEST + "+00*%d" % (BIG - 34), "no", "a request with a tail, exactly 10 MiB")
    yield ok("010800" + KEY + size4(BIG - head) + "+5a*%d" % (BIG - head), "-", "Success, exactly 10 MiB of message")
    yield ok("010802" + KEY + size4(BIG - head) + "+61*%d" % (BIG - head), "-", "Error, exactly 10 MiB of message")
    yield ok("010800" + KEY + size4(4194305) + "+5a*4194305", "-", "a record of 4 MiB and a byte decodes")

    yield ok("81+80*8+0007" + KEY, "no", "request id 1 in ten bytes")
    yield ok("80*9+0107" + KEY + TRAILER, "yes", "request id 2^63; a trailer after it")
    yield ok("01878000" + KEY + TRAILER, "yes", "body variant 7 in three bytes; a trailer after it")
    yield ok("0188008180808000" + KEY, "-", "NotFound with both variants overlong")
    yield ok("0108838000" + KEY, "-", "Busy, overlong", "unknown-variant")
    yield ok("010800" + KEY + "83+80*8+00616263", "-", "a data length of 3 in ten bytes")
    yield ok("010802" + KEY + "8200" + "6f6b", "-", "a reason length of 2 in two bytes")
    yield ok("010802" + KEY + "00", "-", "an empty reason")
    yield ok("010802" + KEY + "0b" + "00" + "c2a9" + "e282ac" + "f09f9880" + "7f", "-", "reason: one to four bytes a letter")

    for tail, capability, note in (
        (TRAILER + "00", "no", "a byte after the trailer"),
        ("00" + TRAILER, "no", "a byte before the trailer"),
        (TRAILER * 2, "no", "two trailers"),
        (b"ANTF\x01".hex(), "no", "the magic in capitals"),
        (b"antg\x01".hex(), "no", "a wrong last letter"),
        ("00*5", "no", "five zeros"),
        (b"antf".hex() + "fe", "no", "all bits but the one"),
        (b"antf".hex() + "7f", "yes", "more bits than the one"),
    ):
        yield ok(REQUEST + "+" + tail, capability, "request: " + note)
    ending = "0107" + KEY[:54] + TRAILER
    yield ok(ending, "no", "the key ends like a trailer, and no trailer follows")
    yield ok(ending + b"antf".hex(), "no", "the key ends like a trailer, and four bytes follow")
    for head, note in (("010800" + KEY + "0161", "Success"), ("010801" + KEY, "NotFound"), ("010802" + KEY + "0161", "Error")):
        yield ok(head + TRAILER, "-", note + ": a tail like a trailer is ignored")
    yield ok("010803" + KEY + TRAILER, "-", "Busy: a tail like a trailer is ignored", "unknown-variant")


def size4(n):
    """A length as a varint of the four bytes that it needs."""
    assert 1 << 21 <= n < 1 << 28
    return bytes((n & 127 | 128, n >> 7 & 127 | 128, n >> 14 & 127 | 128, n >> 21)).hex()
