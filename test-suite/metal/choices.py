"""`c ? a : b` as clang gets it. In C++ for OpenCL a variable and what a function gives are of two
types if these are classes, as vectors are here, so that `?:` does not take both. In MSL vectors are
types of the language, and both are of one (2.2: operators `?:` of the language take them). So each
of the two operands goes through a function that gives its value; as before, one is computed."""
VALUE = "metal_shim::value_of("
OPEN, CLOSE = ("(", "[", "{", "[["), (")", "]", "}", "]]")
TEMPLATES = {"array", "vec", "matrix", "as_type", "atomic", "static_cast", "packed_vec"}


def choices(words):
    """For each place of a token what stands for it (`?` and `:`), and how many operands end before."""
    instead, ends = {}, {}
    for at, word in enumerate(words):
        if word == "?":
            middle = end_of(words, at + 1, {":"})
            end = end_of(words, middle + 1, {",", ";", ":"})
            instead[at], instead[middle] = f"? {VALUE}", f") : {VALUE}"
            ends[end] = ends.get(end, 0) + 1
    return instead, ends


def end_of(words, at, marks):
    """Where an operand ends that begins at a token: at a mark, or where what is around it ends."""
    depth = inner = angles = 0
    for number in range(at, len(words)):
        word = words[number]
        if word == "<" and words[number - 1] in TEMPLATES:
            angles += 1
        elif word == ">" and angles:
            angles -= 1
        elif word in OPEN:
            depth += 1
        elif word in CLOSE:
            depth -= 1
            if depth < 0:
                return number
        elif depth or angles:
            continue
        elif word == "?":
            inner += 1
        elif word == ":" and inner:
            inner -= 1
        elif word in marks:
            return number
    return len(words) - 1
