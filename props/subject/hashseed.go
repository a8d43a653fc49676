package subject

import (
	"encoding/binary"
	"hash/fnv"

	"fetchproof/ops"
)

// hashSeed is the seed of the built-in implementation's hash tables. It comes from the configuration, which every run begins
// with and every scenario file holds. So a fault of the tables that one run meets shows again in every process that runs the
// file, and programs with different configurations, which share a few names, still see different tables.
func hashSeed(config *ops.Config) (uint64, error) {
	h := fnv.New64a()
	var fields any = &config.Responder
	if config.Machine == ops.SchedulerMachine {
		fields = &config.Scheduler
	}
	if err := binary.Write(h, binary.LittleEndian, fields); err != nil {
		return 0, err
	}
	return h.Sum64() | 1, nil // 0 would be secret
}
