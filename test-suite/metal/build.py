"""Has clang judge texts and make programs of them. What does not depend on a text, the headers as
clang reads them and the driver, is made once and kept below the folder for temporary files (or
`MSL_CACHE`), under a name that changes with whatever it is made of."""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

import tokens
import tree

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = "clang++-19"
FLAGS = """-x clcpp -cl-std=CLC++2021 --target=x86_64-linux-gnu -cl-no-stdinc -nostdinc -fdeclspec
-Xclang -fnative-half-type -Xclang -fnative-half-arguments-and-returns -cl-single-precision-constant
-ffp-contract=off -fno-color-diagnostics -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls
-ftrivial-auto-var-init=pattern -fsanitize-minimal-runtime -fno-sanitize-recover=all
-fsanitize=signed-integer-overflow,integer-divide-by-zero,float-cast-overflow,array-bounds,return,unreachable
-Wall -Wextra -Werror -Wno-duplicate-decl-specifier -Wno-unknown-pragmas -Wno-missing-declarations""".split()
# Each variable of a group has a section of its own. Calls that exchange values are neither put
# together nor in another order: the driver tells them by where they return to.
CODE = "-fdata-sections -mllvm -enable-tail-merge=false -mllvm -disable-block-placement".split()
DRIVER = "-std=c++17 -O1 -Wall -Wextra -Werror -fno-omit-frame-pointer -c".split()
# Where the memory of groups is: the variables of functions that are no constants.
SCRIPT = """SECTIONS {
    metal_shim_group : {
        metal_shim_group_begin = .;
        *text.o(.bss._ZZ*)
        metal_shim_group_end = .;
    }
}
INSERT AFTER .bss;
"""


class Rejected(Exception):
    """What is wrong with a text, a line each."""


def clang(*arguments):
    return subprocess.run([CLANG, *arguments], capture_output=True, text=True)


def inputs():
    """The files that what is kept is made of."""
    for folder, _, names in os.walk(HERE):
        yield from (os.path.join(folder, name) for name in names
                    if folder.startswith(f"{HERE}/include") or name in ("driver.cpp", "build.py"))


def forget(root):
    """Removes what was kept for files as they were more than a day ago."""
    for name in os.listdir(root) if os.path.isdir(root) else ():
        folder = os.path.join(root, name)
        if time.time() - os.stat(folder).st_mtime > 86400:
            shutil.rmtree(folder, ignore_errors=True)


def kept(name, make):
    """A file that `make` writes unless it is there."""
    state = hashlib.sha256()
    for path in sorted(inputs()):
        # clang refuses headers that are not those that it read.
        state.update(f"{path} {os.stat(path).st_mtime_ns} {os.stat(path).st_size}\n".encode())
    root = os.environ.get("MSL_CACHE") or os.path.join(tempfile.gettempdir(), f"metal-shim-{os.getuid()}")
    folder = os.path.join(root, state.hexdigest()[:16])
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        forget(root)
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as own:
            made = os.path.join(own, name)
            ran = make(made)
            if ran.returncode:
                sys.exit(ran.stderr)
            os.replace(made, path)
    os.utime(folder)
    return path


def headers():
    return kept("metal.pch", lambda to: clang(
        *FLAGS, "-Wno-pragma-system-header-outside-header", "-c", "-Xclang", "-emit-pch",
        f"{HERE}/include/metal_stdlib", "-o", to))


def driver():
    return kept("driver.o", lambda to: clang(*DRIVER, f"{HERE}/driver.cpp", "-o", to))


def on_text(path, *arguments):
    return clang(*FLAGS, "-I", f"{HERE}/include", "-Xclang", "-include-pch", "-Xclang", headers(), *arguments, path)


def judge(path, words, text, folder):
    """Raises `Rejected` for what Metal does not take."""
    faults = [f"{path}:{line}: {why}" for line, why in tokens.check(words)]
    copy = os.path.join(folder, "text.metal")
    with open(copy, "w") as file:
        file.write(tokens.for_clang(text, words))
    ran = on_text(copy, "-fsyntax-only", "-Xclang", "-ast-dump")
    if ran.returncode:
        faults.append(ran.stderr.replace(copy, path))
    else:
        faults += [f"{path}:{line}: {why}" for line, why in tree.check(ran.stdout, words)]
    if faults:
        raise Rejected("\n".join(faults))


