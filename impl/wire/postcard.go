package wire

import (
	"math/bits"
	"unicode/utf8"
)

// WIR-2: a u64 varint has at most ten bytes, the tenth at most 01; a u32 at
// most five, the fifth at most 0f.
const (
	u64Bytes, u64Last = 10, 0x01
	u32Bytes, u32Last = 5, 0x0f
)

// cursor reads postcard from the front of buf. A failed read ends the decoding:
// neither off nor the value beside the error means anything then.
type cursor struct {
	buf []byte
	off int
}

func (c *cursor) u64(what string) (uint64, error) {
	if c.off < len(c.buf) && c.buf[c.off] < 0x80 {
		c.off++
		return uint64(c.buf[c.off-1]), nil
	}
	return c.varint(u64Bytes, u64Last, what)
}

func (c *cursor) u32(what string) (uint32, error) {
	if c.off < len(c.buf) && c.buf[c.off] < 0x80 {
		c.off++
		return uint32(c.buf[c.off-1]), nil
	}
	v, err := c.varint(u32Bytes, u32Last, what)
	return uint32(v), err
}

// varint reads at most width bytes, the last of them at most last. Because last
// is below 80, the byte number width always ends the loop.
func (c *cursor) varint(width int, last byte, what string) (uint64, error) {
	rest := c.buf[c.off:]
	var v uint64
	for i := 0; ; i++ {
		if i == len(rest) {
			return 0, refuse(ErrTruncated, what, c.off)
		}
		b := rest[i]
		if i == width-1 && b > last {
			return 0, refuse(ErrBadVarint, what, c.off)
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			c.off += i + 1
			return v, nil
		}
	}
}

// raw returns a view of the next n bytes. Its capacity ends with it, so that
// appending to a view never writes into the input.
func (c *cursor) raw(n int, what string) ([]byte, error) {
	if n > len(c.buf)-c.off {
		return nil, refuse(ErrTruncated, what, c.off)
	}
	v := c.buf[c.off : c.off+n : c.off+n]
	c.off += n
	return v, nil
}

// bytes reads a length and a view of that many bytes. The length is compared
// before anything else is done with it, so a huge one costs nothing (WIR-5).
func (c *cursor) bytes(what string) ([]byte, error) {
	start := c.off
	n, err := c.u64(what)
	if err != nil {
		return nil, err
	}
	if n > uint64(len(c.buf)-c.off) {
		return nil, refuse(ErrTruncated, what, start)
	}
	v := c.buf[c.off : c.off+int(n) : c.off+int(n)]
	c.off += int(n)
	return v, nil
}

// text is bytes that must be UTF-8.
func (c *cursor) text(what string) ([]byte, error) {
	start := c.off
	v, err := c.bytes(what)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(v) {
		return nil, refuse(ErrBadUTF8, what, start)
	}
	return v, nil
}

func (c *cursor) boolean(what string) (bool, error) {
	if c.off == len(c.buf) {
		return false, refuse(ErrTruncated, what, c.off)
	}
	b := c.buf[c.off]
	if b > 1 {
		return false, refuse(ErrBadBool, what, c.off)
	}
	c.off++
	return b == 1, nil
}

// appendVarint writes the shortest form, the only one produced (WIR-2).
func appendVarint(dst []byte, v uint64) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}

func appendBytes(dst, v []byte) []byte {
	return append(appendVarint(dst, uint64(len(v))), v...)
}

func appendText(dst []byte, v string) []byte {
	return append(appendVarint(dst, uint64(len(v))), v...)
}

func appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// varintSize is the length of appendVarint's output.
func varintSize(v uint64) int {
	return (bits.Len64(v|1) + 6) / 7
}

// blockSize is the length of n bytes with their length in front.
func blockSize(n int) int {
	return varintSize(uint64(n)) + n
}

// reserve makes room for n more bytes with one allocation of just that size.
// slices.Grow would do, but makes two under the race detector, and 4 MiB is a lot
// to make twice.
func reserve(dst []byte, n int) []byte {
	if cap(dst)-len(dst) >= n {
		return dst
	}
	return append(make([]byte, 0, len(dst)+n), dst...)
}
