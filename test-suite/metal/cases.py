"""The programs beside this file: all of `rejected/` have to be rejected; those of `accepted/` are
run on the data in their comments; those of `undefined/` have to be caught when they run. See
README.md."""
import json
import math
import os
import re
import struct
import subprocess
import tempfile

import build

HERE = os.path.dirname(os.path.abspath(__file__))
# How an element is packed.
PACKED = {"float": "f", "half": "e", "int": "i", "uint": "I", "short": "h", "ushort": "H", "char": "b",
          "uchar": "B", "long": "q", "ulong": "Q"}
DIRECTIVE = re.compile(r"//\s*([A-Z]+)(?:\((\d+)\))?:\s*(.*)")


# The bytes before the texels of a texture.
TEXTURE_HEAD = 24
# With which status the driver ends where Metal leaves something undefined.
UNDEFINED = 3


class Wrong(Exception):
    pass


class Undefined(Wrong):
    pass


class Case:
    """The directives of a program."""
    def __init__(self, text):
        self.entry, self.groups, self.threads = None, [1, 1, 1], [1, 1, 1]
        self.buffers, self.expected, self.textures, self.memory, self.constants = {}, {}, {}, {}, {}
        self.samplers, self.counters, self.description = {}, {}, ""
        self.rejected = self.undefined = self.fault = self.checked = None
        for line in text.splitlines():
            match = DIRECTIVE.match(line)
            if match:
                self.read(match[1], int(match[2] or 0), match[3])

    def read(self, word, number, rest):
        if word == "REJECTED":
            self.rejected = rest
        elif word == "CHECKED":
            self.checked = rest
        elif word == "FAULT":
            self.fault = rest
        elif word == "UNDEFINED":
            self.undefined = rest
        elif word == "KERNEL":
            self.entry = rest
        elif word in ("GROUPS", "THREADS"):
            given = [int(n) for n in rest.split()] + [1, 1]
            setattr(self, word.lower(), given[:3])
        elif word == "BUFFER":
            self.buffers[number] = values(rest)
        elif word == "TEXTURE":
            self.textures[number] = rest
        elif word == "SAMPLER":
            self.samplers[number] = sampler(rest.split())
        elif word == "THREADGROUP":
            self.memory[number] = int(rest)
        elif word == "CONSTANT":
            self.constants[number] = rest
        elif word == "COUNTER":
            self.counters[number] = int(rest)
        elif word == "COUNTED":
            self.expected["counter", number] = values("uint " + rest)
        elif word == "DESCRIPTION":
            self.description += rest
        elif word == "EXPECT":
            self.expected.setdefault(("buffer", number), []).extend(values(rest))
        elif word == "TEXELS":
            self.expected["texture", number] = values(rest)
        else:
            raise Wrong(f"no directive is called {word}")


def number(kind, word):
    return float(word) if PACKED[kind] in "fe" else int(word, 0)


def values(text):
    """`float 1 2 3*4 …`, where 3*4 is four times 3; lists of several types are parted by `|`.
    Returns the bytes, and what a reader compares: types, numbers and tolerances in ulps."""
    out = []
    for part in text.split("|"):
        kind, *rest = part.split()
        ulps = 0
        for word in rest:
            if word.startswith("~"):
                ulps = int(word[1:])
                continue
            value, _, count = word.partition("*")
            out += [(kind, number(kind, value), ulps)] * int(count or 1)
    return out


def pack(items):
    return b"".join(struct.pack("<" + PACKED[kind], v) for kind, v, _ in items)


def same(kind, wanted, given, ulps):
    code = PACKED[kind]
    if code not in "fe":
        return wanted == given
    wanted = struct.unpack("<" + code, struct.pack("<" + code, wanted))[0]
    if math.isnan(wanted) or math.isnan(given):
        return math.isnan(wanted) and math.isnan(given)
    if ulps == 0 or math.isinf(wanted):
        return wanted == given and math.copysign(1, wanted) == math.copysign(1, given)
    bits, least = (23, -126) if code == "f" else (10, -14)
    unit = 2.0 ** (max(math.frexp(wanted)[1] - 1, least) - bits)
    return abs(wanted - given) <= ulps * unit


