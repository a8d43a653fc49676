package wire_test

import (
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/mldsa/mldsa65"

	"fetchproof/impl/wire"
)

// The responder's hot path and the encoders allocate nothing, and neither does
// opening an envelope of a known sender beyond what verifying does in circl.
func TestHotPathsDoNotAllocate(t *testing.T) {
	k := wire.KeyOf([]byte("hello"))
	request := wire.AppendRequest(nil, 300, k, true)
	success := wire.AppendSuccess(nil, 300, k, make([]byte, wire.MaxRecord))
	s := wire.NewSigner([32]byte{1})
	sealed := seal(t, s, request)
	record := wire.Message{RequestID: 300, Kind: wire.Success, Key: k, Data: make([]byte, wire.MaxRecord)}
	var m wire.Message
	var r wire.Request
	var o, scratch wire.Outer
	var in wire.Inner
	if err := wire.DecodeOuter(sealed, &o); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, len(success))
	for name, f := range map[string]func(){
		"decode request":        func() { _, _ = wire.DecodeRequest(request, &r) },
		"decode message":        func() { _, _ = wire.DecodeMessage(request, &m) },
		"decode 4 MiB success":  func() { _, _ = wire.DecodeMessage(success, &m) },
		"triage 4 MiB success":  func() { _ = wire.Triage(k, &record, nil) },
		"encode request":        func() { buf = wire.AppendRequest(buf[:0], 300, k, true) },
		"encode busy":           func() { buf = wire.AppendBusy(buf[:0], 300, k) },
		"encode 4 MiB success":  func() { buf = wire.AppendMessage(buf[:0], &record) },
		"decode outer envelope": func() { _ = wire.DecodeOuter(sealed, &scratch) },
		"decode inner envelope": func() { _ = wire.DecodeInner(o.Data, &in) },
	} {
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	allocatesAtMost(t, "cloning a 4 MiB success", wire.MaxRecord+1<<10, func() { _ = record.Clone() })
	allocatesAtMost(t, "sealing a 4 MiB success", wire.MaxRecord+32<<10, func() { _, _ = wire.SealMessage(nil, s, header(), &record) })
	verifying := testing.AllocsPerRun(20, circlVerify(t, s, &o))
	v := wire.NewVerifier(0)
	if n := testing.AllocsPerRun(20, func() { _, _ = v.Open(sealed) }); n > verifying {
		t.Errorf("opening: %v allocations, circl's verify has %v", n, verifying)
	}
}

// circlVerify is circl's own verification, with the key unpacked.
func circlVerify(t testing.TB, s *wire.Signer, o *wire.Outer) func() {
	public := s.PublicKey()
	var key mldsa65.PublicKey
	key.Unpack(&public)
	signed := o.Signed()
	return func() {
		if !mldsa65.Verify(&key, signed, nil, o.Signature) {
			t.Error("circl refuses it")
		}
	}
}

func BenchmarkDecodeRequest(b *testing.B) {
	request := wire.AppendRequest(nil, 300, wire.KeyOf(nil), true)
	var r wire.Request
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wire.DecodeRequest(request, &r); err != nil || !r.AsksBusy {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeMessage(b *testing.B) {
	for _, m := range oneOfEach() {
		b.Run(m.Kind.String(), func(b *testing.B) {
			input := wire.AppendMessage(nil, &m)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := wire.DecodeMessage(input, &m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSuccess4MiB(b *testing.B) {
	m := wire.Message{Kind: wire.Success, Data: make([]byte, wire.MaxRecord)}
	input := wire.AppendMessage(nil, &m)
	s := wire.NewSigner([32]byte{1})
	buf := make([]byte, 0, wire.MaxEnvelope)
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(wire.MaxRecord)
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	var got wire.Message
	run("view", func() { _, _ = wire.DecodeMessage(input, &got) })
	run("clone", func() { got.Clone() })
	run("copy", func() { buf = append(buf[:0], m.Data...) })
	run("encode", func() { buf = wire.AppendMessage(buf[:0], &m) })
	run("hash", func() { _ = wire.CheckRecord(m.Key, m.Data) })
	run("seal", func() { buf, _ = wire.SealMessage(buf[:0], s, header(), &m) })
}

func BenchmarkSeal(b *testing.B) {
	s := wire.NewSigner([32]byte{1})
	request := wire.AppendRequest(nil, 1, wire.Key{}, true)
	buf := make([]byte, 0, 8<<10)
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buf, err = wire.Seal(buf[:0], s, header(), request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpenAgainstCircl opens an envelope of a known sender and verifies the
// same signature with circl alone, in turns, and fails if the fastest of the one
// takes more than 1.3 of the fastest of the other.
func BenchmarkOpenAgainstCircl(b *testing.B) {
	s := wire.NewSigner([32]byte{1})
	sealed := seal(b, s, wire.AppendRequest(nil, 1, wire.Key{}, true))
	var o wire.Outer
	if err := wire.DecodeOuter(sealed, &o); err != nil {
		b.Fatal(err)
	}
	v := wire.NewVerifier(0)
	circl := circlVerify(b, s, &o)
	ours := func() {
		if _, err := v.Open(sealed); err != nil {
			b.Error(err)
		}
	}
	const batch = 20
	fastest := func(least time.Duration, f func()) time.Duration {
		start := time.Now()
		for range batch {
			f()
		}
		return min(least, time.Since(start)/batch)
	}
	a, c := time.Hour, time.Hour
	for b.Loop() {
		a, c = fastest(a, ours), fastest(c, circl)
	}
	b.ReportMetric(float64(a.Nanoseconds()), "open-ns")
	b.ReportMetric(float64(c.Nanoseconds()), "circl-ns")
	b.ReportMetric(float64(a)/float64(c), "ratio")
	if b.N >= 20 && float64(a) > 1.3*float64(c) {
		b.Errorf("opening takes %v, circl's verify %v", a, c)
	}
}
