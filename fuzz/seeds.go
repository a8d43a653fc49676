// Package fuzz has the native fuzz targets: the wire decoders against independent ones, and the state machines driven by
// programs decoded from bytes. Inputs worth keeping are in testdata/fuzz, by target; go test runs them as ordinary tests.
package fuzz

import "fetchproof/props/gen"

// MaxProgram bounds a program in operations, so that a long input is no slow one: its cost grows with the universe that it
// draws.
const MaxProgram = 300

const seeds = 24

// Seeds are the inputs that fuzzing programs begins from: the bytes that some seeds' sources would give, ever more of them.
func Seeds() [][]byte {
	list := make([][]byte, seeds)
	for seed := range list {
		src := gen.Seeded(uint64(seed), 0)
		list[seed] = make([]byte, 40+seed*40)
		for i := range list[seed] {
			list[seed][i] = byte(src.Intn(256))
		}
	}
	return list
}
