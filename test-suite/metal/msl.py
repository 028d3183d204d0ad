#!/usr/bin/env python3
"""Judges Metal text: `msl.py check FILE...` compiles it with the headers beside this file and
looks at what clang cannot; `msl.py judge` checks that `rejected/` is rejected and `accepted/`
is accepted. The header is compiled anew for each call. Exit status 1 if anything is wrong."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = """-x clcpp -cl-std=CLC++2021 --target=x86_64-linux-gnu -cl-no-stdinc -nostdinc -fdeclspec
-Xclang -fnative-half-type -Xclang -fnative-half-arguments-and-returns -cl-single-precision-constant
-ffp-contract=off -fno-color-diagnostics -Wall -Wextra -Werror -Wno-duplicate-decl-specifier
-Wno-unknown-pragmas -Wno-missing-declarations""".split()
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\.?\d(?:[eEpP][+-]|[\w.])*'
                   r'|[A-Za-z_]\w*|\[\[|\]\]|::|\s+|.', re.S)
# MSL 1.5.4, and types that 2.1 does not have.
BANNED = set("""double goto new delete virtual try catch throw dynamic_cast typeid register thread_local asm
noexcept""".split())
COORDINATE = {"uint", "ushort", "uint2", "ushort2", "uint3", "ushort3"}
NUMBER = {"uint", "ushort"}
# Attributes of kernel parameters (MSL 5.2.1, 5.2.3.6) and the types that they take.
BUILTIN = {name: COORDINATE for name in """thread_position_in_grid thread_position_in_threadgroup
threadgroup_position_in_grid threads_per_threadgroup threadgroups_per_grid threads_per_grid
dispatch_threads_per_threadgroup""".split()}
BUILTIN.update({name: NUMBER for name in """thread_index_in_threadgroup thread_index_in_simdgroup
simdgroup_index_in_threadgroup threads_per_simdgroup simdgroups_per_threadgroup""".split()})
SLOTS = {"buffer": 31, "texture": 128, "sampler": 16, "threadgroup": 31}


def tokens(text):
    line, out = 1, []
    for match in TOKEN.finditer(text):
        word = match.group()
        if not word.isspace() and not word.startswith(("//", "/*")):
            out.append((word, line))
        line += word.count("\n")
    return out


def parameters(words, at):
    """The parameters of a list that opens at `at`, each as its tokens."""
    depth, one, out = 0, [], []
    for word, line in words[at:]:
        if word in ("(", "[[", "[", "<"):
            depth += 1
            if depth == 1:
                continue
        if word in (")", "]]", "]", ">"):
            depth -= 1
            if depth == 0:
                return out + [one] if one else out
        if word == "," and depth == 1:
            out, one = out + [one], []
        else:
            one.append((word, line))
    return out


def check_kernel(words, at, faults):
    line = words[at][1]
    if words[at + 1][0] != "void":
        faults.append((line, "a kernel gives no value"))
    while words[at][0] != "(":
        at += 1
    if words[at - 1][0] == "main":
        faults.append((line, "no function is called main"))
    taken = set()
    for one in parameters(words, at):
        text = [word for word, _ in one]
        line = one[0][1]
        if "[[" not in text:
            faults.append((line, "a kernel parameter without an attribute"))
            continue
        start = text.index("[[")
        name, type_ = text[start + 1], text[:start - 1]
        if name in BUILTIN:
            if type_[-1] not in BUILTIN[name]:
                faults.append((line, f"{name} with the type {' '.join(type_)}"))
        elif name in SLOTS:
            number = text[start + 3]
            if not number.isdigit() or int(number) >= SLOTS[name]:
                faults.append((line, f"no {name} has the index {number}"))
            if (name, number) in taken:
                faults.append((line, f"two parameters have {name}({number})"))
            taken.add((name, number))
            spaces = {"buffer": {"device", "constant"}, "threadgroup": {"threadgroup"}}.get(name)
            if spaces and not (spaces & set(type_) and {"*", "&"} & set(type_)):
                faults.append((line, f"{name} on what is in no such address space"))
        else:
            faults.append((line, f"no kernel parameter has the attribute {name}"))


def check_tokens(words):
    faults = []
    for at, (word, line) in enumerate(words):
        if word in BANNED:
            faults.append((line, f"`{word}` is not in the language"))
        if word == "long" and words[at + 1][0] in ("long", "double"):
            faults.append((line, f"`long {words[at + 1][0]}` is not in the language"))
        if word == "kernel" and next((w for w, _ in words[at:] if w in "(;=)"), "") == "(":
            check_kernel(words, at, faults)
    return faults


def check_tree(dump, words):
    """What the tree of clang shows: address spaces nobody wrote, recursion, lambdas, statics."""
    faults, line, inside, calls, skipped = [], 0, None, {}, None
    of_line = {}
    for word, at in words:
        of_line.setdefault(at, set()).add(word)
    for row in dump.splitlines():
        match = re.match(r"([ |`-]*)(\w+) (0x\w+)(.*)", row)
        if not match:
            continue
        depth, node, address, rest = len(match[1]), match[2], match[3], match[4]
        for place in re.findall(r"\b(?:line|\.metal):(\d+):\d+", rest):
            line = int(place)
        if skipped is not None and depth > skipped:
            continue
        skipped = depth if " implicit " in rest and node.endswith("Decl") else None
        if skipped is not None:
            continue
        if node in ("FunctionDecl", "CXXMethodDecl") and depth <= 4:
            inside = address
            calls.setdefault(inside, set())
        types = re.findall(r"'([^']*)'", rest)
        if node in ("VarDecl", "ParmVarDecl", "FieldDecl") and types and "__generic" in types[0]:
            faults.append((line, "a pointer or reference without an address space"))
        if node == "LambdaExpr":
            faults.append((line, "a lambda expression"))
        if node == "VarDecl" and (depth <= 2 or " static" in rest) and types:
            if "constant" not in of_line.get(line, ()):
                faults.append((line, "a variable of the program that is not constant"))
        if "<AddressSpaceConversion>" in rest and types:
            above = types[0]
            below = dump_child(dump, address)
            if "__global_device" in below and re.search(r"__global\b", above):
                faults.append((line, "from device to constant"))
        callee = re.search(r"(?:Function|CXXMethod) (0x\w+)|(?:->|\.)\w+ (0x\w+)", rest)
        if inside and callee:
            calls[inside].add(callee[1] or callee[2])
    for start in calls:
        seen, todo = set(), list(calls[start])
        while todo:
            one = todo.pop()
            if one not in seen:
                seen.add(one)
                todo += calls.get(one, ())
        if start in seen:
            faults.append((line, "a function that calls itself"))
    return faults


def dump_child(dump, address):
    rest = dump[dump.index(address):].split("\n", 2)
    return rest[1] if len(rest) > 1 else ""


def clang(*arguments):
    return subprocess.run(["clang++-19", *FLAGS, *arguments], capture_output=True, text=True)


def check(path, header):
    words = tokens(open(path).read())
    faults = [f"{path}:{line}: {why}" for line, why in check_tokens(words)]
    text = re.sub(r"\[\[[^\]]*\]\]", "", open(path).read())
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "text.metal")
        with open(copy, "w") as file:
            file.write(text)
        ran = clang("-I", f"{HERE}/include", "-Xclang", "-include-pch", "-Xclang", header,
                    "-fsyntax-only", "-Xclang", "-ast-dump", copy)
        if ran.returncode:
            return faults + [ran.stderr.replace(copy, path)]
    return faults + [f"{path}:{line}: {why}" for line, why in check_tree(ran.stdout, words)]


def main(words):
    with tempfile.TemporaryDirectory() as folder:
        header = os.path.join(folder, "metal.pch")
        made = clang("-Wno-pragma-system-header-outside-header", "-c", "-Xclang", "-emit-pch",
                     f"{HERE}/include/metal_stdlib", "-o", header)
        if made.returncode:
            sys.exit(made.stderr)
        if words[:1] == ["check"]:
            faults = [fault for path in words[1:] for fault in check(path, header)]
            print("\n".join(faults))
            return bool(faults)
        if words != ["judge"]:
            sys.exit(__doc__)
        wrong = 0
        for kind in ("accepted", "rejected"):
            for name in sorted(os.listdir(f"{HERE}/{kind}")):
                faults = check(f"{HERE}/{kind}/{name}", header)
                if bool(faults) != (kind == "rejected"):
                    wrong += 1
                    print(f"not {kind}: {name}", *faults, sep="\n")
                elif "-v" in os.environ.get("MSL", ""):
                    print(name, *faults, sep="\n")
        return wrong


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
