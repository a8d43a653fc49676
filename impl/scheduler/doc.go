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
// # The structures
//
//   - Ids (keys.go, intern.go, table.go): a uint32 stands for each key and each
//     peer. An id that nothing names any more is free for the next comer. The
//     records of keys are in pages without pointers: growing copies nothing, and the
//     collector has nothing to scan.
//   - Blocks (arena.go): a key's sources, untried ones first, and an entry's hint
//     sources are blocks of peer ids in one arena.
//   - A list (list.go) holds keys by nearness, sorted only as far as the nearest has
//     been asked for.
//   - The backlog (backlog.go) is the list of the queued keys that are not filed. A
//     key that joins it gets a stamp: 1, 2, 3, …
//   - The source lists, one a peer, are the index (park.go, filed.go). To file a key
//     is to give it an entry in the list of each of its untried sources. When the
//     key starts or leaves, its list entries stay, dead, until they come to the
//     front or are too many. An id that its key has left and that dead entries name
//     is gone, and not free yet.
//   - ready is a heap (heap.go) of the sources that can start and have a filed key,
//     by front, the nearest entry of the source's list.
//   - Heap and parked are words of the rules, and no places (PRK-6). A queued key is
//     parked singly, as its record says, or together with the whole backlog, if its
//     stamp is not above parkedThrough; else it is a heap key. Epochs (age.go) say
//     when keys were parked together.
//   - startable counts the sources that can start and have a queued key; openAssoc
//     the pairs of a backlog key and an untried source of it that can start.
//
// A fill pass (fill.go) that finds startable at 0 parks the heap keys together, by
// raising parkedThrough, and looks at none. Else the nearest key that can start is
// the nearer of two: the front of the top of ready, and the first key of the
// backlog that can start. Each key of the backlog before that is examined once:
// parked singly and filed. If openAssoc is small, this may be most of a large
// backlog; then a sweep (sweep.go) reads all keys in the order of memory to find it:
// those before it are parked singly, but stay in the backlog.
//
// # The invariant
//
// Between operations all of this holds. SelfCheck (check.go, check_peers.go)
// recounts it from the records. What keeps it stands in
//
//	queue.go      queue, unqueue, addLive, dropLive
//	fill.go       takeNearest, and sweep in sweep.go
//	park.go       parkBacklog, parkExamined, noteParked, parkFailed, file, thinned, settleReady, readyTop
//	filed.go      cleanFront, dropDead, dropList
//	keys.go       retireKeyID, freshKey, unlist
//	age.go        noteEpoch, pruneEpochs
//	advertise.go  addSource
//	depart.go     dropIndex, dropSource, and backlogFilter in backlog.go
//	contact.go    settle
//
// The clauses:
//
//  1. A queued key has an untried source. If it is not filed, it is in the backlog
//     once; if it is, it has one entry in the list of each untried source. The
//     backlog holds nothing else, and a source list nothing else but dead entries.
//     Kept by queue, takeNearest, sweep, unqueue, parkExamined, parkFailed,
//     addSource (a merge), dropIndex and backlogFilter (a departure). Checked by
//     checkKeys, checkQueue, checkLists.
//  2. A list entry is dead exactly if its key is not filed; and a key is filed anew
//     only by an id that no entry names, so that the dead stay dead. Kept by
//     unqueue, which clears filed, and by freshKey. Checked by checkLists.
//  3. listRefs is how many list entries name the id. Until it is 0 the id is not
//     free, and keeps the distance and name by which lists order it. Kept by
//     parkExamined, parkFailed, addSource, unlist, freshKey, retireKeyID. Checked by
//     checkLists, checkNames, checkFree.
//  4. Of a source list at most 16 more entries are dead than are not. Kept by
//     thinned. Checked by TestDeadBound and TestDeadEntriesGo, not by SelfCheck.
//  5. A filed key is parked singly. The counts of heap and parked keys, and of the
//     untried sources of each, are right. Kept by queue, parkBacklog, noteParked,
//     parkFailed, unqueue, addSource, dropSource. Checked by checkQueue.
//  6. A key that was parked together keeps its stamp, and was parked at the time of
//     the first epoch whose through is not below it. A key that was parked singly
//     has, in since, that time in place of the stamp. Kept by noteEpoch,
//     pruneEpochs, noteParked, parkFailed. Checked by TestEpochs and
//     TestParkedAges, not by SelfCheck.
//  7. Per peer, can says whether it can start: it has room, or is silent. Kept by
//     settle, which follows each change of load, mark, tracking and overflow window.
//     Checked by checkPeers.
//  8. Per peer, live counts the queued keys that have it untried, filed those of
//     them that are filed, entries what its list holds. startable counts the peers
//     with can and live above 0; openAssoc is the sum of live - filed where can
//     holds. Kept by addLive, dropLive, file, dropIndex, settle; entries also by
//     cleanFront, dropDead, dropList. Checked by checkPeers, checkLists.
//  9. ready holds exactly the peers with can and filed above 0, and front is the
//     nearest entry of their lists, dead or not: so if the front of the top is
//     filed, it is the nearest filed key that can start. Kept by settleReady,
//     cleanFront, thinned, readyTop. Checked by checkMembership, frontOf, checkHeaps.
//  10. Each list is in the order that list.go tells. Kept by list.go. Checked by
//     listDisorder.
//
// # The costs
//
// With a sources a key, n keys and p peers, amortised:
//
//   - Enqueue, Promote: O(a + log n), or O(a) if the key is farther than the sorted
//     part of the backlog.
//   - Fill: O(1) if nothing can start. Else O(a + log n) for each key examined, which
//     is once a stay, and O(a + log n + log p) for each key started. A sweep reads
//     all keys, O(a n), and comes once for each 16th of the backlog that is filed.
//   - Add: O(hints × hint sources) for the entry, and O(a + log n + log p) for each
//     new source of a queued key.
//   - Arrive, Answer, Busy: O(log n + log p). Outcome: O(a) more, O(a log n) if the key
//     is parked.
//   - An overflow window that opens or ends: O(log n + log p) for each full peer that
//     is not tracked. A contact table that is full: the same for each peer dropped.
//   - Depart reads all keys, O(a n), and Evict the pending ones. Ready costs what it
//     returns. Snapshot reads no key; OldestParked, Observe and SelfCheck read all.
//
// Bytes: a key takes keyRec 32, keyDetail 72, a prefix 8 and 11 to 21 of a table
// (tableSlot 8), and in the backlog 4 to 8; an association takes 4 in its block and
// 4 to 8 once filed; an entry, pending or retry, takes entryRec 32 and 4 a hint
// source; a peer takes peerRec 128, peerHot 24, list 48 and its part of a table. The
// peaks in bench/README.md come to about 155 a key of one source and 5 for each
// further association, for sweeps leave most keys unfiled.
//
// # A worked example
//
// There are four slots, and a share of 1. k2/1 is key 2 by id 1, (k2/1) a dead list
// entry, -/1 an id that is gone; #2 is a stamp, @1s a time. What is free is key ids.
// TestDocExample runs this, and prints it anew if it is different.
//
//	@0s enqueue k1, k2, k3 from A: each joins the backlog with a stamp; A can start
//	    backlog [k1/0#1 k2/1#2 k3/2#3]  parkedThrough #0  epochs []  heap 3  parked 0
//	    A can []  ready []  startable 1  openAssoc 3  free []
//	@1s fill: k1 starts, A is full, nothing can start: all of the backlog is parked together
//	    backlog [k2/1#2 k3/2#3]  parkedThrough #3  epochs [#3@1s]  heap 0  parked 2
//	    A full []  ready []  startable 0  openAssoc 0  free []
//	@2s enqueue k4 from B, fill: k2 is examined and filed; a sweep parks k3 and finds k4, which starts
//	    backlog [k3/2@1s]  parkedThrough #3  epochs [#3@1s]  heap 0  parked 2
//	    A full [k2/1]  B full []  ready []  startable 0  openAssoc 0  free []
//	@2s merge B into k2: a filed key is filed under the new source at once
//	    backlog [k3/2@1s]  parkedThrough #3  epochs [#3@1s]  heap 0  parked 2
//	    A full [k2/1]  B full [k2/1]  ready []  startable 0  openAssoc 0  free []
//	@3s outcome of k4, stored: its id is free; B wakes, and is in ready by its filed key
//	    backlog [k3/2@1s]  parkedThrough #3  epochs [#3@1s]  heap 0  parked 2
//	    A full [k2/1]  B can [k2/1]  ready [B by k2/1]  startable 1  openAssoc 0  free [3]
//	@3s fill: k2 starts at B; its list entries stay behind, dead
//	    backlog [k3/2@1s]  parkedThrough #3  epochs [#3@1s]  heap 0  parked 1
//	    A full [(k2/1)]  B full [(k2/1)]  ready []  startable 0  openAssoc 0  free [3]
//	@4s outcome of k2, not found: parked for A, by a fresh id, for dead entries name the old one
//	    backlog [k3/2@1s]  parkedThrough #3  epochs [#3@1s]  heap 0  parked 2
//	    A full [(-/1) k2/3]  B can [(-/1)]  ready []  startable 0  openAssoc 0  free []
//	@5s outcome of k1, stored: A wakes; fill: k2 is nearer than k3, and starts; k3 has to wait
//	    backlog [k3/2@1s]  parkedThrough #3  epochs [#3@1s]  heap 0  parked 1
//	    A full [(-/1) (k2/3)]  B can [(-/1)]  ready []  startable 0  openAssoc 0  free [0]
//	@6s enqueue k5 from B, fill: k3 is examined and filed on the way to k5, which starts
//	    backlog []  parkedThrough #3  epochs [#3@1s]  heap 0  parked 1
//	    A full [(-/1) (k2/3) k3/2]  B full [(-/1)]  ready []  startable 0  openAssoc 0  free []
//	@7s outcome of k2, stored: A wakes, and dead entries in front of its list go; B's names id 1 still
//	    backlog []  parkedThrough #3  epochs [#3@1s]  heap 0  parked 1
//	    A can [k3/2]  B full [(-/1)]  ready [A by k3/2]  startable 1  openAssoc 0  free [3]
//	@8s depart A, B: their lists go; k3 has no source left and leaves; k5 flies on
//	    backlog []  parkedThrough #3  epochs [#3@1s]  heap 0  parked 0
//	    A can []  B full []  ready []  startable 0  openAssoc 0  free [3 2 1]
//
// In the first pass nothing is filed: one number parked k2 and k3. In the third step
// k2 keeps the time of that park, by the epoch, and k3 too, which the sweep parks
// singly and does not file.
package scheduler
