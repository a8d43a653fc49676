// Package shapes has the statements and expressions that are hard to rewrite, each in a function that prints what it did.
package shapes

import (
	"fmt"
	"iter"
	"sort"
	"strings"
	"time"
)

// Case is one shape, and what it prints.
type Case struct {
	Name string
	Run  func() string
	Want string
}

// Cases is all of them.
var Cases = []Case{
	{"generic", func() string { return fmt.Sprint(total([]time.Duration{1, 2, 3}), total([]int{4})) }, "9ns 5"},
	{"shadowed", func() string { return fmt.Sprint(shadowed(3)) }, "9"},
	{"flags", func() string { return fmt.Sprint(both(true, false), both(true, true)) }, "false true"},
	{"labels", func() string { return fmt.Sprint(labels([][]int{{1, 2}, {3, -1, 4}, {5}, {0, 6}})) }, "11"},
	{"switches", func() string { return switches(1) + switches(2) + switches(7) + switches(40) }, "one few many lots "},
	{"commaok", func() string { return fmt.Sprint(commaOK(map[string]int{"a": 1}, "a"), commaOK(nil, 3)) }, "1 -1"},
	{"tuple", func() string { return fmt.Sprint(tuple(7, 2)) }, "3 1 <nil>"},
	{"recovered", func() string { return fmt.Sprint(recovered(0), recovered(2)) }, "-1 5"},
	{"choose", func() string { return fmt.Sprint(choose(4)) }, "5"},
	{"literals", func() string { return strings.Join(literals(), ",") }, "c3,b2,a1"},
	{"sequence", func() string { return fmt.Sprint(sequence(3)) }, "6"},
	{"post", func() string { return fmt.Sprint(post()) }, "[0 3 6] 3"},
	{"jump", func() string { return fmt.Sprint(jump(3)) }, "6"},
	{"elses", func() string { return elses(-1) + elses(0) + elses(1) }, "neg zero pos "},
	{"local", func() string { return fmt.Sprint(local(2)) }, "{3 true}"},
	{"defers", func() string { return fmt.Sprint(defers()) }, "210"},
	{"kinds", func() string { return kinds(3) + kinds("x") + kinds(nil) }, "int string other "},
	{"constants", func() string { return fmt.Sprint(width*2, second, time.Duration(2)*time.Second) }, "8 2 2s"},
	{"strings", func() string { return concat("a", "b") }, "a-b"},
}

const width = 4

const (
	_ = iota
	first
	second
)

type number interface{ ~int | ~int64 }

func total[T number](xs []T) T {
	var sum T
	for i := 0; i < len(xs); i++ {
		next := xs[i] + 1
		sum += next
		if i == 0 && next > 0 {
			continue
		}
	}
	return sum + zeroOf[T]()
}

func zeroOf[T number]() T { return 5*0 + T(1)*0 + 1 - 1 }

type count int

func shadowed(n count) count {
	next := n + 1
	count := next * 2
	other := count + 1
	return other
}

type flag bool

func both(a, b flag) flag {
	if a && b {
		return a
	}
	ok := a && b || false
	return ok
}

func labels(rows [][]int) int {
	sum := 0
outer:
	for _, row := range rows {
		for j := range row {
			switch {
			case row[j] < 0:
				continue outer
			case row[j] == 0:
				break outer
			}
			sum += row[j]
		}
	}
	return sum
}

func switches(n int) string {
	switch m := n % 50; m + 1 {
	case 2:
		return "one "
	case 3:
		fallthrough
	case 4:
		return "few "
	default:
		if m > 10 {
			return "lots "
		}
	}
	return "many "
}

func commaOK(v any, key any) int {
	m, ok := v.(map[string]int)
	if !ok {
		return -1
	}
	name, _ := key.(string)
	if n, found := m[name]; found {
		return n
	}
	return 0
}

func divide(a, b int) (q, r int, err error) {
	if b == 0 {
		return 0, 0, fmt.Errorf("divide %d by zero", a)
	}
	return a / b, a % b, nil
}

func tuple(a, b int) (int, int, error) {
	q, r, err := divide(a, b)
	return q, r, err
}

func recovered(n int) (out int) {
	defer func() {
		if v := recover(); v != nil {
			out = -1
		}
	}()
	return 10 / n
}

func choose(n int) int {
	in, done := make(chan int, 1), make(chan struct{})
	in <- n + 1
	select {
	case v := <-in:
		return v
	case <-done:
		return -1
	}
}

func literals() []string {
	xs := []struct {
		name string
		rank int
	}{{"a", 1}, {"b", 2}, {"c", 3}}
	sort.Slice(xs, func(i, j int) bool {
		a, b := xs[i], xs[j]
		return a.rank > b.rank
	})
	var out []string
	for _, x := range xs {
		out = append(out, fmt.Sprintf("%s%d", x.name, x.rank))
	}
	return out
}

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n + 1 {
			if !yield(i) {
				return
			}
		}
	}
}

func sequence(n int) (sum int) {
	for i := range upTo(n) {
		sum += i
	}
	return
}

func post() ([]int, int) {
	var fs []func() int
	for i := 0; i < 9; i += 3 {
		fs = append(fs, func() int { return i })
	}
	var out []int
	for _, f := range fs {
		out = append(out, f())
	}
	return out, len(fs)
}

func jump(n int) int {
	sum := 0
again:
	if n > 0 {
		sum += n
		n--
		goto again
	}
	return sum
}

func elses(n int) string {
	var s string
	if n < 0 {
		s = "neg"
	} else if n == 0 {
		s = "zero"
	} else {
		s = "pos"
	}
	return s + " "
}

func local(n int) any {
	type pair struct {
		N  int
		Ok bool
	}
	make1 := func(n int) pair { return pair{n, true} }
	p := make1(n + 1)
	return p
}

func defers() (n int) {
	for i := range 3 {
		defer func() { n = n*10 + i }()
	}
	return n
}

func kinds(v any) string {
	switch v := v.(type) {
	case int:
		if v > 0 {
			return "int "
		}
	case string:
		return "string "
	}
	return "other "
}

func concat(a, b string) string { return a + "-" + b }
