"""A fetch scheduler with its busy tracker, written from model/RULES.md with plain dictionaries and lists.

It is slow where a production scheduler is fast (a fill pass looks at every queued key), and it is complete: every operation,
every result, the whole state. Keys, peers and distances are hex strings, which compare as their bytes do.
"""

from protocol import LARGEST, BadLine, check_config
from records import Entry, Work

COUNTS = (
    "slots", "share", "contact_table", "close_group", "paid_list_close_group", "max_hint_sources", "source_cap", "max_queued",
    "max_pending", "busy_multiplier_max", "busy_table",
)
DURATIONS = (
    "fetch_timeout", "mark_lifetime", "busy_wait_min", "busy_wait_max", "busy_cooldown_cap", "busy_forget_after",
    "verify_retry_delay", "pending_max_age", "summary_every",
)

# Section 9: what the outcomes that are not said of all others mean.
ANSWERED = {"Stored", "StoreFailed", "NotFound", "ErrorReply", "Invalid"}  # they need an answer
UNANSWERED = {"Timeout", "Unreachable"}
SOURCE_FAILED = {"StoreFailed", "NotFound", "ErrorReply", "Invalid", "Busy", "Timeout", "Unreachable", "SendFailed"}
AFTER_BUSY = {"Busy", "Declined", "Cancelled", "Panicked"}
OUTCOMES = ANSWERED | SOURCE_FAILED | AFTER_BUSY
CHARGES = {"NotFound": "application-failure", "ErrorReply": "application-failure", "Invalid": "malformed"}

OK, STALE = {"result": "ok"}, {"result": "stale"}


def invalid(why):
    return {"result": "invalid", "why": why}


def unique(items):
    return list(dict.fromkeys(items))


