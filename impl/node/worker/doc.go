// Package worker is the requester: the fetch scheduler with goroutines around it
// (WRK-1 to WRK-5).
//
// The scheduler sits behind one lock. Whatever happens (a key is queued, an
// answer arrives, an attempt ends) becomes one operation on it, with the time
// read under that lock, and everything that can make a key startable is followed
// by a fill pass before the lock is let go. Nothing polls: a mark, a cooldown or
// an overflow window that ends by time only ever narrows what may start, so no
// key becomes startable without an event that the worker sees (LIV-4).
//
// The network, the store, the trust ledger, the clock and the random source are
// small interfaces (Ports), so that the worker runs alone, under virtual time,
// with a fake network.
package worker
