package wirevectors

import (
	"strings"
	"testing"
)

// Every class of error has at least three vectors besides those that came with
// the rules.
func TestEveryClassHasVectors(t *testing.T) {
	messages, err := Messages()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, v := range messages {
		if strings.HasPrefix(v.ID, "M") {
			count[v.Now]++
		}
	}
	atLeast(t, count, "ok", "truncated", "bad-varint", "bad-utf8", "unknown-variant", "not-fetch", "oversized")

	opened, err := Envelopes()
	if err != nil {
		t.Fatal(err)
	}
	count = map[string]int{}
	for _, v := range opened {
		count[v.Verdict]++
	}
	atLeast(t, count, "ok", "truncated", "bad-varint", "bad-utf8", "bad-bool", "oversized", "bad-protocol",
		"bad-public-key", "sender-mismatch", "bad-signature", "bad-message-id")
}

func atLeast(t *testing.T, count map[string]int, classes ...string) {
	t.Helper()
	for _, class := range classes {
		if count[class] < 3 {
			t.Errorf("%d vectors for %s, want 3", count[class], class)
		}
		delete(count, class)
	}
	for class := range count {
		t.Errorf("unexpected verdict %q", class)
	}
}

func TestExpand(t *testing.T) {
	defined := map[string][]byte{"A": {0xaa, 0xbb}}
	for expression, want := range map[string]string{
		"-":             "",
		"00ff":          "\x00\xff",
		"01*3+02":       "\x01\x01\x01\x02",
		"{A}+ff*0+{A}":  "\xaa\xbb\xaa\xbb",
		"616e7466+01*1": "antf\x01",
	} {
		got, err := expand(expression, defined)
		if err != nil || string(got) != want {
			t.Errorf("expand(%q) = %x, %v; want %x", expression, got, err, want)
		}
	}
	for _, expression := range []string{"", "0", "zz", "0102*2", "01*x", "01*-1", "{B}", "01*99999999", "01*16777216+01"} {
		if got, err := expand(expression, defined); err == nil {
			t.Errorf("expand(%q) = %d bytes, want an error", expression, len(got))
		}
	}
}

func TestBadRows(t *testing.T) {
	for row, want := range map[string]string{
		"V1":                        "no tab",
		"V1\t00\tok":                "3 columns",
		"V1\t0\tok\tx":              "odd length",
		"V1\t00\tok\tx\nV1\t-\to\t": "there twice",
	} {
		err := rows("f", row, 4, func([]byte, []string) {})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "f:") {
			t.Errorf("%q: %v, want %q", row, err, want)
		}
	}
}
