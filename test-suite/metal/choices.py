"""`c ? a : b` as clang gets it. In C++ for OpenCL a variable and what a function gives are of two
types if these are classes, as vectors are here, so that `?:` does not take both. In MSL vectors are
types of the language, and both are of one (2.2: operators `?:` of the language take them). So each
of the two operands goes through a function that gives its value; as before, one is computed."""
import re

VALUE = "metal_shim::value_of("
OPEN, CLOSE = ("(", "[", "{", "[["), (")", "]", "}", "]]")
# What an opening `<` of arguments follows.
TEMPLATES = {"array", "vec", "packed_vec", "matrix", "atomic", "as_type", "static_cast", "reinterpret_cast",
             "texture1d", "texture2d", "texture2d_array", "texture3d", "numeric_limits"}


def operands(words):
    """The first and the last token of each that names something; literals are values as they are."""
    for at, word in enumerate(words):
        if word != "?":
            continue
        middle = end_of(words, at + 1, {":"})
        for first, end in ((at + 1, middle), (middle + 1, end_of(words, middle + 1, {",", ";", ":"}))):
            if any(re.match(r"[A-Za-z_]", w) for w in words[first:end]):
                yield first, end - 1


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
