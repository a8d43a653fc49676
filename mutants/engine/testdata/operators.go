package sample

import "strings"

type record struct {
	n  int
	ok bool
}

func boundary(a, b int) bool { return a < b }

func negate(a, b int, ok bool) int {
	if ok || !ok && a != b {
		return a
	}
	return b
}

func arithmetic(a, b int, s string) (int, string) {
	a *= b
	a++
	return -a + b%a, s + s
}

func bits(a, b uint) uint { return a&b + ^a<<b }

func constant(u uint8) (int, rune) {
	const fixed = 3
	return fixed + 2, rune(u - 0)
}

func boolean() record { return record{ok: true} }

func statement(m map[string]int, r *record) {
	r.n = 1
	delete(m, "x")
	for range m {
		if r.ok {
			continue
		}
		return
	}
}

func assign(a, b, c int) int {
	a, b = b, a
	a, b, c = 1, c, a
	d, e := a, b
	return d + e*c
}

func zero(r *record, s string) (*record, string, record, error) { return r, s, *r, nil }

func elses(n int) int {
	if n > 0 {
		n = 1
	} else if n < 0 {
		n = 2
	} else {
		n = 3
	}
	return n
}

func swap(a, b int, s string) (int, bool) {
	_ = min(a, b)
	return max(a, b), strings.HasPrefix(s, s+"x")
}

func loop(xs []int, n int) (sum int) {
	for i := 0; i < n; i++ {
		sum += i
	}
	for _, x := range xs {
		sum += x
	}
	return
}
