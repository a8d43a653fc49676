package fuzz

import (
	"bytes"
	"testing"

	"fetchproof/corpus"
	"fetchproof/ops"
)

// FuzzScenario reads any text as a scenario. What parses must print, parse again to the same text, and survive the JSON
// form.
func FuzzScenario(f *testing.F) {
	files, err := corpus.Files()
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		f.Add(file.Text)
	}
	f.Add([]byte(`{"op":"init","protocol":1,"machine":"responder","config":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := ops.Parse("fuzz", bytes.NewReader(data))
		if err != nil {
			return
		}
		text := first.String()
		again, err := ops.Parse("fuzz", bytes.NewReader([]byte(text)))
		if err != nil {
			t.Fatalf("what was printed does not parse: %v\n%s", err, text)
		}
		if printed := again.String(); printed != text {
			t.Fatalf("printed\n%s\nthen\n%s", text, printed)
		}
		lines, err := again.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		third, err := ops.Parse("fuzz", bytes.NewReader(lines))
		if err != nil {
			t.Fatalf("the JSON form does not parse: %v\n%s", err, lines)
		}
		if printed := third.String(); printed != text {
			t.Fatalf("printed\n%s\nafter JSON\n%s", text, printed)
		}
	})
}
