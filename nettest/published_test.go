package nettest

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"fetchproof/impl/node"
)

// TestPublished makes each published run of section 20 in virtual time and holds our figures against the published ones.
func TestPublished(t *testing.T) {
	for _, p := range publishedRuns() {
		t.Run(p.Name, func(t *testing.T) {
			rows, err := p.run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				if !r.Holds {
					t.Errorf("%s: ours is %s, published is %s", r.What, r.Ours, r.Published)
				}
			}
		})
	}
	for _, r := range trustRows() {
		if !r.Holds {
			t.Errorf("trust %s: %s, published is %s", r.What, r.Ours, r.Published)
		}
	}
}

// TestRealTime makes the short runs over UDP on the loopback interface: the fill and the gated holder with the limit.
func TestRealTime(t *testing.T) {
	runs := publishedRuns()
	fill, gated := runs[0].Scenario, runs[3].Scenario
	gated.Holders = []Holder{{Gate: Duration(200 * time.Millisecond)}}
	fill.Timeout, gated.Timeout = long, long // a loaded machine is no silent holder
	for _, s := range []Scenario{fill, gated} {
		r, err := runOnce(t.Context(), s, node.Share.String(), Options{Real: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v", s.Name, r.Drained)
		if r.Stored != s.Keys || r.Bytes != uint64(s.Keys)*1024 {
			t.Errorf("%s: stored %d records, %d bytes", s.Name, r.Stored, r.Bytes)
		}
		for i, h := range r.Holders {
			if h.MostInFlight > 2 || h.Charges != 0 {
				t.Errorf("%s: holder %d: %+v", s.Name, i, h)
			}
		}
	}
}

// TestPublishedTable: the table for people has every run.
func TestPublishedTable(t *testing.T) {
	var b bytes.Buffer
	rows := trustRows()
	rows = append(rows, Row{"made up", "nothing", "1", "2", false})
	if err := writeRows(&b, rows); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.Contains(s, "0.226") || !strings.Contains(s, "NO") {
		t.Error(s)
	}
}
