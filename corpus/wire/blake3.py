"""BLAKE3-256 as its specification describes it, for vectors.py."""

import struct

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
MASK = 0xFFFFFFFF
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def rotate(x, n):
    return (x >> n | x << (32 - n)) & MASK


def mix(v, a, b, c, d, x, y):
    for word, first, second in ((x, 16, 12), (y, 8, 7)):
        v[a] = (v[a] + v[b] + word) & MASK
        v[d] = rotate(v[d] ^ v[a], first)
        v[c] = (v[c] + v[d]) & MASK
        v[b] = rotate(v[b] ^ v[c], second)


def compress(cv, block, counter, flags):
    m = list(struct.unpack("<16I", block.ljust(64, b"\0")))
    v = list(cv) + list(IV[:4]) + [counter & MASK, counter >> 32, len(block), flags]
    for _ in range(7):
        for i, (a, b, c, d) in enumerate(COLUMNS + DIAGONALS):
            mix(v, a, b, c, d, m[2 * i], m[2 * i + 1])
        m = [m[p] for p in PERMUTATION]
    return [v[i] ^ v[i + 8] for i in range(8)]


def chunk(data, counter, root):
    cv = IV
    blocks = [data[i : i + 64] for i in range(0, len(data), 64)] or [b""]
    for i, block in enumerate(blocks):
        flags = CHUNK_START if i == 0 else 0
        if i == len(blocks) - 1:
            flags |= CHUNK_END | root
        cv = compress(cv, block, counter, flags)
    return cv


def tree(data, counter, root):
    if len(data) <= 1024:
        return chunk(data, counter, root)
    left = 1024
    while left * 2 < len(data):
        left *= 2
    children = tree(data[:left], counter, 0) + tree(data[left:], counter + left // 1024, 0)
    return compress(IV, struct.pack("<16I", *children), 0, PARENT | root)


def digest(data):
    return struct.pack("<8I", *tree(data, 0, ROOT))


assert digest(b"hello").hex() == "ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f"
