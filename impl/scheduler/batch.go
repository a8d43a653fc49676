package scheduler

// Advertisement is one key's hints, as Add takes them.
type Advertisement struct {
	Key   Key
	Hints []Hint
}

// AddBatch is Add of each advertisement in order, at one now, and appends the
// results to dst.
//
// An advertisement for a key among very many costs a few cache misses, each
// waiting for the one before. A group is looked up phase by phase first, so that
// the misses of its keys overlap; what that finds is not relied on.
func (s *Scheduler) AddBatch(now Time, ads []Advertisement, dst []AddResult) []AddResult {
	s.advance(now)
	var hashes [warmGroup]uint32
	for len(ads) > 0 {
		group := ads[:min(warmGroup, len(ads))]
		ads = ads[len(group):]
		for i := range group {
			hashes[i] = s.names.Of(group[i].Key[:])
		}
		s.warm(group, &hashes)
		for i := range group {
			dst = append(dst, s.add(&group[i].Key, hashes[i], group[i].Hints))
		}
	}
	return dst
}

// warm touches what adding a group will touch.
func (s *Scheduler) warm(group []Advertisement, hashes *[warmGroup]uint32) {
	if s.keyIDs.n == 0 {
		return
	}
	sum, mask := uint32(0), uint32(len(s.keyIDs.slots)-1)
	for i := range group {
		sum += s.keyIDs.slots[hashes[i]&mask].hash
	}
	known := make([]uint32, 0, warmGroup)
	for i := range group {
		if id := s.keyIDs.likely(hashes[i]); id != none {
			known = append(known, id)
		}
	}
	for _, id := range known {
		m := s.detail(id)
		sum += uint32(m.name[0]) + uint32(m.name[31]) // often in two lines
	}
	s.warmth += sum
	s.warmSources(known)
}
