package mutants

import (
	"fmt"
	"hash/fnv"
)

// Shard is the I-th of N parts of the mutants, I from 1 to N, by hash of their ids: a mutant stays in its shard for as
// long as it keeps its id.
type Shard struct{ I, N int }

// ParseShard reads "i/n".
func ParseShard(text string) (Shard, error) {
	var s Shard
	var rest string
	if n, _ := fmt.Sscanf(text, "%d/%d%s", &s.I, &s.N, &rest); n != 2 {
		return Shard{}, usage("shard %q, want i/n such as 1/4", text)
	}
	return s, s.validate()
}

func (s Shard) validate() error {
	if s.N < 1 || s.I < 1 || s.I > s.N {
		return usage("shard %d/%d, want 1/n to n/n", s.I, s.N)
	}
	return nil
}

// Has reports whether a mutant belongs to the shard.
func (s Shard) Has(id string) bool { return int(hashID(id)%uint64(s.N)) == s.I-1 }

func hashID(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}
