// Package scheduler is the production fetch scheduler: which record is fetched
// next, from which holder, and what becomes of it (sections 3 to 15 of
// model/RULES.md).
//
// A Scheduler is a passive state machine (DET-1): no goroutine, no clock and no
// random source inside, but that New draws the keys of a hash, which never show.
// Every operation takes the time; the one random draw, a busy wait, is an
// argument. It is not safe for concurrent use: the node keeps it behind one lock
// (WRK-1).
//
// # How it is laid out
//
// Keys and peers are interned into uint32 ids, recycled when nothing names them
// any more. Records are in pages without pointers, and a key's sources and hint
// sources are blocks of ids in one arena, so that growing copies nothing and the
// collector has nothing to scan.
//
// A queued key is physically in one of two places. The backlog (backlog.go) holds
// keys that no pass has filed, and is sorted as far as passes come; the index
// (park.go) files a key that a pass found blocked under each of its untried
// sources. Whether a key is parked, as the rules mean it, is a separate fact
// (PRK-6): a pass in which nothing can start parks the whole backlog by moving
// one number, because the count of sources that can start and have a queued key
// already says that no key needs looking at; and one in which little can start
// looks at most keys without filing them (sweep.go).
//
// That count, and the sources that can start and have indexed keys ordered by
// their nearest, are kept current by every event that changes a source: a start,
// an outcome, a mark set, cleared or expired, the overflow window. So a fill
// pass costs what it starts and what it examines for the first time.
package scheduler
