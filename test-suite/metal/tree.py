"""What clang's tree of a text shows and clang accepts: address spaces that nobody wrote, `constant`
that becomes `device`, recursion, lambdas, variables that are not constant."""
import re

ROW = re.compile(r"([ |`-]*)(\w+) (0x\w+)(.*)")
# The object of a method of ours, which exists for both spaces.
OURS = re.compile(r"const __global (metal::)?(array|matrix)<[^*&]*$|const __global (half|float)\dx\d$")


def check(dump, words):
    faults, line, inside, calls, skipped = [], 0, None, {}, None
    where, of_line = {}, {}
    for word in words:
        of_line.setdefault(word.line, set()).add(word)
    rows = dump.splitlines()
    for number, row in enumerate(rows):
        match = ROW.match(row)
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
            where[inside] = line
            calls.setdefault(inside, set())
        types = re.findall(r"'([^']*)'", rest)
        if node in ("VarDecl", "ParmVarDecl", "FieldDecl") and types and "__generic" in types[0]:
            faults.append((line, "a pointer or reference without an address space"))
        if node == "LambdaExpr":
            faults.append((line, "a lambda expression"))
        if node == "VarDecl" and (depth <= 2 or re.search(r" static\b", rest)) and types:
            if "constant" not in of_line.get(line, ()):
                faults.append((line, "a variable of the program that is not constant"))
        if "<AddressSpaceConversion>" in rest and types and number + 1 < len(rows):
            if "__global_device" in rows[number + 1] and re.search(r"__global\b", types[0]):
                if not OURS.match(types[0]):
                    faults.append((line, "from constant to device"))
        callee = re.search(r"(?:Function|CXXMethod) (0x\w+)|(?:->|\.)\w+ (0x\w+)", rest)
        if inside and callee:
            calls[inside].add(callee[1] or callee[2])
    return faults + [(where[start], "a function that calls itself") for start in calls if reaches(calls, start)]


def reaches(calls, start):
    """Whether a function comes to be called by what it calls."""
    seen, todo = set(), list(calls[start])
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += calls.get(one, ())
    return start in seen
