package subject

import (
	"hash/fnv"

	"fetchproof/ops"
)

// hashSeed is the seed by which the built-in implementation keeps names in its tables: of the configuration, which every run
// begins with and every scenario file holds. So a fault of the tables that a run meets shows again in each process that runs
// the file, and programs of different configurations, which have the same few names, still see different tables.
func hashSeed(config *ops.Config) (uint64, error) {
	line, err := (&ops.Op{Kind: ops.Init, Config: config}).AppendJSON(nil)
	if err != nil {
		return 0, err
	}
	h := fnv.New64a()
	_, _ = h.Write(line)
	return h.Sum64() | 1, nil // 0 would be secret
}
