"""Planted faults: each breaks one rule of an otherwise right subject, so that the suite can be seen to catch it."""

from responder import Responder
from scheduler import Scheduler


class AnyAnswerClears(Scheduler):
    """CON-2: an answer from before the newest unanswered request clears its mark."""

    def heard(self, source, place):
        seen = self.contact.get(source)
        if seen is not None and seen[2]:
            place = max(place, seen[1] + 1)
        super().heard(source, place)


class NoShare(Scheduler):
    """SRC-4: the limit per source is gone."""

    def has_room(self, source):
        return True


class NoRefresh(Scheduler):
    """CON-3: a newer failure does not refresh a mark."""

    def missed(self, work, now):
        seen = self.contact.get(work.source)
        mark = seen and seen[2]
        super().missed(work, now)
        if mark:
            seen[2] = mark


class Shortened(Scheduler):
    """BSY-3: a busy answer can shorten a running cooldown."""

    def cool(self, source, now, wait):
        if source in self.cooldowns:
            self.cooldowns[source][2] = 0
        return super().cool(source, now, wait)


class Leak(Scheduler):
    """PND-6: a key that is stored keeps its reservation."""

    def move_on(self, work, kind, now):
        event = super().move_on(work, kind, now)
        if kind == "Stored" and work.retry is not None:
            self.reserved += 1
        return event


class TriedAgain(Scheduler):
    """ADV-2: a source that was tried is merged back."""

    def readvertise(self, work, claimants):
        tried, work.tried = work.tried, set()
        super().readvertise(work, claimants)
        work.tried = tried


class FreeAgain(Responder):
    """RSP-2: a place is released again by a ticket that was shed."""

    def take(self, now, ticket):
        answer = super().take(now, ticket)
        if answer["result"] == "shed" and self.tickets:
            self.free(min(self.tickets))
        return answer


class Spends(Responder):
    """RSP-5: a denial spends a token of the global bucket."""

    def limit(self, refusal, peer, now):
        super().limit(refusal, peer, now)
        if "limiter" in refusal:
            self.everyone.spend(max(now, self.clock))


class Crash(Scheduler):
    """It raises when it is stopped."""

    def stop(self, now):
        raise RuntimeError("planted: the scheduler falls over when it is stopped")


class NoBusy(Scheduler):
    """Not a fault: a scheduler from before busy replies, which the suite checks without them."""

    busy = property()  # hasattr is false: there is no such operation


FAULTS = {
    "any-answer-clears": AnyAnswerClears,
    "no-share": NoShare,
    "no-refresh": NoRefresh,
    "shortened-cooldown": Shortened,
    "reservation-leak": Leak,
    "tried-again": TriedAgain,
    "free-again": FreeAgain,
    "denial-spends": Spends,
    "crash-on-stop": Crash,
    "no-busy": NoBusy,
}
