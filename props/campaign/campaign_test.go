package campaign_test

import (
	"context"
	"testing"

	"fetchproof/props/campaign"
	"fetchproof/props/subject"
)

// BenchmarkLockstep reports the lockstep rate on one core, in steps per operation of the benchmark.
func BenchmarkLockstep(b *testing.B) {
	b.ReportAllocs()
	steps := int64(0)
	for i := 0; b.Loop(); i++ {
		report, err := campaign.Run(context.Background(), campaign.Options{
			Seed: uint64(i), Steps: 100_000, Workers: 1, Subject: subject.BuiltinFactory,
		}, nil)
		if err != nil || report.Found != nil {
			b.Fatal(err, report.Found)
		}
		steps += report.Steps
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}
