package nettest

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"fetchproof/impl/node"
	"fetchproof/impl/node/trust"
	"fetchproof/impl/scheduler"
)

// Row sets one figure of a published run beside ours.
type Row struct {
	Run       string `json:"run"`
	What      string `json:"what"`
	Published string `json:"published"`
	Ours      string `json:"ours"`
	// Holds: what follows from the rules is exactly so, and what depends on the machine has the published shape.
	Holds bool `json:"holds"`
}

// published is a run of section 20 with what the text leaves open frozen.
type published struct {
	Scenario
	rows func(by map[node.Policy]*Result) []Row
}

// What the published text leaves open, for all runs: a record is 1 KiB and takes its holder 42 ms to read, which gives the
// published 0.36 s of the fill; a packet travels 0.5 ms; connections are made when they are first used; all keys are
// enqueued at once. The seeds, which draw the keys and hence their order, are such that "before" waits as many timeouts as
// published where that is a matter of luck (fill, one silent of three).
const (
	readTime   = Duration(42 * time.Millisecond)
	flightTime = Duration(500 * time.Microsecond)
	short      = Duration(5 * time.Second)
	long       = Duration(30 * time.Second)
)

func reading(n int) []Holder {
	list := make([]Holder, n)
	for i := range list {
		list[i].Slow = readTime
	}
	return list
}

func named(policies ...node.Policy) (names []string) {
	for _, p := range policies {
		names = append(names, p.String())
	}
	return names
}

var beforeAndShare = named(node.Before, node.Share)

// publishedRuns are the runs of section 20 that nodes can make.
func publishedRuns() []published {
	return []published{
		{Scenario{
			Name: "fill", Seed: 2, Policies: beforeAndShare, Holders: reading(3), Keys: 48, Slots: 8, Timeout: short,
			Latency: flightTime, Order: Shuffled, Idle: 8, // 12 nodes
		}, fillRows},
		{Scenario{
			Name: "one silent of three", Seed: 2, Policies: beforeAndShare, Keys: 24, Slots: 8, Timeout: short,
			Holders: append([]Holder{{Does: Silent}}, reading(2)...), Latency: flightTime, Order: FirstFixed, Idle: 8,
		}, oneSilentRows},
		{Scenario{
			Name: "silent sole holder", Seed: 3, Policies: beforeAndShare, Keys: 16, Slots: 8, Timeout: short,
			Holders: []Holder{{Does: Silent}}, Latency: flightTime, Idle: 10,
		}, soleSilentRows},
		{Scenario{
			Name: "gated holder", Seed: 3, Policies: beforeAndShare, Keys: 12, Slots: 8, Timeout: short,
			Holders: []Holder{{Gate: Duration(2 * time.Second)}}, Latency: flightTime, Again: true,
		}, gatedRows},
		{Scenario{
			Name: "pool full", Seed: 3, Policies: named(node.Share, node.ShareAndBusy), Requesters: 20, Keys: 2, Slots: 8, Timeout: long,
			Holders: append([]Holder{{Gate: Duration(2 * time.Second), Slow: readTime}}, reading(4)...), Latency: flightTime,
		}, poolRows},
		{Scenario{
			Name: "over share", Seed: 3, Policies: named(node.Before, node.Busy), Keys: 48, Slots: 8, Timeout: long,
			Holders: reading(3), Latency: flightTime, Again: true,
		}, overShareRows},
	}
}

// near reports whether d is at least want and at most a second more, a second that answers may take in all.
func near(d time.Duration, want Duration) bool {
	return d >= time.Duration(want) && d <= time.Duration(want)+time.Second
}

// timeouts is how many whole timeouts d waited, if all but a second of it was such waiting, else -1.
func timeouts(d time.Duration, timeout Duration) int {
	n := d / time.Duration(timeout)
	if d-n*time.Duration(timeout) > time.Second {
		return -1
	}
	return int(n)
}

func (r *Result) charges() string {
	return r.each(func(h HolderResult) uint64 { return h.Charges })
}

func (r *Result) charging() string {
	return r.each(func(h HolderResult) uint64 { return uint64(h.Charging) })
}

func fillRows(by map[node.Policy]*Result) []Row {
	with, before := by[node.Share], by[node.Before]
	within := with.Stored == 48 && with.Outcomes[scheduler.OutcomeStored] == 48 && with.Attempts == 48 && with.RefusedPeerShare == 0
	for _, h := range with.Holders {
		within = within && h.MostInFlight <= 2
	}
	n := timeouts(before.Drained, short)
	return []Row{
		{"fill", "with the limit", "0.36 s", seconds(with.Drained), within && near(with.Drained, 0)},
		{"fill", "before", "10.08 s", seconds(before.Drained), before.RefusedPeerShare > 0 && n >= 1 && n <= 2 && before.Drained > 10*with.Drained},
	}
}

func oneSilentRows(by map[node.Policy]*Result) []Row {
	with, before := by[node.Share], by[node.Before]
	n := timeouts(before.Drained, short)
	return []Row{
		{"one silent of three", "with the limit", "5.1 s", seconds(with.Drained), near(with.Drained, short) && with.Stored == 24},
		{"one silent of three", "with the limit: charges", "", with.charges(), with.charges() == "2,0,0"},
		{"one silent of three", "before", "20.1 s", seconds(before.Drained), n >= 3 && n <= 5},
		{"one silent of three", "before: charges at the silent one", "", fmt.Sprint(before.Holders[0].Charges), before.Holders[0].Charges == 24},
	}
}

