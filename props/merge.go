package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

var mergeProperties = []*Property{
	{
		Name: "entry-merged", Rules: []string{"ADV-1", "ADV-3", "PND-2", "PND-8", "PND-10", "DET-4"}, Needs: entryFields,
		Text: "after an advertisement the key's entry is what the one before and the hints make by the rule, with its owner and its times; " +
			"a new one's owner is the least-charged of the hint sources that it keeps",
		check: entryMerged,
	},
	{
		Name: "sources-merged", Rules: []string{"ADV-2", "PRK-4", "SRC-1", "DET-4"}, Needs: stageFields,
		Text:  "after an advertisement a queued key or one in flight has the new claimants, in peer order, behind its untried sources, up to the source cap",
		check: sourcesMerged,
	},
	{
		Name: "queued-whole", Rules: []string{"PND-4", "PND-5", "PND-6", "SRC-1"}, Needs: stageFields,
		Text: "a promoted or enqueued key is in the heap with the first SourceCap distinct sources, none of them tried; " +
			"a promoted one carries the entry that it had, an enqueued one none",
		check: queuedWhole,
	},
}

// mergeScratch is memory for what a merge should give.
type mergeScratch struct {
	hints, claimants []ops.Peer // of the entry
	ad, adClaimants  []ops.Peer // of the advertisement
	sources          []ops.Peer
}

func insertPeer(list []ops.Peer, p ops.Peer) []ops.Peer {
	if i, found := slices.BinarySearchFunc(list, p, ops.Peer.Compare); !found {
		return slices.Insert(list, i, p)
	}
	return list
}

func contains(sorted []ops.Peer, p ops.Peer) bool {
	_, found := slices.BinarySearchFunc(sorted, p, ops.Peer.Compare)
	return found
}

// advertised reads the hints of the operation: each peer once, a claimant if it is listed as one anywhere (DET-4).
func (m *mergeScratch) advertised(hints []ops.Hint) {
	m.ad, m.adClaimants = m.ad[:0], m.adClaimants[:0]
	for _, h := range hints {
		m.ad = insertPeer(m.ad, h.Peer)
		if h.Claimant {
			m.adClaimants = insertPeer(m.adClaimants, h.Peer)
		}
	}
}

// merge is ADV-1: the advertisement merges into an entry's hint sources. owner is nil for a first admission.
func (m *mergeScratch) merge(was *ops.Entry, owner *ops.Peer, most int64) {
	m.hints, m.claimants = append(m.hints[:0], was.Hints...), append(m.claimants[:0], was.Claimants...)
	for _, p := range m.adClaimants {
		if contains(m.hints, p) {
			m.claimants = insertPeer(m.claimants, p)
		}
	}
	for _, p := range m.adClaimants {
		if contains(m.hints, p) {
			continue
		}
		if int64(len(m.hints)) >= most {
			out := slices.IndexFunc(m.hints, func(h ops.Peer) bool { return !contains(m.claimants, h) && (owner == nil || h != *owner) })
			if out < 0 {
				continue
			}
			m.hints = slices.Delete(m.hints, out, out+1)
		}
		m.hints, m.claimants = insertPeer(m.hints, p), insertPeer(m.claimants, p)
	}
	for _, p := range m.ad {
		if int64(len(m.hints)) < most && !contains(m.adClaimants, p) {
			m.hints = insertPeer(m.hints, p)
		}
	}
}

func entryMerged(v *view) error {
	if v.Op.Kind != ops.Add || v.Result.Code != ops.Admitted && v.Result.Code != ops.AlreadyPresent {
		return nil
	}
	was, is := findEntry(v.before, v.Op.Key), findEntry(v.after, v.Op.Key)
	if v.Result.Code == ops.Admitted {
		was = &ops.Entry{Created: v.at, NextVerify: v.at}
	}
	if was == nil && is == nil {
		return nil
	}
	if was == nil || is == nil {
		return fmt.Errorf("%s had an entry: %t, it has one: %t", v.Op.Key, was != nil, is != nil)
	}
	owner := &was.Owner
	if v.Result.Code == ops.Admitted {
		owner = nil
	}
	m := &v.merging
	m.advertised(v.Op.Hints)
	m.merge(was, owner, v.cfg.MaxHintSources)
	want := *was
	want.Hints, want.Claimants = m.hints, m.claimants
	if owner == nil {
		want.Owner = v.leastCharged(m.hints)
	}
	if !sameEntry(is, &want) {
		return fmt.Errorf("the entry of %s is %s, want %s", v.Op.Key, entryText(is), entryText(&want))
	}
	return nil
}

// leastCharged is the hint source that owns the fewest entries, the smallest peer among equals (PND-2).
func (v *view) leastCharged(hints []ops.Peer) (owner ops.Peer) {
	least := -1
	for _, p := range hints {
		n := 0
		_ = entries(v.before, func(_ ops.Key, e *ops.Entry) error {
			n += boolToInt(e.Owner == p)
			return nil
		})
		if least < 0 || n < least {
			owner, least = p, n
		}
	}
	return owner
}

func entryText(e *ops.Entry) string {
	return fmt.Sprintf("hints %v, claimants %v, owner %s, created %s, to be verified at %s", e.Hints, e.Claimants, e.Owner, e.Created, e.NextVerify)
}

func sourcesMerged(v *view) error {
	if v.Op.Kind != ops.Add || v.Result.Code != ops.AlreadyPresent {
		return nil
	}
	was, there := findWork(v.before, v.Op.Key)
	is, still := findWork(v.after, v.Op.Key)
	if !there || !still {
		return nil // pending, or conservation says so
	}
	m := &v.merging
	m.advertised(v.Op.Hints)
	m.sources = append(m.sources[:0], was.untried...)
	for _, p := range m.adClaimants {
		if int64(len(m.sources)+len(was.tried)) < v.cfg.SourceCap && !slices.Contains(m.sources, p) && !slices.Contains(was.tried, p) {
			m.sources = append(m.sources, p)
		}
	}
	if !slices.Equal(is.untried, m.sources) {
		return fmt.Errorf("%s has the untried sources %v, want %v", v.Op.Key, is.untried, m.sources)
	}
	was.untried, was.retry, is.retry = is.untried, nil, nil // entry-merged
	if what := is.differs(was); what != "" {
		return fmt.Errorf("an advertisement of %s changed its %s", v.Op.Key, what)
	}
	return nil
}

func queuedWhole(v *view) error {
	if v.Result.Code != ops.Queued {
		return nil
	}
	q := v.after.FindQueued(v.Op.Key)
	if q == nil || !slices.Contains(v.after.Heap, v.Op.Key) {
		return fmt.Errorf("%s was queued and is not in the heap", v.Op.Key)
	}
	m := &v.merging
	m.sources = m.sources[:0]
	for _, p := range v.Op.Sources {
		if int64(len(m.sources)) < v.cfg.SourceCap && !slices.Contains(m.sources, p) {
			m.sources = append(m.sources, p)
		}
	}
	want := work{key: q.Key, distance: v.Op.Distance, untried: m.sources}
	if p := v.before.FindPending(v.Op.Key); p != nil && v.Op.Kind == ops.Promote {
		retry := p.Entry
		retry.NextVerify = 0
		want.retry = &retry
	}
	if what := workOf(q).differs(want); what != "" {
		return fmt.Errorf("%s was queued with another %s than it was given", v.Op.Key, what)
	}
	return nil
}
