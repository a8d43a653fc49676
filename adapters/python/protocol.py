"""The subject's side of docs/PROTOCOL.md: lines in, answers out.

To put your own scheduler under the suite, write a class with the methods of scheduler.Scheduler (one for each operation) and
hand it to serve(). An operation without a method is answered "unsupported", and the suite then leaves it out; a state without
a field is not compared in that field.
"""

import json
import os
import re

PROTOCOL = 1
LARGEST = 2**63 - 1

_hex = re.compile("[0-9a-f]{64}").fullmatch
_encode = json.JSONEncoder(separators=(",", ":")).encode


class BadLine(Exception):
    """A line that cannot be carried out: it is answered with an error and changes nothing."""


def _identifier(v):
    return type(v) is str and _hex(v) is not None


def _identifiers(v):
    return type(v) is list and all(type(x) is str and _hex(x) for x in v)


def _integer(v):
    return type(v) is int and -LARGEST - 1 <= v <= LARGEST


def _number(v):
    return type(v) is int and 0 <= v < 2**64


def _boolean(v):
    return type(v) is bool


def _hints(v):
    return type(v) is list and all(
        type(h) is dict and _identifier(h.get("peer")) and _boolean(h.get("claimant")) for h in v
    )


def _word(v):
    return type(v) is str


_NOW = ("now", _integer)
_KEY = ("key", _identifier)
_WHERE = (_NOW, _KEY, ("distance", _identifier), ("sources", _identifiers))
_ATTEMPT = ("attempt", _number)

# The fields of each operation, in the order of its method's arguments. A field that may be absent is in _OPTIONAL and passed
# as None.
SCHEDULER = {
    "add": (_NOW, _KEY, ("hints", _hints)),
    "promote": _WHERE,
    "enqueue": _WHERE,
    "fill": (_NOW,),
    "arrive": (_ATTEMPT,),
    "answer": (_NOW, _ATTEMPT, ("place", _number)),
    "busy": (_NOW, _ATTEMPT, ("place", _number), ("wait", _integer)),
    "outcome": (_NOW, _ATTEMPT, ("kind", _word), ("place", _number)),
    "depart": (_NOW, ("peer", _identifier)),
    "remove": (_NOW, _KEY),
    "evict": (_NOW, ("max_age", _integer)),
    "stop": (_NOW,),
    "ready": (_NOW, ("limit", _integer)),
    "drained": (_NOW, ("keys", _identifiers)),
    "state": (_NOW,),
}
RESPONDER = {
    "request": (_NOW, ("peer", _identifier), ("asks_busy", _boolean)),
    "take": (_NOW, ("ticket", _number)),
    "release": (_NOW, ("ticket", _number)),
    "send_done": (_NOW, ("send", _number)),
    "state": (_NOW,),
}
_OPTIONAL = {("outcome", "place")}
OPERATIONS = {"scheduler": SCHEDULER, "responder": RESPONDER}


def check_config(given, flags, counts, durations):
    """The configuration, or BadLine if a field is missing or out of its range (section 2 of the rules)."""
    if type(given) is not dict:
        raise BadLine("config is missing")
    for name in (*flags, *counts, *durations):
        v = given.get(name)
        if name in flags:
            if not _boolean(v):
                raise BadLine(f"config: {name}: want true or false")
        elif not _integer(v) or v < 1 or (name in counts and v > 1 << 30):
            raise BadLine(f"config: {name}: want a whole number of at least 1")
    return given


class Session:
    """What one process answers: the machine of the last init, and the lines before it."""

    def __init__(self, machines, name):
        self.machines = machines  # name of the machine -> class; the class takes a configuration
        self.name = name
        self.machine = None
        self.calls = {}  # op -> (method, fields)
        self.known = frozenset(op for operations in OPERATIONS.values() for op in operations)

    def answer(self, line):
        """The answer to a line, an object."""
        try:
            message = json.loads(line)
        except ValueError as e:
            return {"error": f"no JSON: {e}"}
        try:
            return self.carry_out(message)
        except BadLine as e:
            return {"error": str(e)}

    def carry_out(self, message):
        if type(message) is not dict or type(message.get("op")) is not str:
            raise BadLine("op is missing")
        op = message["op"]
        if op == "init":
            return self.init(message)
        if self.machine is None:
            raise BadLine(f"{op} before init")
        call = self.calls.get(op)
        if call is None:
            return {"result": "unsupported"}
        method, fields = call
        arguments = []
        for name, fits in fields:
            v = message.get(name)
            if not fits(v) and not (v is None and (op, name) in _OPTIONAL):
                raise BadLine(f"{op}: {name} is missing or of the wrong type")
            arguments.append(v)
        return method(*arguments)

    def init(self, message):
        if type(message.get("protocol")) is not int or message["protocol"] != PROTOCOL:
            raise BadLine(f"want protocol {PROTOCOL}")
        kind = message.get("machine")
        if type(kind) is not str or kind not in self.machines:
            raise BadLine(f"no machine {kind!r}")
        # The new machine is made first: a configuration that it refuses leaves the old one as it is.
        machine = self.machines[kind](message.get("config"))
        self.machine = machine
        self.calls = {
            op: (getattr(machine, op), fields) for op, fields in OPERATIONS[kind].items() if hasattr(machine, op)
        }
        return {"result": "ok", "protocol": PROTOCOL, "name": self.name}


# Answers are written together, but not so late that the other side waits for them while there is work to do.
_FLUSH_AT = 8 << 10


def serve(machines, name):
    """Answers the lines of standard input on standard output until it ends."""
    session = Session(machines, name)
    rest = b""
    while chunk := os.read(0, 1 << 16):
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        answers, size = [], 0
        for line in lines:
            text = _encode(session.answer(line))
            answers.append(text)
            size += len(text)
            if size >= _FLUSH_AT:
                _write(answers)
                answers, size = [], 0
        if answers:
            _write(answers)
    if rest:
        _write([_encode(session.answer(rest))])


def _write(answers):
    answers.append("")
    data = memoryview("\n".join(answers).encode())
    while data:
        data = data[os.write(1, data) :]