def check(path):
    with open(path) as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        judge(path, tokens.tokens(text), text, folder)


def argument(param):
    name, args = next((n, a) for n, a in param.attributes if n in tokens.BUILTIN or n in tokens.SLOTS)
    if name in tokens.NUMBERS:
        return f"at->{name}"
    if name in tokens.COORDINATES:
        return f"metal_shim::coordinate_argument(at->{name})"
    return f"metal_shim::{'buffer' if name == 'threadgroup' else name}_argument{{of->{name}s[{args[0]}]}}"


def launcher(kernel, plan, constants):
    """What stands behind a text: the kernel's call, the plan, and the values of function constants."""
    arguments = ", ".join(argument(p) for p in kernel.params)
    escaped = "".join(f'"{line}\\n" ' for line in plan)
    cases = "".join(f"    if (index == {number}) return {value};\n" for number, value in constants.items())
    given = " || ".join(f"index == {number}" for number in constants) or "false"
    return f"""
#line 1 "launcher"
extern "C" const __global char metal_shim_plan[] = {escaped};
extern "C" void metal_shim_run(const __private metal_shim_resources* of, const __private metal_shim_ids* at);
extern "C" void metal_shim_run(const __private metal_shim_resources* of, const __private metal_shim_ids* at) {{
    (void)of;
    (void)at;
    {"::".join([*kernel.spaces, kernel.own_name()])}({arguments});
}}
extern "C" float metal_shim_given(int index) {{
    (void)index;
{cases}    return 0;
}}
extern "C" bool metal_shim_is_given(int index) {{
    (void)index;
    return {given};
}}
"""


def build(path, entry, plan, program, constants=None):
    """Makes a program of kernel `entry`, or of the only one, that runs as the plan says."""
    with open(path) as file:
        text = file.read()
    words = tokens.tokens(text)
    with tempfile.TemporaryDirectory() as folder:
        judge(path, words, text, folder)
        found = [k for k in tokens.kernels(words) if entry in (None, k.name, k.full_name())]
        if len(found) != 1:
            raise Rejected(f"{path}: {len(found)} kernels called {entry or 'anything'}")
        copy, made, script = (os.path.join(folder, name) for name in ("text.metal", "text.o", "group.ld"))
        with open(copy, "w") as file:
            file.write(tokens.for_clang(text, words) + launcher(found[0], plan, constants or {}))
        ran = on_text(copy, *CODE, "-c", "-o", made)
        if ran.returncode:
            raise Rejected(ran.stderr.replace(copy, path))
        with open(script, "w") as file:
            file.write(SCRIPT)
        linked = clang("-o", program, made, driver(), f"-Wl,-T,{script}", "-lm")
        if linked.returncode:
            raise Rejected(linked.stderr)


def plan_of(description):
    """The driver's plan from the description of a text."""
    x, y, z = description["numthreads"]
    plan = [f"threads {x} {y} {z}"]
    bindings = [b for b in description["bindings"] if b.get("binding") is not None]
    names = description.get("names", {})
    for b in bindings:
        kind, slot, param = b["kind"], b["binding"], b.get("parameter")
        if kind == "lengths":
            for number, of in enumerate(b["of"]):
                other = next(o for o in bindings if o["kind"] == "storage" and
                             of in (o["binding"], o.get("text")) or o["name"] == names.get(of, of))
                plan.append(f"length {slot} {4 * number} {other['binding']} {other['stride']}")
        elif kind == "counter":
            plan.append(f"counter {slot} {param}")
        elif b.get("offset") is not None:
            plan.append(f"uniform {slot} {param} {b.get('multiple', 1)} {b['offset']} {b['size']}")
        else:
            plan.append(f"storage {slot} {param} {b.get('multiple', 1)}")
    return plan
