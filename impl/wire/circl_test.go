package wire_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"fetchproof/impl/wire"
)

// The vectors that ship with circl's source: Wycheproof's for verifying and for
// signing from a seed, NIST's for key generation and verifying. They are run
// against Verifier and Signer, so that a context, a prefix or a size that we got
// wrong shows. If they cannot be found the tests fail: a module without its
// vectors is not the one that was reviewed.

// hexBytes is bytes that JSON writes in hex.
type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	b, err := hex.DecodeString(text)
	*h = b
	return err
}

// readVectors decodes a gzipped JSON file, named from circl's directory sign.
func readVectors(t *testing.T, name string, into any) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := build.Import("github.com/cloudflare/circl/sign", here, build.FindOnly)
	if err != nil {
		t.Fatalf("circl's source is needed for its vectors: %v", err)
	}
	f, err := os.Open(filepath.Join(pkg.Dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(into); err != nil {
		t.Fatal(err)
	}
}

// wycheproof is what we need of a Wycheproof file.
type wycheproof struct {
	Algorithm     string
	NumberOfTests int
	TestGroups    []struct {
		PublicKey   hexBytes
		PrivateSeed hexBytes
		Tests       []struct {
			TcID    int
			Comment string
			Msg     hexBytes
			Ctx     hexBytes
			Sig     hexBytes
			Result  string
		}
	}
}

// Every Wycheproof signature gets its verdict; one that is valid under a context
// is not valid here, where there is none (WIR-8).
func TestWycheproofVerify(t *testing.T) {
	var file wycheproof
	readVectors(t, "schemes/testdata/wycheproof/mldsa_65_verify_test.json.gz", &file)
	v := wire.NewVerifier(4)
	ran := map[string]int{}
	for _, g := range file.TestGroups {
		for _, c := range g.Tests {
			valid := c.Result == "valid" && len(c.Ctx) == 0
			want := wire.ErrSignature
			switch {
			case valid:
				want = nil
			case len(g.PublicKey) != wire.PublicKeySize:
				want = wire.ErrPublicKey
			}
			for range 2 { // with the key unknown and known
				if err := v.Verify(g.PublicKey, c.Msg, c.Sig); !errors.Is(err, want) {
					t.Errorf("case %d, %s: %v, want %v", c.TcID, c.Comment, err, want)
				}
			}
			ran[c.Result]++
		}
	}
	if file.Algorithm != "ML-DSA-65" || ran["valid"] < 60 || ran["invalid"] < 15 || ran["valid"]+ran["invalid"] != file.NumberOfTests {
		t.Errorf("%s: ran %v of %d", file.Algorithm, ran, file.NumberOfTests)
	}
}

// Our signatures are those of the deterministic variant, byte for byte.
func TestWycheproofSign(t *testing.T) {
	var file wycheproof
	readVectors(t, "schemes/testdata/wycheproof/mldsa_65_seed_sign_test.json.gz", &file)
	ran := 0
	for _, g := range file.TestGroups {
		s := wire.NewSigner([wire.SeedSize]byte(g.PrivateSeed))
		for _, c := range g.Tests {
			if len(c.Ctx) > 0 || c.Result != "valid" {
				continue
			}
			if got := s.AppendSignature(nil, c.Msg); !bytes.Equal(got, c.Sig) {
				t.Errorf("case %d, %s: another signature", c.TcID, c.Comment)
			}
			ran++
		}
	}
	if ran < 60 {
		t.Errorf("ran only %d", ran)
	}
}

// acvpKeys and acvpVerdicts are what we need of NIST's files.
type acvpKeys struct {
	TestGroups []struct {
		ParameterSet string
		Tests        []struct {
			TcID int
			Seed hexBytes
			Pk   hexBytes
		}
	}
}

type acvpVerdicts struct {
	TestGroups []struct {
		ParameterSet string
		Pk           hexBytes
		Tests        []struct {
			TcID       int
			Message    hexBytes
			Signature  hexBytes
			TestPassed bool
		}
	}
}

// NIST's seeds give NIST's public keys.
func TestNISTKeyGen(t *testing.T) {
	var prompt, expected acvpKeys
	readVectors(t, "mldsa/testdata/ML-DSA-keyGen-FIPS204/prompt.json.gz", &prompt)
	readVectors(t, "mldsa/testdata/ML-DSA-keyGen-FIPS204/expectedResults.json.gz", &expected)
	want := map[int]hexBytes{}
	for _, g := range expected.TestGroups {
		for _, c := range g.Tests {
			want[c.TcID] = c.Pk
		}
	}
	ran := 0
	for _, g := range prompt.TestGroups {
		if g.ParameterSet != "ML-DSA-65" {
			continue
		}
		for _, c := range g.Tests {
			public := wire.NewSigner([wire.SeedSize]byte(c.Seed)).PublicKey()
			if !bytes.Equal(public[:], want[c.TcID]) {
				t.Errorf("case %d: another public key", c.TcID)
			}
			ran++
		}
	}
	if ran < 25 {
		t.Errorf("ran only %d", ran)
	}
}

// NIST's signatures are over bare messages (the internal interface of FIPS 204).
// The external one, which WIR-8 takes, puts two zero bytes in front for an empty
// context: so even the signatures that NIST calls good must be refused. A verifier
// that forgot the prefix would take them.
func TestNISTInternalSignaturesAreRefused(t *testing.T) {
	var prompt, expected acvpVerdicts
	readVectors(t, "mldsa/testdata/ML-DSA-sigVer-FIPS204/prompt.json.gz", &prompt)
	readVectors(t, "mldsa/testdata/ML-DSA-sigVer-FIPS204/expectedResults.json.gz", &expected)
	good := map[int]bool{}
	for _, g := range expected.TestGroups {
		for _, c := range g.Tests {
			good[c.TcID] = c.TestPassed
		}
	}
	v := wire.NewVerifier(4)
	ran, goodOnes := 0, 0
	for _, g := range prompt.TestGroups {
		if g.ParameterSet != "ML-DSA-65" {
			continue
		}
		for _, c := range g.Tests {
			if err := v.Verify(g.Pk, c.Message, c.Signature); !errors.Is(err, wire.ErrSignature) {
				t.Errorf("case %d: %v", c.TcID, err)
			}
			ran++
			if good[c.TcID] {
				goodOnes++
			}
		}
	}
	if ran < 15 || goodOnes < 3 {
		t.Errorf("ran %d, %d of them good without the prefix", ran, goodOnes)
	}
}
