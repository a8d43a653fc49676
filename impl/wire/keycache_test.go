package wire

import (
	"errors"
	"slices"
	"testing"
)

// kept is the peers of the cache, the last used first.
func (c *keyCache) kept() []byte {
	var out []byte
	for e := c.recent.Front(); e != nil; e = e.Next() {
		out = append(out, e.Value.(*senderKey).peer[0])
	}
	return out
}

// The cache keeps at most its limit, forgets the one used longest ago, and does
// so the same way each time.
func TestKeyCacheEviction(t *testing.T) {
	c := newKeyCache(3)
	key := func(n byte) *senderKey { return &senderKey{peer: PeerID{n}, packed: string([]byte{n})} }
	for _, step := range []struct {
		put, get byte
		want     []byte
	}{
		{put: 1, want: []byte{1}},
		{put: 2, want: []byte{2, 1}},
		{put: 3, want: []byte{3, 2, 1}},
		{get: 1, want: []byte{1, 3, 2}},
		{put: 4, want: []byte{4, 1, 3}},
		{get: 2, want: []byte{4, 1, 3}},
		{put: 3, want: []byte{3, 4, 1}},
		{put: 5, want: []byte{5, 3, 4}},
	} {
		if step.put > 0 {
			c.put(key(step.put))
		} else if k := c.get([]byte{step.get}); (k != nil) != slices.Contains(step.want, step.get) {
			t.Errorf("get %d: %v", step.get, k)
		}
		if got := c.kept(); !slices.Equal(got, step.want) || len(c.known) != len(got) || c.len() != len(got) {
			t.Errorf("after %+v: %v", step, got)
		}
	}
}

// Bad signatures under invented keys push no good sender out.
func TestForgeriesDoNotEvict(t *testing.T) {
	v := NewVerifier(1)
	s := NewSigner([32]byte{1})
	public := s.PublicKey()
	if err := v.Verify(public[:], []byte("m"), s.AppendSignature(nil, []byte("m"))); err != nil {
		t.Fatal(err)
	}
	other := NewSigner([32]byte{2}).PublicKey()
	if err := v.Verify(other[:], []byte("m"), make([]byte, SignatureSize)); !errors.Is(err, ErrSignature) {
		t.Fatal(err)
	}
	if k := v.keys.get(public[:]); k == nil || k.peer != s.ID() || v.keys.len() != 1 {
		t.Error("the good sender's key is gone")
	}
}

func TestDefaultKeys(t *testing.T) {
	for n, want := range map[int]int{-1: DefaultKeys, 0: DefaultKeys, 1: 1, 2: 2} {
		if got := NewVerifier(n).keys.limit; got != want {
			t.Errorf("NewVerifier(%d) keeps %d, want %d", n, got, want)
		}
	}
}
