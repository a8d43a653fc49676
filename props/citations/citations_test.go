package citations

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var rewrite = flag.Bool("rewrite", false, "take the citations from the source anew")

func TestUpToDate(t *testing.T) {
	list, err := Scan(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if *rewrite {
		if err := os.WriteFile("citations.tsv", []byte(Format(list)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(have, list); diff != "" {
		t.Errorf("citations.tsv is not what the source says; run `go test ./props/citations -rewrite` (- file, + source):\n%s", diff)
	}
}