func soleSilentRows(by map[node.Policy]*Result) []Row {
	with, before := by[node.Share], by[node.Before]
	waves := fmt.Sprint(with.Waves)
	return []Row{
		{"silent sole holder", "with the limit", "15.0 s", seconds(with.Drained), timeouts(with.Drained, short) == 3},
		{"silent sole holder", "with the limit: waves", "2, 8, 6", waves, waves == "[2 8 6]"},
		{"silent sole holder", "with the limit: most in flight", "8", fmt.Sprint(with.MostInFlight), with.MostInFlight == 8},
		{"silent sole holder", "before", "10.15 s", seconds(before.Drained), timeouts(before.Drained, short) == 2},
	}
}

func gatedRows(by map[node.Policy]*Result) []Row {
	with, before := by[node.Share], by[node.Before]
	return []Row{
		{"gated holder", "with the limit: most in flight", "at most 2", fmt.Sprint(with.MostInFlight), with.MostInFlight == 2 && with.Stored == 12},
		{"gated holder", "before: most in flight", "8", fmt.Sprint(before.MostInFlight), before.MostInFlight == 8},
	}
}

func poolRows(by map[node.Policy]*Result) []Row {
	busy, without := by[node.ShareAndBusy], by[node.Share]
	n := timeouts(without.Drained, long)
	return []Row{
		{"pool full", "with busy", "10.5 s", seconds(busy.Drained), busy.Drained >= 5*time.Second && busy.Drained <= 11*time.Second},
		{"pool full", "with busy: requesters charging", "0, 0, 0, 0, 0", busy.charging(), busy.charging() == "0,0,0,0,0" && busy.Stored == 40},
		{"pool full", "with busy: refused while full", "26", fmt.Sprint(busy.RefusedPool), busy.RefusedPool >= 28},
		{"pool full", "without", "90.3 s (60.4 s)", seconds(without.Drained), n >= 2 && n <= 3 && without.Stored == 40},
		{"pool full", "without: requesters charging", "14, 9, 9, 4, 3 (14, 4)", without.charging(), without.Holders[0].Charges == 28 && without.Holders[1].Charges > 0},
		{"pool full", "without: refused by the first", "28", fmt.Sprint(without.Holders[0].Charges), without.Holders[0].Charges == 28},
	}
}

func overShareRows(by map[node.Policy]*Result) []Row {
	busy, without := by[node.Busy], by[node.Before]
	return []Row{
		{"over share", "with busy", "37.2 to 39.2 s", seconds(busy.Drained), busy.Drained >= 35*time.Second && busy.Drained <= 41*time.Second && busy.Stored == 48},
		{"over share", "with busy: charges", "4, 0, 0", busy.charges(), busy.charges() == "4,0,0"},
		{"over share", "with busy: trust in the first", "0.294", score(busy.Holders[0]), score(busy.Holders[0]) == "0.294"},
		{"over share", "without", "90.2 s", seconds(without.Drained), timeouts(without.Drained, long) == 3 && without.Stored == 48},
		{"over share", "without: charges", "6, 1 to 4, 1 to 4", without.charges(), without.Holders[0].Charges == 6},
		{"over share", "without: trust in the first", "0.226", score(without.Holders[0]), score(without.Holders[0]) == "0.226"},
	}
}

func score(h HolderResult) string { return fmt.Sprintf("%.3f", h.Scores[0]) }

// trustRows are the published scores after one to six charges (TRU-1).
func trustRows() (rows []Row) {
	l := trust.NewLedger(0)
	for i, want := range []string{"0.438", "0.384", "0.336", "0.294", "0.258", "0.226"} {
		l.Charge(scheduler.Peer{}, scheduler.ChargeConnectionTimeout)
		ours := fmt.Sprintf("%.3f", l.Account(scheduler.Peer{}).Score)
		rows = append(rows, Row{"trust", fmt.Sprintf("after %d charges", i+1), want, ours, ours == want})
	}
	return rows
}

// run makes one of the runs under each of its policies.
func (p *published) run(ctx context.Context) ([]Row, error) {
	by := make(map[node.Policy]*Result)
	for _, name := range p.Policies {
		policy, err := node.ParsePolicy(name)
		if err != nil {
			return nil, err
		}
		if by[policy], err = runOnce(ctx, p.Scenario, name, Options{}); err != nil {
			return nil, err
		}
	}
	return p.rows(by), nil
}

// Published makes every published run in virtual time and writes our figures beside the published ones. It fails if a row
// does not hold.
func Published(ctx context.Context, w io.Writer) ([]Row, error) {
	var rows []Row
	for _, p := range publishedRuns() {
		more, err := p.run(ctx)
		if err != nil {
			return rows, err
		}
		rows = append(rows, more...)
	}
	rows = append(rows, trustRows()...)
	if err := writeRows(w, rows); err != nil {
		return rows, err
	}
	for _, r := range rows {
		if !r.Holds {
			return rows, fmt.Errorf("published run %q, %s: ours is %s, published is %s", r.Run, r.What, r.Ours, r.Published)
		}
	}
	return rows, nil
}

func writeRows(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "run\twhat\tpublished\tours\tholds")
	for _, r := range rows {
		holds := "yes"
		if !r.Holds {
			holds = "NO"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.Run, r.What, r.Published, r.Ours, holds)
	}
	return t.Flush()
}
