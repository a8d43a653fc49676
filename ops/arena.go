package ops

// Arena hands out short lists cut from one growing buffer, so that a state can be filled at every step without
// allocating. A list stays valid until Reset even if the buffer grows: it then keeps the old buffer alive.
type Arena[T any] struct{ buf []T }

// Reset takes every list back.
func (a *Arena[T]) Reset() { a.buf = a.buf[:0] }

// Copy is a list with the elements of src; nil for none, so that absent and empty are one.
func (a *Arena[T]) Copy(src []T) []T {
	if len(src) == 0 {
		return nil
	}
	dst := a.Make(len(src))
	copy(dst, src)
	return dst
}

// Make is a list of n elements, to be overwritten.
func (a *Arena[T]) Make(n int) []T {
	start := len(a.buf)
	if start+n > cap(a.buf) {
		a.buf = make([]T, 0, max(2*cap(a.buf), n, 64))
		start = 0
	}
	a.buf = a.buf[:start+n]
	return a.buf[start : start+n : start+n]
}
