package scheduler

// Records of one key among very many are a few cache misses apart, each waiting
// for the one before. Who goes on to work on several keys has them read phase by
// phase first, so that their misses overlap. What is read is not relied on.

const (
	// warmGroup is for how many keys that is done together.
	warmGroup = 64
	// warmAhead is how many keys a pass warms that has examined so many: it is
	// likely to go on.
	warmAhead = 16
)

// warmSources touches the records, sources and hint sources of keys.
func (s *Scheduler) warmSources(ids []uint32) {
	sum := uint32(0)
	for _, id := range ids {
		sum += uint32(s.key(id).stage)
	}
	for _, id := range ids {
		k := s.key(id)
		for words := s.blocks.words(k.sources); len(words) > 0; words = words[min(len(words), cacheLine/4):] {
			sum += words[0]
		}
		if k.hasEntry {
			sum += s.hintWords(s.entry(id))[0]
		}
	}
	s.warmth += sum // so that the compiler keeps the reads
}

// cacheLine is how many bytes the processor reads at once, or twice that.
const cacheLine = 64
