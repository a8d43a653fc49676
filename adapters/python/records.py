"""What a scheduler keeps of one key: its verification entry, and its work once it is queued."""


class Entry:
    """A verification entry: of a pending key, or carried by a promoted one."""

    __slots__ = ("claimants", "created", "hints", "next_verify", "owner")

    def __init__(self, now):
        self.hints, self.claimants = set(), set()
        self.owner, self.created, self.next_verify = None, now, now

    def merge(self, claimants, paid, most):
        """ADV-1. Both lists are sorted and have no peer in common."""
        self.claimants |= self.hints.intersection(claimants)
        for peer in claimants:
            if peer in self.hints:
                continue
            if len(self.hints) >= most:
                displaced = self.hints - self.claimants - {self.owner}
                if not displaced:
                    continue
                self.hints.remove(min(displaced))
            self.hints.add(peer)
            self.claimants.add(peer)
        for peer in paid:
            if len(self.hints) < most:
                self.hints.add(peer)

    def state(self):
        return {
            "hints": sorted(self.hints), "claimants": sorted(self.claimants), "owner": self.owner, "created": self.created,
        }


class Work:
    """A key that is queued or in flight."""

    __slots__ = (
        "answered", "attempt", "busy", "distance", "given", "key", "parked", "retry", "source", "started", "tracked", "tried",
        "untried",
    )

    def __init__(self, key, distance, sources, retry):
        self.key, self.distance, self.untried, self.tried = key, distance, sources, set()
        self.retry, self.parked = retry, False

    def state(self):
        state = {"distance": self.distance, "untried": self.untried, "tried": sorted(self.tried)}
        if self.retry is not None:
            state["retry"] = self.retry.state()
        return state
