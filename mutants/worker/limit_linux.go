package worker

import "syscall"

// memoryLimit bounds a worker's address space, in bytes: a mutant that allocates without end is to crash, not the machine.
const memoryLimit = 8 << 30

func limitMemory() {
	limit := syscall.Rlimit{Cur: memoryLimit, Max: memoryLimit}
	// A refusal (a lower limit in force already) leaves the worker as bounded as its surroundings are.
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &limit)
}
