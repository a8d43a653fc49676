package leaky

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(m.Run()) }

func TestSpoil(t *testing.T) {
	if Spoil(false) {
		t.Error("spoilt")
	}
}

func TestTwice(t *testing.T) {
	if Twice(2) != 4 {
		t.Errorf("twice 2 is %d", Twice(2))
	}
}
