"""The responder: admission and the busy limiter, written from section 16 of model/RULES.md."""

from protocol import LARGEST, check_config

COUNTS = (
    "peer_share", "pool", "busy_send_permits", "busy_peer_burst", "busy_peer_rate", "busy_peer_in_flight", "busy_global_burst",
    "busy_global_rate", "busy_peer_table", "workers",
)
DURATIONS = ("fetch_timeout", "busy_send_deadline")

SECOND = 10**9


class Bucket:
    """A token bucket, exact: it is full from `full` on, in nanoseconds times rate, and a token is a second of that."""

    __slots__ = ("burst", "full", "rate")

    def __init__(self, burst, rate):
        self.burst, self.rate, self.full = burst, rate, 0

    def is_full(self, now):
        return self.full <= now * self.rate

    def has_token(self, now):
        return self.full - now * self.rate <= (self.burst - 1) * SECOND

    def spend(self, now):
        self.full = max(self.full, now * self.rate) + SECOND

    def full_at(self):
        """The first whole nanosecond at which it is full."""
        return min(-(-self.full // self.rate), LARGEST)


class Responder:
    def __init__(self, config):
        c = self.config = check_config(config, (), COUNTS, DURATIONS)
        self.clock = 0
        self.outstanding = {}  # peer -> its requests that hold a place
        self.tickets, self.last_ticket = {}, 0  # ticket -> [peer, since, taken]
        self.sends, self.last_send = {}, 0  # send -> peer
        self.peers = {}  # the limiter: peer -> [being sent to it, Bucket]
        self.everyone = Bucket(c["busy_global_burst"], c["busy_global_rate"])

    def tick(self, now):
        self.clock = max(now, self.clock)
        return self.clock

    def request(self, now, peer, asks_busy):
        now = self.tick(now)
        full = self.outstanding.get(peer, 0) >= self.config["peer_share"]
        if not full and len(self.tickets) < self.config["pool"]:
            self.last_ticket += 1
            self.tickets[self.last_ticket] = [peer, now, False]
            self.outstanding[peer] = self.outstanding.get(peer, 0) + 1
            return {"result": "admitted", "ticket": self.last_ticket}
        refusal = {"result": "silent", "reason": "peer_share" if full else "pool"}
        if asks_busy:
            self.limit(refusal, peer, now)
        return refusal

    def limit(self, refusal, peer, now):
        """RSP-5: a busy reply, or the first bound that denies it. A denial changes nothing."""
        sending, bucket = self.peers.get(peer, (0, None))
        bucket = bucket or Bucket(self.config["busy_peer_burst"], self.config["busy_peer_rate"])
        replaced = None
        if peer not in self.peers and len(self.peers) >= self.config["busy_peer_table"]:
            replaced = self.replaceable(now)
            no_place = replaced is None
        else:
            no_place = False
        for denied, bound in (
            (len(self.sends) >= self.config["busy_send_permits"], "send_permits"),
            (no_place, "peer_table"),
            (sending >= self.config["busy_peer_in_flight"], "peer_in_flight"),
            (not bucket.has_token(now), "peer_rate"),
            (not self.everyone.has_token(now), "global_rate"),
        ):
            if denied:
                refusal["limiter"] = bound
                return
        if replaced is not None:
            del self.peers[replaced]
        bucket.spend(now)
        self.everyone.spend(now)
        self.peers[peer] = (sending + 1, bucket)
        self.last_send += 1
        self.sends[self.last_send] = peer
        refusal.update(result="busy", send=self.last_send)

    def replaceable(self, now):
        """RSP-7: whose place a new peer may take."""
        idle = [
            (bucket.full_at(), peer) for peer, (sending, bucket) in self.peers.items() if not sending and bucket.is_full(now)
        ]
        return min(idle)[1] if idle else None

    def take(self, now, ticket):
        now = self.tick(now)
        held = self.tickets.get(ticket)
        if held is None or held[2]:
            return {"result": "stale"}
        if now - held[1] >= self.config["fetch_timeout"]:
            self.free(ticket)
            return {"result": "shed"}
        held[2] = True
        return {"result": "serve"}

    def free(self, ticket):
        peer = self.tickets.pop(ticket)[0]
        self.outstanding[peer] -= 1
        if not self.outstanding[peer]:
            del self.outstanding[peer]

    def release(self, now, ticket):
        self.tick(now)
        if ticket not in self.tickets:
            return {"result": "stale"}
        self.free(ticket)
        return {"result": "ok"}

    def send_done(self, now, send):
        self.tick(now)
        peer = self.sends.pop(send, None)
        if peer is None:
            return {"result": "stale"}
        sending, bucket = self.peers[peer]
        self.peers[peer] = (sending - 1, bucket)
        return {"result": "ok"}

    def state(self, now):
        return {"state": {
            "clock": self.clock, "outstanding": len(self.tickets), "peers": self.outstanding,
            "tickets": {t: {"peer": peer, "since": since, "taken": taken} for t, (peer, since, taken) in self.tickets.items()},
            "sends": self.sends,
            "limiter": {p: {"sending": sending, "full_at": b.full_at()} for p, (sending, b) in self.peers.items()},
            "global_full_at": self.everyone.full_at(),
        }}
