package scheduler

// Among very many keys, reaching the records of one costs a few cache misses, each
// waiting for the one before. What is about to work on several keys reads them
// phase by phase first, so that the misses overlap. What is read is not relied on.

const (
	// warmGroup is how many keys that is done for together.
	warmGroup = 64
	// warmAhead is how many keys a pass warms, each time that it has examined as
	// many: it is likely to go on.
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

// cacheLine is how many bytes most processors read at once. Where it is more, a
// line is only touched twice.
const cacheLine = 64
