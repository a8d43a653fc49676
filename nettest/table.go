package nettest

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteTable writes results as a table for people, a row for each.
func WriteTable(w io.Writer, results []*Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "scenario\tpolicy\tdrained\tstored\tbytes\tattempts\trefused share/pool\tbusy replies\tcharges per holder\tcharging requesters\tmost in flight")
	for _, r := range results {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d/%d\t%d\t%d\t%d/%d\t%d\t%s\t%s\t%s\n",
			r.Scenario, r.Policy, seconds(r.Drained), r.Stored, r.Keys, r.Bytes, r.Attempts, r.RefusedPeerShare, r.RefusedPool, r.BusyReplies,
			r.each(func(h HolderResult) uint64 { return h.Charges }),
			r.each(func(h HolderResult) uint64 { return uint64(h.Charging) }),
			r.each(func(h HolderResult) uint64 { return uint64(h.MostInFlight) }))
	}
	return t.Flush()
}

func (r *Result) each(of func(HolderResult) uint64) string {
	var list []string
	for _, h := range r.Holders {
		list = append(list, fmt.Sprint(of(h)))
	}
	return strings.Join(list, ",")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