class Scheduler:
    def __init__(self, config):
        c = check_config(config, ("silence",), COUNTS, DURATIONS)
        if c["busy_wait_min"] > c["busy_wait_max"]:
            raise BadLine("config: busy_wait_min: want at most busy_wait_max")
        if c["busy_multiplier_max"] & (c["busy_multiplier_max"] - 1):
            raise BadLine("config: busy_multiplier_max: want a power of two")
        self.config = c
        self.clock, self.places, self.stopped = 0, 0, False
        self.entries = {}  # pending: key -> Entry
        self.queue = {}  # key -> Work: heap and parked
        self.flights = {}  # attempt -> Work
        self.flying = {}  # key -> Work
        self.at = {}  # source -> attempts in flight
        self.contact = {}  # source -> [last answer, last unanswered, marked until (0: no mark)]
        self.window = 0  # end of the overflow window (CON-8)
        self.cooldowns = {}  # source -> [streak, last, until]
        self.charged = {}  # owner -> pending keys and reservations
        self.reserved = 0
        self.counters = {}

    # Time and counting.

    def tick(self, now):
        """DET-3: the clock never goes back. Marks whose end it reaches expire (SUM-1)."""
        self.clock = now = max(now, self.clock)
        for seen in self.contact.values():
            if seen[2] and seen[2] <= now:
                seen[2] = 0
                self.count("marks_expired")
        return now

    def count(self, name):
        self.counters[name] = self.counters.get(name, 0) + 1

    def place(self):
        self.places += 1
        return self.places

    # Contact and choice.

    def silent(self, source, now):
        """CON-1, CON-8. A mark is only kept while it holds back a source."""
        seen = self.contact.get(source)
        if seen is not None:
            return seen[2] > now
        return now < self.window

    def has_room(self, source):
        return self.at.get(source, 0) < self.config["share"]

    def cooling(self, source, now):
        cooldown = self.cooldowns.get(source)
        return cooldown is not None and now < cooldown[2]

    def choose(self, work, now):
        """SRC-2: the least untried source that can start by (cooling, silent, position), or None."""
        best = None
        for position, source in enumerate(work.untried):
            silent = self.silent(source, now)
            if not silent and not self.has_room(source):
                continue
            rank = (self.cooling(source, now), silent, position)
            if best is None or rank < best[0]:
                best = rank, source
        return best and best[1]

    def track(self, source, now):
        """CON-7, CON-8: whether the source is tracked from now on."""
        if source in self.contact:
            return True
        if len(self.contact) >= self.config["contact_table"]:
            self.contact = {p: seen for p, seen in self.contact.items() if seen[2] > now or self.at.get(p)}
        if len(self.contact) < self.config["contact_table"]:
            self.contact[source] = [0, 0, 0]
            return True
        if self.config["silence"]:
            self.window = max(self.window, min(now + self.config["mark_lifetime"], LARGEST))
            self.count("overflows")
        return False

    def heard(self, source, place):
        """CON-2: an answer at a place is applied."""
        seen = self.contact.get(source)
        if seen is None:
            return
        seen[0] = max(seen[0], place)
        if seen[2] and seen[0] > seen[1]:
            seen[2] = 0
            self.count("marks_cleared")

    def missed(self, work, now):
        """CON-3: an attempt ended unanswered."""
        self.count("unanswered")
        seen = self.contact.get(work.source)
        if not work.tracked or seen is None or work.attempt <= seen[1]:
            return
        seen[1] = work.attempt
        until = min(now + self.config["mark_lifetime"], LARGEST)
        if self.config["silence"] and work.attempt > seen[0] and until > now:
            self.count("marks_refreshed" if seen[2] > now else "marks_set")
            seen[2] = until

    def start(self, work, source, now):
        self.queue.pop(work.key, None)
        work.untried = [p for p in work.untried if p != source]
        work.tried.add(source)
        work.source, work.attempt, work.started = source, self.place(), now
        work.given, work.answered, work.busy, work.parked = 0, False, False, False
        work.tracked = self.track(source, now)
        self.flights[work.attempt] = self.flying[work.key] = work
        self.at[source] = self.at.get(source, 0) + 1
        self.count("started")
        return {"event": "start", "key": work.key, "source": source, "attempt": work.attempt}

    # Charges and entries.

    def charge(self, owner, n):
        left = self.charged.get(owner, 0) + n
        if left:
            self.charged[owner] = left
        else:
            del self.charged[owner]

    def to_pending(self, work, now):
        """OUT-5."""
        entry, work.retry = work.retry, None
        entry.next_verify = min(now + self.config["verify_retry_delay"], LARGEST)
        self.reserved -= 1
        self.entries[work.key] = entry
        return {"event": "pending", "key": work.key}

    def give_up(self, work, now, reason):
        """The key returns to pending if it can, and else leaves."""
        if work.retry is not None:
            return self.to_pending(work, now)
        return {"event": "left", "key": work.key, "reason": reason}

    def bury(self, entry):
        self.charge(entry.owner, -1)

    def widow(self, entry, peer):
        """DEP-1: the peer leaves an entry. Reports whether a hint source is left."""
        if peer not in entry.hints:
            return True
        entry.hints.discard(peer)
        entry.claimants.discard(peer)
        if not entry.hints:
            return False
        if entry.owner == peer:
            self.charge(peer, -1)
            entry.owner = min(entry.hints)
            self.charge(entry.owner, 1)
        return True

    # Operations.

    def add(self, now, key, hints):
        now = self.tick(now)
        if not hints:
            return invalid("no hint source")
        claimants = sorted({h["peer"] for h in hints if h["claimant"]})
        paid = sorted({h["peer"] for h in hints}.difference(claimants))
        most = self.config["max_hint_sources"]
        if key in self.entries:
            self.entries[key].merge(claimants, paid, most)
            return {"result": "already-present"}
        work = self.queue.get(key) or self.flying.get(key)
        if work is not None:
            self.readvertise(work, claimants)
            if work.retry is not None:
                work.retry.merge(claimants, paid, most)
            return {"result": "already-present"}
        if len(self.entries) + self.reserved >= self.config["max_pending"]:
            return {"result": "capacity-rejected"}
        entry = Entry(now)
        entry.merge(claimants, paid, most)
        entry.owner = min(entry.hints, key=lambda p: (self.charged.get(p, 0), p))
        self.charge(entry.owner, 1)
        self.entries[key] = entry
        return {"result": "admitted"}

    def readvertise(self, work, claimants):
        """ADV-2."""
        for peer in claimants:
            if len(work.untried) + len(work.tried) >= self.config["source_cap"]:
                return
            if peer not in work.tried and peer not in work.untried:
                work.untried = [*work.untried, peer]

    def enter(self, key, distance, sources, entry):
        """The part that promotion and direct enqueue share (PND-4, PND-5)."""
        if not sources:
            return {"result": "no-source"}
        if len(self.queue) >= self.config["max_queued"]:
            return {"result": "queue-full"}
        self.queue[key] = Work(key, distance, unique(sources)[: self.config["source_cap"]], entry)
        return {"result": "queued"}

    def promote(self, now, key, distance, sources):
        self.tick(now)
        entry = self.entries.get(key)
        if entry is None:
            return {"result": "not-pending"}
        answer = self.enter(key, distance, sources, entry)
        if answer["result"] == "queued":
            del self.entries[key]
            self.reserved += 1
        return answer

    def enqueue(self, now, key, distance, sources):
        self.tick(now)
        if key in self.entries or key in self.queue or key in self.flying:
            return {"result": "present"}
        return self.enter(key, distance, sources, None)

    def fill(self, now):
        """FIL-1 to FIL-4."""
        now = self.tick(now)
        events = []
        while not self.stopped and len(self.flights) < self.config["slots"]:
            for work in sorted(self.queue.values(), key=lambda w: (w.distance, w.key)):
                source = self.choose(work, now)
                if source is not None:
                    events.append(self.start(work, source, now))
                    break
                if not work.parked:
                    self.park(work)
            else:
                break
        return {"events": events}

    def park(self, work):
        work.parked = True
        self.count("parked")

    def arrive(self, attempt):
        work = self.flights.get(attempt)
        if work is None:
            return STALE
        if work.given:
            return invalid("the attempt has an answer already")
        work.given = self.place()
        return {"result": "ok", "place": work.given}

    def not_its_answer(self, work, place):
        """Why an answer at this place makes no sense for the attempt, or None (SEQ-3, DET-4)."""
        if work.answered:
            return "an answer of the attempt was applied already"
        if not work.given or place != work.given:
            return "the attempt was not given this place"
        return None

    def answer(self, now, attempt, place):
        self.tick(now)
        work = self.flights.get(attempt)
        if work is None:
            return STALE
        if why := self.not_its_answer(work, place):
            return invalid(why)
        work.answered = True
        self.heard(work.source, place)
        return OK

    def busy(self, now, attempt, place, wait):
        now = self.tick(now)
        work = self.flights.get(attempt)
        if work is None:
            return STALE
        if not self.config["busy_wait_min"] <= wait <= self.config["busy_wait_max"]:
            return invalid("wait out of its range")
        if why := self.not_its_answer(work, place):
            return invalid(why)
        work.answered = work.busy = True
        self.heard(work.source, place)
        self.count("busy")
        until = self.cool(work.source, now, wait)
        due = min(now + wait, work.started + self.config["fetch_timeout"], LARGEST)
        return {"result": "ok", "cooldown": until - now, "due": due}

    def cool(self, source, now, wait):
        """BSY-2, BSY-3, BSY-6: records a busy answer and returns when the cooldown in force ends."""
        cooldown = self.cooldowns.get(source)
        if cooldown is None:
            if len(self.cooldowns) >= self.config["busy_table"]:
                del self.cooldowns[min(self.cooldowns, key=lambda p: (self.cooldowns[p][2], p))]
            cooldown = self.cooldowns[source] = [0, now, 0]
        if now - cooldown[1] >= self.config["busy_forget_after"]:
            cooldown[0] = 0
        cooldown[0] = min(cooldown[0] + 1, self.config["busy_multiplier_max"].bit_length())
        cooldown[1] = now
        length = min(wait << (cooldown[0] - 1), self.config["busy_cooldown_cap"])
        cooldown[2] = max(cooldown[2], min(now + length, LARGEST))
        return cooldown[2]

    def why_invalid(self, work, kind, place):
        """SEQ-3 and DET-4 for an outcome."""
        if kind not in OUTCOMES:
            return "no such outcome"
        if work.busy and kind not in AFTER_BUSY:
            return "not after a busy report"
        if kind == "Busy" and not work.busy:
            return "no busy report"
        if kind == "SendFailed" and work.answered:
            return "an answer was applied, so it was sent"
        if place is None:
            return "it needs an answer" if kind in ANSWERED and not work.answered else None
        if kind not in ANSWERED and kind != "Declined":
            return "the outcome brings no answer"
        return self.not_its_answer(work, place)

    def outcome(self, now, attempt, kind, place):
        now = self.tick(now)
        work = self.flights.get(attempt)
        if work is None:
            return STALE
        if why := self.why_invalid(work, kind, place):
            return invalid(why)
        self.count("outcome_" + kind)
        self.land(work)
        charge = CHARGES.get(kind)
        if place is not None:
            self.heard(work.source, place)
        elif kind in UNANSWERED and not work.answered:
            self.missed(work, now)
            charge = "connection-timeout"
        if kind in ("Stored", "StoreFailed") or kind == "Declined" and (place is not None or work.answered and not work.busy):
            self.served(work.source)
        answer = {"result": "ok", "events": [self.move_on(work, kind, now)]}
        if charge:
            answer["charge"] = charge
        return answer

    def land(self, work):
        """The slot and the share are free (OUT-1)."""
        del self.flights[work.attempt], self.flying[work.key]
        self.at[work.source] -= 1

    def served(self, source):
        """BSY-4."""
        if source in self.cooldowns:
            self.cooldowns[source][0] = 0

    def move_on(self, work, kind, now):
        """Where the key goes after an outcome: section 9, OUT-2 to OUT-5, OUT-8."""
        if kind in ("Stored", "Declined"):
            if work.retry is not None:
                self.reserved -= 1
                self.bury(work.retry)
            return {"event": "left", "key": work.key, "reason": kind.lower()}
        if kind in SOURCE_FAILED and not self.stopped:
            source = self.choose(work, now)
            if source is not None:
                return self.start(work, source, now)
            if work.untried and len(self.queue) < self.config["max_queued"]:
                self.queue[work.key] = work
                self.park(work)
                return {"event": "park", "key": work.key}
        return self.give_up(work, now, "dropped")

    def depart(self, now, peer):
        now = self.tick(now)
        events = {}
        for key, entry in list(self.entries.items()):
            if not self.widow(entry, peer):
                self.bury(entry)
                del self.entries[key]
                events[key] = {"event": "left", "key": key, "reason": "orphaned"}
        for work in [*self.queue.values(), *self.flights.values()]:
            work.untried = [p for p in work.untried if p != peer]
            if work.retry is not None and not self.widow(work.retry, peer):
                self.bury(work.retry)
                self.reserved -= 1
                work.retry = None
        for key, work in list(self.queue.items()):
            if not work.untried:
                del self.queue[key]
                events[key] = self.give_up(work, now, "orphaned")
        return {"events": [events[key] for key in sorted(events)]}

    def forget(self, key, reason):
        self.bury(self.entries.pop(key))
        return {"event": "left", "key": key, "reason": reason}

    def remove(self, now, key):
        self.tick(now)
        if key not in self.entries:
            return {"result": "not-pending"}
        return {"result": "ok", "events": [self.forget(key, "removed")]}

    def evict(self, now, max_age):
        now = self.tick(now)
        old = sorted(key for key, entry in self.entries.items() if now - entry.created >= max(max_age, 0))
        return {"events": [self.forget(key, "evicted") for key in old]}

    def stop(self, now):
        self.tick(now)
        self.stopped = True
        return OK

    # Queries.

    def ready(self, now, limit):
        now = max(now, self.clock)
        keys = sorted(key for key, entry in self.entries.items() if entry.next_verify <= now)
        return {"keys": keys[: max(limit, 0)]}

    def drained(self, now, keys):
        held = any(key in self.entries or key in self.queue or key in self.flying for key in keys)
        return {"drained": not held}

    def state(self, now):
        now = max(now, self.clock)
        heap, parked, index = [], [], {}
        for work in sorted(self.queue.values(), key=lambda w: (w.distance, w.key)):
            (parked if work.parked else heap).append(work.key)
            if work.parked:
                for source in work.untried:
                    index.setdefault(source, []).append(work.key)
        return {"state": {
            "clock": self.clock, "next_place": self.places + 1, "stopped": self.stopped,
            "pending": {key: {**e.state(), "next_verify": e.next_verify} for key, e in self.entries.items()},
            "heap": heap, "parked": parked, "index": index,
            "queued": {key: work.state() for key, work in self.queue.items()},
            "in_flight": {work.key: self.flight_state(work) for work in self.flights.values()},
            "contact": {
                p: {"last_answer": seen[0], "last_unanswered": seen[1], "marked_until": seen[2] if seen[2] > now else 0}
                for p, seen in self.contact.items()
            },
            "overflow_until": self.window if now < self.window else 0,
            "busy": {p: {"streak": c[0], "last": c[1], "until": c[2]} for p, c in self.cooldowns.items()},
            "reserved": self.reserved, "charges": self.charged, "counters": self.counters,
        }}

    def flight_state(self, work):
        state = work.state()
        state.update(
            attempt=work.attempt, source=work.source, started=work.started, tracked=work.tracked, answered=work.answered,
            busy=work.busy,
        )
        if work.given:
            state["given"] = work.given
        return state
