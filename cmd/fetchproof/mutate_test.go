package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// A flag that would not be read is refused before anything is built or any file is touched.
func TestMutateFlagsAreRead(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-keep-power -generated", "-keep-power: want -power with it"},
		{"-power a.tsv -keep-power -shard 1/2", "-shard: it has no effect together with -keep-power"},
		{"-power a.tsv -keep-power -in impl/wire", "-in: it has no effect together with -keep-power"},
		{"-power a.tsv -log a.jsonl", "-log: it has no effect together with -power"},
		{"-power a.tsv -json", "-json: it has no effect together with -power"},
		{"-power a.tsv -canary a-bird", "-power: it has no effect together with -canary"},
		{"-canary a-bird -in impl/wire", "-in: it has no effect together with -canary"},
		{"-audit 5 -most 3", "-most: it has no effect together with -audit"},
		{"-audit 5 -named", "-named: it has no effect together with -audit"},
		{"-compare a,b -seed 2", "-seed: it has no effect together with -compare"},
		{"-named -in-diff HEAD", "-in-diff: it has no effect together with -named"},
		{"-generated -results a.tsv", "-results: it has no effect together with -generated"},
		// These are read: what is wrong is something else.
		{"-power a.tsv -seed x -scale 50 -workers 1 -in impl/wire -shard 1/2", `seed "x"`},
		{"-audit 5 -seed x -in impl/wire -in-diff HEAD -shard 1/2 -quick", `seed "x"`},
		{"-canary a-bird -seed x", `seed "x"`},
		{"-named -seed x -log a -merge b -elements c -results d -json -shard 1/2 -in impl/wire -apart", `seed "x"`},
		{"-generated -seed x -thorough -apart -log a -merge b -elements c -in-diff HEAD -most 5 -gaps a -ledger b", `seed "x"`},
	} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"mutate"}, strings.Fields(c.args)...), &stdout, &stderr)
		if code != 2 || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
			t.Errorf("mutate %s: exit code %d, %q and %q; want 2 and %q", c.args, code, &stderr, &stdout, c.want)
		}
	}
}
