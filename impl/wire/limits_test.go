package wire_test

import (
	"bytes"
	"errors"
	"runtime"
	"runtime/debug"
	"testing"

	"fetchproof/impl/wire"
)

// A message of exactly 10,485,760 bytes passes, whatever it is made of; one byte
// more is refused before decoding, whatever it is made of (WIR-5).
func TestMessageBound(t *testing.T) {
	if wire.MaxMessage != 10_485_760 {
		t.Fatalf("MaxMessage is %d", wire.MaxMessage)
	}
	head := len(wire.AppendSuccess(nil, 1, wire.Key{}, nil)) + 3 // the length grows to four bytes
	exact := wire.AppendSuccess(nil, 1, wire.Key{}, make([]byte, wire.MaxMessage-head))
	var m wire.Message
	if _, err := wire.DecodeMessage(exact, &m); err != nil || len(exact) != wire.MaxMessage {
		t.Errorf("%d bytes: %v", len(exact), err)
	}
	var r wire.Request
	request := append(wire.AppendRequest(nil, 1, wire.Key{}, false), make([]byte, wire.MaxMessage-34)...)
	if _, err := wire.DecodeRequest(request, &r); err != nil || len(request) != wire.MaxMessage {
		t.Errorf("a request of %d bytes: %v", len(request), err)
	}
	for name, input := range map[string][]byte{
		"good":      append(exact, 0),
		"truncated": bytes.Repeat([]byte{0x80, 0}, wire.MaxMessage/2+1),
		"request":   append(request, 0),
	} {
		if _, err := wire.DecodeMessage(input, &m); !errors.Is(err, wire.ErrOversized) {
			t.Errorf("%s, %d bytes: %v", name, len(input), err)
		}
		if _, err := wire.DecodeRequest(input, &r); !errors.Is(err, wire.ErrOversized) {
			t.Errorf("%s, %d bytes, as a request: %v", name, len(input), err)
		}
	}
}

// hostile is inputs of 1 MiB that try to make a decoder allocate, by name.
func hostile() map[string][]byte {
	const size = 1 << 20
	fill := func(b byte, head ...byte) []byte {
		out := bytes.Repeat([]byte{b}, size)
		copy(out, head)
		return out
	}
	huge := bytes.Repeat([]byte{0xff}, 9)
	key := make([]byte, 32)
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	return map[string][]byte{
		"zeros":          fill(0),
		"no varint ends": fill(0x80),
		"ff":             fill(0xff),
		"request":        fill(0, 1, 7),
		"record":         fill(0x5a, wire.AppendSuccess(nil, 1, wire.Key{}, make([]byte, size-38))[:38]...),
		"huge record":    fill(0x5a, join([]byte{1, 8, 0}, key, huge, []byte{1})...),
		"reason":         fill('a', wire.AppendSuccess([]byte{}, 1, wire.Key{}, make([]byte, size-38))[:38]...),
		"bad reason":     fill(0xff, join([]byte{1, 8, 2}, key, []byte{0x80, 0x80, 0x20})...),
		"huge reason":    fill('a', join([]byte{1, 8, 2}, key, huge, []byte{0})...),
		"protocol":       fill('a', 0xfd, 0xff, 0x3f),
		"empty strings":  fill(0, 31),
	}
}

// No input of 1 MiB makes a decoder allocate more than twice its length (WIR-5).
func TestAllocationIsBounded(t *testing.T) {
	inputs := hostile()
	for name, input := range inputs {
		var m wire.Message
		var r wire.Request
		var o wire.Outer
		var in wire.Inner
		allocatesAtMost(t, name+", message", 512, func() { _, _ = wire.DecodeMessage(input, &m) })
		allocatesAtMost(t, name+", request", 512, func() { _, _ = wire.DecodeRequest(input, &r) })
		allocatesAtMost(t, name+", outer", 512, func() { _ = wire.DecodeOuter(input, &o) })
		allocatesAtMost(t, name+", inner", 512, func() { _ = wire.DecodeInner(input, &in) })
		allocatesAtMost(t, name+", clone", 2*len(input), func() {
			if _, err := wire.DecodeMessage(input, &m); err == nil {
				_ = m.Clone()
			}
		})
	}
}

// An envelope of 1 MiB with overlong varints is the one input that a decoder
// copies, to check its signature; a good one is not copied.
func TestOpenAllocationIsBounded(t *testing.T) {
	s := wire.NewSigner([32]byte{1})
	payload := make([]byte, 1<<20)
	for name, sealed := range map[string][]byte{
		"canonical": seal(t, s, payload),
		"overlong":  overlongOuter(t, seal(t, s, payload)),
	} {
		v := wire.NewVerifier(1)
		if _, err := v.Open(sealed); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		bound := 2048
		if name == "overlong" {
			bound = 2 * len(sealed)
		}
		allocatesAtMost(t, name+", open", bound, func() { _, _ = v.Open(sealed) })
		sealed[len(sealed)-1] ^= 1
		allocatesAtMost(t, name+", unknown key, bad signature", bound+64<<10, func() { _, _ = wire.NewVerifier(1).Open(sealed) })
	}
}

// allocatesAtMost takes the least of a few runs, because the runtime allocates
// now and then on its own account.
func allocatesAtMost(t *testing.T, what string, bound int, f func()) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	least := ^uint64(0)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	if least > uint64(bound) {
		t.Errorf("%s: allocated %d bytes, at most %d allowed", what, least, bound)
	}
}
