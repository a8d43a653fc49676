package model

import (
	"slices"

	"fetchproof/ops"
)

// advertise is section 12: it merges an advertisement, by peer, of a key that is in a stage, and reports whether it is. The
// key's stage does not change (ADV-4).
func (s *Scheduler) advertise(key ops.Key, ad []ops.Hint, now ops.Time) bool {
	if i, ok := s.pendingAt(key); ok {
		s.noteAdvertisedPending(&s.pending[i], now)
		s.merge(&s.pending[i].entry, ad)
		return true
	}
	if i, ok := s.queuedAt(key); ok {
		s.noteAdvertisedQueued(&s.queued[i], ad, now)
		s.mergeWork(&s.queued[i].work, ad)
		return true
	}
	if i, ok := s.flightAt(key); ok {
		s.noteAdvertisedFlight(&s.flights[i], ad)
		s.mergeWork(&s.flights[i].work, ad)
		return true
	}
	return false
}

// mergeWork is ADV-2 and ADV-3: the claimants become sources of the key, and the advertisement merges into its retry entry
// if it carries one.
func (s *Scheduler) mergeWork(w *work, ad []ops.Hint) {
	for _, h := range ad {
		if h.Claimant {
			s.mergeSource(w, h.Peer)
		}
	}
	if w.hasRetry {
		s.merge(&w.retry, ad)
		s.noteMerged(w, ad)
	}
}

// mergeSource is ADV-2: peer is appended to the sources of the key, unless it is associated already or SourceCap sources
// are. It comes last in preference order (SRC-1). A parked key is indexed under it from now on (PRK-4).
func (s *Scheduler) mergeSource(w *work, peer ops.Peer) {
	switch {
	case slices.Contains(w.tried, peer):
		s.saw(adv2Tried)
	case slices.Contains(w.untried, peer):
		s.saw(adv2Untried)
	case int64(len(w.untried)+len(w.tried)) >= s.cfg.SourceCap:
		s.saw(adv2AtCap)
	default:
		s.sawIf(len(w.untried) > 0, src1MergedLast)
		w.untried = append(w.untried, peer)
	}
}

// merge is ADV-1: the advertisement, by peer, merges into a verification entry, which keeps at most MaxHintSources hint
// sources. A new entry has no owner yet and nothing to displace.
func (s *Scheduler) merge(e *entry, ad []ops.Hint) {
	for _, h := range ad { // claimants that are hint sources already
		if i, known := hintAt(e.hints, h.Peer); known {
			s.noteKnownHint(e.hints[i], h)
			e.hints[i].Claimant = e.hints[i].Claimant || h.Claimant
		}
	}
	for _, h := range ad { // then new claimants
		if _, known := hintAt(e.hints, h.Peer); h.Claimant && !known {
			s.mergeClaimant(e, h)
		}
	}
	for _, h := range ad { // then paid-only advertisers
		if _, known := hintAt(e.hints, h.Peer); !h.Claimant && !known {
			s.mergePaidOnly(e, h)
		}
	}
}

// mergeClaimant lets a new claimant take a free place, or displace the smallest paid-only advertiser that is not the owner;
// else it is left out (ADV-1).
func (s *Scheduler) mergeClaimant(e *entry, h ops.Hint) {
	if s.hintsFull(e) {
		out := slices.IndexFunc(e.hints, func(o ops.Hint) bool { return !o.Claimant && o.Peer != e.owner })
		s.noteDisplaced(e, out)
		if out < 0 {
			return
		}
		e.hints = slices.Delete(e.hints, out, out+1)
	} else {
		s.saw(adv1ClaimantIn)
	}
	e.addHint(h)
}

// mergePaidOnly lets a paid-only advertiser take a free place (ADV-1).
func (s *Scheduler) mergePaidOnly(e *entry, h ops.Hint) {
	if s.hintsFull(e) {
		s.notePaidOnlyOut(e)
		return
	}
	s.saw(adv1PaidOnlyIn)
	e.addHint(h)
}

func (s *Scheduler) hintsFull(e *entry) bool { return int64(len(e.hints)) >= s.cfg.MaxHintSources }

func (e *entry) addHint(h ops.Hint) {
	i, _ := hintAt(e.hints, h.Peer)
	e.hints = slices.Insert(e.hints, i, h)
}
