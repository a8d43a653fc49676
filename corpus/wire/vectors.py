"""Writes more.tsv and envelopes.tsv: python3 vectors.py, in this directory.

Bytes and verdicts are written down from the rules; nothing here decodes, and
nothing of the code under test takes part. Signatures are made by OpenSSL through
the package cryptography (48 or later); they are randomised, so that each run
writes other envelopes. Addresses are hashed by blake3.py.
"""

import re

import envelopes
import messages

NOTATION = """# Bytes are hex; xx*n is the byte xx n times, {A} a definition from above, + joins, - is none.
"""

MORE = """# More wire vectors for a fetch message, made by vectors.py from the rules and not by a decoder.
# id, message, verdict of a decoder that knows Busy, verdict of one that does not, capability (requests), note.
"""

ENVELOPES = """# Wire vectors for the envelopes, made by vectors.py from the rules, with OpenSSL's ML-DSA-65, and not by a decoder.
# A definition: its name after a $, its bytes. A vector: id, envelope, verdict of the one who opens it, note.
"""

SEGMENT = re.compile(r"(?:[0-9a-f]{2})+|[0-9a-f]{2}\*\d+|\{[AB]\}")


def checked(expression):
    for segment in expression.split("+"):
        assert expression == "-" or SEGMENT.fullmatch(segment), segment
    return expression


def numbered(prefix, lines):
    return ["%s%02d\t%s\n" % (prefix, i + 1, "\t".join(line)) for i, line in enumerate(lines)]


def main():
    lines = [[checked(row[1]), *row[2:]] for row in messages.rows()]
    with open("more.tsv", "w", encoding="utf-8") as f:
        f.write(MORE + NOTATION + "".join(numbered("M", lines)))
    lines = [[checked(expression), verdict, note] for verdict, expression, note in envelopes.rows()]
    with open("envelopes.tsv", "w", encoding="utf-8") as f:
        f.write(ENVELOPES + NOTATION)
        for node in (envelopes.A, envelopes.B):
            f.write("$%s\t%s\n" % (node.name, node.public.hex()))
        f.write("".join(numbered("E", lines)))


main()
