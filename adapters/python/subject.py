#!/usr/bin/env python3
"""A subject for fetchproof in Python: a whole scheduler and responder behind the protocol.

    fetchproof check -subject 'python3 adapters/python/subject.py'
"""

import argparse

from faults import FAULTS
from protocol import serve
from responder import Responder
from scheduler import Scheduler


def main():
    parser = argparse.ArgumentParser(description="answers the lines of docs/PROTOCOL.md on standard output")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="plant this fault")
    parser.add_argument("--only", choices=("scheduler", "responder"), help="have only this machine")
    arguments = parser.parse_args()
    machines = {"scheduler": Scheduler, "responder": Responder}
    if arguments.fault:
        faulty = FAULTS[arguments.fault]
        machines["responder" if issubclass(faulty, Responder) else "scheduler"] = faulty
    if arguments.only:
        machines = {arguments.only: machines[arguments.only]}
    serve(machines, "python " + (arguments.fault or "plain"))


if __name__ == "__main__":
    main()