def run(path, case):
    """What the slots hold after runs with the threads in one order and in the other."""
    slots = [("buffer", n) for n in sorted(case.buffers)] + [("texture", n) for n in sorted(case.textures)]
    plan = ["threads " + " ".join(map(str, case.threads))]
    data = struct.pack("<4I", *case.groups, len(slots))
    sizes = []
    for param, (kind, slot) in enumerate(slots):
        bytes_ = pack(case.buffers[slot]) if kind == "buffer" else texture(case.textures[slot])
        plan.append(f"{'storage' if kind == 'buffer' else kind} {slot} {param} 1")
        data += struct.pack("<QQII", len(bytes_), 0, case.counters.get(slot, 0), 1) + bytes_
        sizes.append(len(bytes_))
    if case.description:
        plan = build.plan_of(json.loads(case.description))
    plan += [f"sampler {slot} {bits}" for slot, bits in case.samplers.items()]
    plan += [f"memory {slot} {size}" for slot, size in case.memory.items()]
    with tempfile.TemporaryDirectory() as folder:
        program, bound = os.path.join(folder, "program"), os.path.join(folder, "bound")
        build.build(path, case.entry, plan, program, case.constants)
        return [after(program, bound, data, slots, sizes, order) for order in ({}, {"MSL_BACKWARDS": "1"})]


def after(program, bound, data, slots, sizes, order):
    """What the slots hold after a run."""
    with open(bound, "wb") as file:
        file.write(data)
    ran = subprocess.run([program, "0", bound], capture_output=True, text=True, timeout=60, env={**os.environ, **order})
    if ran.returncode == UNDEFINED:
        raise Undefined(ran.stderr.strip())
    if ran.returncode:
        raise Wrong(f"it ends with {ran.returncode}: {ran.stderr}")
    with open(bound, "rb") as file:
        bytes_ = file.read()
    at, found = 0, {}
    for (kind, slot), size in zip(slots, sizes):
        found["counter", slot] = bytes_[at:at + 4]
        at += 4
        found[kind, slot] = bytes_[at:at + size]
        at += size
    return found


def sampler(words):
    """As `texture.h` reads it."""
    modes = ["clamp_to_zero", "clamp_to_edge", "repeat", "mirrored_repeat"]
    mode = next((modes.index(w) for w in words if w in modes), 1)
    return ("linear" in words) | ("pixel" in words) << 1 | mode << 2


def texture(text):
    """`WIDTHxHEIGHTxDEPTH LAYERS LEVELS TYPE numbers…`, four numbers a texel."""
    extents, layers, levels, rest = text.split(None, 3)
    width, height, depth = (int(n) for n in extents.split("x"))
    return struct.pack("<6I", width, height, depth, int(layers), int(levels), 0) + pack(values(rest))


def compare(case, found):
    for (what, slot), wanted in case.expected.items():
        at, size = 0, len(pack(wanted))
        bytes_ = found[what, slot][TEXTURE_HEAD if what == "texture" else 0:]
        if size != len(bytes_):
            raise Wrong(f"{size} bytes of {what} {slot} are expected, and it has {len(bytes_)}")
        for place, (kind, value, ulps) in enumerate(wanted):
            size = struct.calcsize(PACKED[kind])
            given = struct.unpack("<" + PACKED[kind], bytes_[at:at + size])[0]
            at += size
            if not same(kind, value, given, ulps):
                raise Wrong(f"element {place} of {what} {slot} is {given!r}, and {value!r} is expected")


def judge_one(path, kind):
    with open(path) as file:
        case = Case(file.read())
    if kind == "rejected":
        if not case.rejected or not case.fault:
            raise Wrong("it does not say why it is rejected")
        try:
            build.check(path)
        except build.Rejected as why:
            if case.fault not in str(why):
                raise Wrong(f"it is rejected for another reason: {why}") from why
            return
        raise Wrong("it is accepted")
    if kind == "undefined":
        try:
            run(path, case)
        except Undefined as why:
            if str(why) == case.undefined:
                return
            raise
        raise Wrong("it runs to its end")
    if case.checked:
        build.check(path)
        return
    if not case.expected:
        raise Wrong("it does not say what it computes")
    for found in run(path, case):
        compare(case, found)


def judge(word=""):
    wrong = 0
    for kind in ("accepted", "rejected", "undefined"):
        for name in sorted(os.listdir(os.path.join(HERE, kind))):
            if word not in f"{kind}/{name}":
                continue
            try:
                judge_one(os.path.join(HERE, kind, name), kind)
            except (Wrong, build.Rejected, subprocess.TimeoutExpired) as why:
                wrong += 1
                print(f"{kind}/{name}: {why}")
    return wrong
