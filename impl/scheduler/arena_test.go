package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBlockSizes: a block is of the smallest class that holds what is asked for:
// exactly so many words up to 16, at most three more up to 64, less than twice as
// many above.
func TestBlockSizes(t *testing.T) {
	sizes := []int{}
	for n := 1; n <= 5000; n++ {
		sizes = append(sizes, n)
	}
	for shift := 13; shift <= 31; shift++ {
		sizes = append(sizes, 1<<shift-1, 1<<shift, 1<<(shift-1)+1)
	}
	for _, n := range sizes {
		c := classOf(n)
		if c < 0 || c >= arenaClasses {
			t.Fatalf("%d words are of class %d of %d", n, c, arenaClasses)
		}
		got, most := classWords(c), 2*n-1
		switch {
		case n <= 16:
			most = n
		case n <= 64:
			most = n + 3
		}
		if got < n || got > most {
			t.Fatalf("a block for %d words has %d, want at most %d", n, got, most)
		}
		if classOf(got) != c || c > 0 && classWords(c-1) >= n {
			t.Fatalf("%d words: class %d of %d words is not the smallest", n, c, got)
		}
	}
}

// TestArenaPages: pages are filled to the last word, each with room for four times
// as many as the one before, up to 16,384; a block that is larger has a page of
// its own.
func TestArenaPages(t *testing.T) {
	var a arena
	for page, words := range []int{64, 256, 1024, 4096, 16384, 16384} {
		for n := range words {
			if a.alloc(1); len(a.pages) != page+1 {
				t.Fatalf("%d pages after %d words of page %d", len(a.pages), n+1, page)
			}
		}
		if len(a.pages[page]) != words {
			t.Fatalf("page %d has %d words, want %d", page, len(a.pages[page]), words)
		}
	}
	large := a.alloc(20000)
	small := a.alloc(1)
	if len(a.words(large)) != 1<<15 || len(a.pages) != 8 || len(a.pages[6]) != 1<<15 {
		t.Fatalf("%d words in %d pages", len(a.words(large)), len(a.pages))
	}
	if len(a.words(small)) != 1 || a.words(span{}) != nil {
		t.Fatal("words of one, or of none")
	}
	var b arena
	b.alloc(60)
	if b.alloc(5); len(b.pages) != 2 || b.used != 5 {
		t.Fatalf("%d words of page %d are used, want 5 of the second", b.used, len(b.pages))
	}
}

// held is a block and what was written to it.
type held struct {
	at   span
	mark uint32
}

// TestArena: blocks that are in use keep what is written to them, however others
// come, grow and go, and memory that was given back is used again.
func TestArena(t *testing.T) {
	var a, copied arena
	rng := rand.New(rand.NewPCG(1, 42))
	var in []held
	check := func(a *arena) {
		t.Helper()
		for _, h := range in {
			words := a.words(h.at)
			if len(words) != int(h.at.words) || cap(words) != len(words) {
				t.Fatalf("a block of %d has %d words, and room for %d", h.at.words, len(words), cap(words))
			}
			for _, w := range words {
				if w != h.mark {
					t.Fatalf("a block of %d: %d where %d was written", len(words), w, h.mark)
				}
			}
		}
	}
	fill := func(h held) held {
		words := a.words(h.at)
		for i := range words {
			words[i] = h.mark
		}
		return h
	}
	for n := range uint32(20_000) {
		switch i := rng.IntN(41); {
		case i >= len(in):
			in = append(in, fill(held{a.alloc(1 + rng.IntN(100)), n}))
		case i%2 == 0:
			h, more := in[i], 1+rng.IntN(20)
			old, size := h.mark, int(h.at.words)
			h.at = a.grow(h.at, size+more)
			words := a.words(h.at)
			if len(words) < size+more || slices.ContainsFunc(words[:size], func(w uint32) bool { return w != old }) {
				t.Fatalf("a block of %d that grew by %d: %v", size, more, words)
			}
			in[i] = fill(h)
			if size > 300 {
				a.release(in[i].at)
				in = slices.Delete(in, i, i+1)
			}
		default:
			a.release(in[i].at)
			in = slices.Delete(in, i, i+1)
		}
		if n%500 == 0 {
			copied.copyFrom(&a)
			check(&a)
			for _, h := range in[:len(in)/2] {
				a.words(h.at)[0]++ // shows in the copy if they share memory
			}
			check(&copied)
			for _, h := range in[:len(in)/2] {
				a.words(h.at)[0]--
			}
		}
	}
	if len(a.pages) > 6 {
		t.Fatalf("%d pages for at most 40 blocks at a time", len(a.pages))
	}
	a.release(span{}) // is nothing
	b := a.alloc(7)
	a.release(b)
	if again := a.alloc(7); again != b {
		t.Fatalf("a block at %d was given back, and the next is at %d", b.ref, again.ref)
	}
	if c := a.grow(b, 9); a.alloc(7) != b {
		t.Fatalf("a block grew into %d, and its memory is not used again", c.ref)
	}
}

// TestCopyPages: a copy has the pages of its source and no more, in memory of its
// own, and what memory it had is used again.
func TestCopyPages(t *testing.T) {
	for _, c := range []struct {
		name      string
		has, room int // pages of the copy, and how many it once had
		pages     [][]int
	}{
		{"new", 0, 0, [][]int{{1, 2}, {3}}},
		{"from nothing", 2, 2, nil},
		{"larger", 3, 3, [][]int{{1}, {2, 3}}},
		{"smaller", 1, 1, [][]int{{1}, {2, 3}, {4}}},
		{"once larger", 1, 4, [][]int{{1}, {2, 3}, {4}}},
		{"as large", 2, 2, [][]int{{1}, {2, 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			had := make([][]int, c.room)
			for i := range had {
				had[i] = []int{7, 8, 9, 10}
			}
			old := slices.Clone(had)
			got := copyPages(had[:c.has], c.pages)
			if !slices.EqualFunc(got, c.pages, slices.Equal) {
				t.Fatalf("%v, want %v", got, c.pages)
			}
			for i := range got {
				if &got[i][0] == &c.pages[i][0] {
					t.Errorf("page %d is its source's", i)
				}
				if i < c.room && &got[i][0] != &old[i][0] {
					t.Errorf("page %d is not in the memory of the one before", i)
				}
			}
		})
	}
}
