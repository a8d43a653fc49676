package twin_test

import (
	"encoding/binary"
	"testing"

	"fetchproof/bench/twin"
	"fetchproof/impl/scheduler"
)

// TestForgottenPeersAreFreed lets very many peers pass by: what the scheduler remembers of them stays bounded.
func TestForgottenPeersAreFreed(t *testing.T) {
	s, err := twin.New(scheduler.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100_000 {
		var p scheduler.Peer
		binary.BigEndian.PutUint32(p[:], uint32(i))
		var k scheduler.Key
		binary.BigEndian.PutUint32(k[:], uint32(i))
		s.Add(1, k, []scheduler.Hint{{Peer: p}})
		s.Remove(1, k)
	}
	if n := twin.Peers(s); n > 20_000 {
		t.Errorf("%d peers are remembered, and nothing names any", n)
	}
}
