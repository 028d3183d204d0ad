"""What clang's tree of a text shows and clang accepts: address spaces that nobody wrote, `constant`
that becomes `device`, methods of objects that are elsewhere, recursion, calls of kernels, lambdas,
variables that are not constant."""
import re

ROW = re.compile(r"([ |`-]*)(\w+) (0x\w+)(.*)")
TYPE = re.compile(r"'([^']*)'(?::'([^']*)')?")
# Classes of the headers, whose methods are for all address spaces.
OURS = re.compile(r"(const )?(__\w+ )?(metal::|metal_shim::)?"
                  r"((vec|packed_vec|matrix|array|atomic|texture\w+|image)<|sampler$)")


class Row:
    def __init__(self, match, line):
        self.depth, self.node, self.address, self.rest = len(match[1]), match[2], match[3], match[4]
        self.line = line
        type_ = TYPE.search(self.rest)
        self.type = (type_[2] or type_[1]) if type_ else ""


def rows(dump):
    """What the text itself says, in order."""
    line, skipped, out = 0, None, []
    for text in dump.splitlines():
        match = ROW.match(text)
        if not match:
            continue
        for place in re.findall(r"\b(?:line|\.metal):(\d+):\d+", match[4]):
            line = int(place)
        row = Row(match, line)
        if skipped is not None and row.depth > skipped:
            continue
        skipped = row.depth if " implicit " in row.rest and row.node.endswith("Decl") else None
        if skipped is None:
            out.append(row)
    return out


def check(dump, words):
    faults, inside, calls, where, kernels = [], None, {}, {}, set()
    of_line, constants = {}, set()
    for word in words:
        of_line.setdefault(word.line, set()).add(word)
    above, all_ = {}, rows(dump)
    for number, row in enumerate(all_):
        below = all_[number + 1] if number + 1 < len(all_) else row
        before, parent = above.get(row.depth), above.get(row.depth - 2)
        above = {depth: other for depth, other in above.items() if depth < row.depth}
        above[row.depth] = row
        if row.node in ("FunctionDecl", "CXXMethodDecl") and row.depth <= 4:
            inside = row.address
            where[inside] = row.line
            calls.setdefault(inside, set())
        if row.node == "OpenCLKernelAttr" and inside:
            kernels.add(inside)
        if nowhere(row):
            faults.append((row.line, "a pointer or reference without an address space"))
        if row.node == "LambdaExpr":
            faults.append((row.line, "a lambda expression"))
        if row.node == "VarDecl" and (row.depth <= 2 or re.search(r" static\b", row.rest)):
            # A constant is seen by another name, which stands where its value ends.
            first = re.match(r" <line:(\d+):", row.rest)
            own = re.search(r" metal_shim_of_(\w+) '", row.rest)
            if own and "constant" in of_line.get(int(first[1]) if first else row.line, ()):
                constants.add(own[1])
            name = re.search(r" (\w+) '", row.rest)
            if not own and not (name and name[1] in constants) and "constant" not in of_line.get(row.line, ()):
                faults.append((row.line, "a variable of the program that is not constant"))
        if "<AddressSpaceConversion>" in row.rest:
            faults += [(row.line, why) for why in conversion(row, below, before, parent)]
        callee = re.search(r"(?:Function|CXXMethod) (0x\w+)|(?:->|\.)\w+ (0x\w+)", row.rest)
        if inside and callee:
            calls[inside].add(callee[1] or callee[2])
    faults += [(where[start], "a function that calls itself") for start in calls if reaches(calls, start)]
    called = set().union(*calls.values()) if calls else set()
    return faults + [(where[kernel], "a kernel that is called") for kernel in sorted(kernels & called)]


def nowhere(row):
    """Whether it is written and leads to no address space."""
    if row.node in ("VarDecl", "ParmVarDecl", "FieldDecl"):
        return "__generic" in row.type
    if row.node in ("FunctionDecl", "CXXMethodDecl", "CXXConversionDecl"):
        return "__generic" in row.type.split("(")[0] and " default" not in row.rest
    return row.node.endswith("CastExpr") and row.node != "ImplicitCastExpr" and "__generic" in row.type


def conversion(row, below, before, parent):
    """What is wrong with one that nobody wrote."""
    ours = OURS.match(row.type) and not re.search(r"[*&]", row.type)
    if "__global_device" in below.type and re.search(r"__global\b", row.type) and not ours:
        yield "from constant to device"
    if re.search(r"__global\b", below.type) and "__global_device" in row.type:
        yield "from device to constant"
    bound = parent is not None and parent.node == "MemberExpr" and "<bound member" in parent.type
    operator = before is not None and before.node == "ImplicitCastExpr" and "<FunctionToPointerDecay>" in before.rest
    if operator and parent is not None and parent.node == "CXXOperatorCallExpr":
        bound = bound or not parent.rest.endswith("'='")
    # Of `->` it is the pointer that is converted.
    object_ = re.sub(r" \*$", "", row.type)
    elsewhere = re.search(r"__(global|local|global_device)\b", below.type)
    if bound and elsewhere and "__generic" in object_ and not OURS.match(object_):
        yield "a method of an object that is not the thread's"


def reaches(calls, start):
    """Whether a function comes to be called by what it calls."""
    seen, todo = set(), list(calls[start])
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += calls.get(one, ())
    return start in seen
