#!/usr/bin/env python3
"""Judges Metal text and makes programs of it (README.md beside this file).

    msl.py check TEXT...             whether Metal takes these texts
    msl.py build PROGRAM TEXT JSON   a program that runs the kernel of a text as its description says
    msl.py judge [WORD]              whether what is in `rejected/` is rejected, and what is in
                                     `accepted/` is accepted and computes what its comments say
Exit status 1, and the reasons, if anything is wrong."""
import json
import sys

sys.dont_write_bytecode = True  # The folder is part of a working tree.

import build
import cases


def main(words):
    if words[:1] == ["check"]:
        wrong = 0
        for path in words[1:]:
            try:
                build.check(path)
            except build.Rejected as why:
                print(why)
                wrong += 1
        return wrong
    if words[:1] == ["build"] and len(words) == 4:
        with open(words[3]) as file:
            description = json.load(file)
        try:
            build.build(words[2], description["launcher"], build.plan_of(description), words[1])
        except build.Rejected as why:
            print(why)
            return 1
        return 0
    if words[:1] == ["judge"] and len(words) <= 2:
        return cases.judge(*words[1:])
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
