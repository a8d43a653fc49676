package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

var sourceProperties = []*Property{
	{
		Name: "sources-apart", Rules: []string{"PND-4", "ADV-2", "DEP-3"}, Needs: stageFields,
		Text:  "untried and tried sources of a key are apart, without duplicates, within the source cap; a queued key has an untried one",
		check: sourcesApart,
	},
	{
		Name: "tried-stays", Rules: []string{"SRC-1", "DEP-2", "PRK-5", "OUT-2"}, Needs: stageFields,
		Text:  "while a key stays queued or in flight, what it tried stays tried, and preference order keeps its order",
		check: triedStays,
	},
}

func sourcesApart(v *view) error {
	for i := range v.after.Queued {
		q := &v.after.Queued[i]
		if len(q.Untried) == 0 {
			return fmt.Errorf("%s is queued without an untried source", q.Key)
		}
		if err := apart(v, q.Key, q.Untried, q.Tried); err != nil {
			return err
		}
	}
	for i := range v.after.InFlight {
		f := &v.after.InFlight[i]
		if !slices.Contains(f.Tried, f.Source) {
			return fmt.Errorf("%s is in flight at %s, which it has not tried", f.Key, f.Source)
		}
		if err := apart(v, f.Key, f.Untried, f.Tried); err != nil {
			return err
		}
	}
	return nil
}

func apart(v *view, k ops.Key, untried, tried []ops.Peer) error {
	if n := int64(len(untried) + len(tried)); n > v.cfg.SourceCap {
		return fmt.Errorf("%s has %d sources, at most %d allowed", k, n, v.cfg.SourceCap)
	}
	for i, p := range untried {
		if slices.Contains(untried[:i], p) || slices.Contains(tried, p) {
			return fmt.Errorf("%s has %s twice among its sources", k, p)
		}
	}
	if !slices.IsSortedFunc(tried, ops.Peer.Compare) {
		return fmt.Errorf("the tried sources of %s are not sorted", k)
	}
	return nil
}

func triedStays(v *view) error {
	for i := range v.before.Queued {
		q := &v.before.Queued[i]
		if err := v.kept(q.Key, q.Untried, q.Tried); err != nil {
			return err
		}
	}
	for i := range v.before.InFlight {
		f := &v.before.InFlight[i]
		if err := v.kept(f.Key, f.Untried, f.Tried); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) kept(k ops.Key, untried, tried []ops.Peer) error {
	var nowUntried, nowTried []ops.Peer
	if q := v.after.FindQueued(k); q != nil {
		nowUntried, nowTried = q.Untried, q.Tried
	} else if f := v.after.FindFlight(k); f != nil {
		nowUntried, nowTried = f.Untried, f.Tried
	} else {
		return nil // its stay is over
	}
	for _, p := range tried {
		if !slices.Contains(nowTried, p) {
			return fmt.Errorf("%s forgot that it tried %s", k, p)
		}
	}
	next := 0
	for _, p := range untried {
		if i := slices.Index(nowUntried, p); i >= 0 {
			if i < next {
				return fmt.Errorf("the preference order of %s changed at %s", k, p)
			}
			next = i + 1
		}
	}
	return nil
}
