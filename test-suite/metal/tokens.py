"""What the tokens of a Metal text show: attributes and where they stand, words that are not in the
language, kernels and their parameters. Knows nothing of clang."""
import re

import choices

# A directive is one token.
TOKEN = re.compile(r'(?m:^)[ \t]*#(?:\\\n|[^\n])*|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\.?\d(?:[eEpP][+-]|[\w.])*'
                   r'|[A-Za-z_]\w*|\[\[|\]\]|::|\s+|.', re.S)
# MSL 1.5.4, and types that 2.1 does not have.
BANNED = set("""double goto new delete virtual try catch throw dynamic_cast typeid register thread_local asm
noexcept addrspace_cast""".split())
# Words of clang, and of OpenCL, begin so; a program may use these.
RESERVED = re.compile(r"__(?!METAL|HAVE_|attribute__|FILE__|LINE__)|_Float16|_Bool$")
# A float with the suffix of a long double, or of no type.
LONG_LITERAL = re.compile(r"(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?[lLdD]")
COORDINATE = {"uint", "ushort", "uint2", "ushort2", "uint3", "ushort3"}
NUMBER = {"uint", "ushort"}
# Attributes of kernel parameters (MSL 5.2.3.6) and the types that they take.
COORDINATES = """thread_position_in_grid thread_position_in_threadgroup threadgroup_position_in_grid
threads_per_threadgroup threadgroups_per_grid threads_per_grid dispatch_threads_per_threadgroup""".split()
NUMBERS = """thread_index_in_threadgroup thread_index_in_simdgroup simdgroup_index_in_threadgroup
threads_per_simdgroup simdgroups_per_threadgroup dispatch_simdgroups_per_threadgroup
thread_execution_width""".split()
BUILTIN = {**{name: COORDINATE for name in COORDINATES}, **{name: NUMBER for name in NUMBERS}}
# MSL 5.2.1.
SLOTS = {"buffer": 31, "texture": 128, "sampler": 16, "threadgroup": 31}
CLASSES = {"texture": r"texture|depth", "sampler": r"sampler$"}
SPACES = {"buffer": {"device", "constant"}, "threadgroup": {"threadgroup"}}


class Token(str):
    """A token's text, with the offset and the line where it begins."""
    at: int
    line: int


class Words(list):
    """The tokens of a text; the preprocessor's directives stand apart."""
    directives: list


def tokens(text):
    line, out, directives = 1, [], []
    for match in TOKEN.finditer(text):
        word = match.group()
        if not word.isspace() and not word.startswith(("//", "/*")):
            token = Token(word)
            token.at, token.line = match.start(), line
            (directives if word.lstrip().startswith("#") else out).append(token)
        line += word.count("\n")
    # `[[` also begins an index that begins with a lambda, which the language has not, and `]]` may
    # end two indices: only `]]` after an open `[[` ends an attribute.
    open_, fixed = 0, Words()
    fixed.directives = directives
    for token in out:
        if token == "[[":
            open_ += 1
        elif token == "]]" and not open_:
            for step in (0, 1):
                half = Token("]")
                half.at, half.line = token.at + step, token.line
                fixed.append(half)
            continue
        elif token == "]]":
            open_ -= 1
        fixed.append(token)
    return fixed


def attributes(words):
    """Each `[[…]]`: the numbers of its first and last token, and its parts as (name, arguments)."""
    at = 0
    while at < len(words):
        if words[at] == "[[" and "]]" in words[at:]:
            end = words.index("]]", at)
            yield at, end, [(one[0], one[2:-1]) for one in split(words[at + 1:end]) if one]
            at = end
        at += 1


def split(words):
    """Parts between commas that are in no brackets."""
    depth, parts = 0, [[]]
    for word in words:
        depth += (word in ("(", "[", "{", "<", "[[")) - (word in (")", "]", "}", ">", "]]"))
        if word == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def closing(words, at):
    """The number of the token that closes the bracket at `at`."""
    pairs, depth = {"(": ")", "{": "}", "[": "]"}, 0
    for number in range(at, len(words)):
        depth += (words[number] == words[at]) - (words[number] == pairs[words[at]])
        if depth == 0:
            return number
    return len(words) - 1


class Parameter:
    """Of a kernel: its tokens without attributes, and its attributes."""
    def __init__(self, words):
        self.line = words[0].line
        self.attributes = [part for _, _, parts in attributes(words) for part in parts]
        inside, self.words = 0, []
        for word in words:
            inside += word == "[["
            if not inside:
                self.words.append(word)
            inside -= word == "]]"
        # An array's extents follow the name.
        names = [w for w in self.words if re.match(r"[A-Za-z_]", w)]
        self.name = names[-1] if names else ""
        self.type = self.words[:self.words.index(self.name)] if names else []


class Kernel:
    def __init__(self, spaces, result, name, params, line, body):
        self.spaces, self.result, self.name, self.params, self.line = spaces, result, name, params, line
        # The number of the token that opens it, if it is there.
        self.body = body

    def full_name(self):
        return "::".join([*self.spaces, self.name])

    def own_name(self):
        """Of the function that clang gets: kernels' names are symbols for the linker."""
        return f"metal_shim_kernel_{self.name}"


def kernels(words):
    """Functions declared with `kernel` or `[[kernel]]`."""
    spaces, depth, found = [], 0, []
    for at, word in enumerate(words):
        if word == "{":
            depth += 1
            if at >= 2 and words[at - 2] == "namespace":
                spaces.append((depth, words[at - 1]))
        elif word == "}":
            if spaces and spaces[-1][0] == depth:
                spaces.pop()
            depth -= 1
        attribute = word == "kernel" and words[at - 1:at] == ["[["]
        if word != "kernel" or next((w for w in words[at:] if w in "(;=)"), "") != "(":
            continue
        start = at + 1 + attribute
        while start < len(words) and words[start] == "[[":
            start = words.index("]]", start) + 1
        open_ = words.index("(", start)
        end = closing(words, open_)
        params = [Parameter(one) for one in split(words[open_ + 1:end]) if one]
        result = [w for w in words[start:open_ - 1] if w not in ("static", "inline", "extern")]
        body = end + 1 if words[end + 1:end + 2] == ["{"] else None
        found.append(Kernel([name for _, name in spaces], result, words[open_ - 1], params, word.line, body))
    return found


def check_parameter(param, taken):
    ours = [(name, args) for name, args in param.attributes if name in BUILTIN or name in SLOTS]
    for name, _ in param.attributes:
        if name not in BUILTIN and name not in SLOTS and name != "maybe_unused":
            yield f"no kernel parameter has the attribute {name}"
    if not ours:
        yield "a kernel parameter without an attribute"
    if len(ours) > 1:
        yield "a kernel parameter with two attributes"
    for name, args in ours:
        if name in BUILTIN:
            type_ = [w for w in param.type if w not in ("const", "metal", "::")]
            if len(type_) != 1 or type_[0] not in BUILTIN[name]:
                yield f"{name} with the type {' '.join(param.type)}"
            continue
        number = args[0] if len(args) == 1 else ""
        if not number.isdigit() or int(number) >= SLOTS[name]:
            yield f"no {name} has the index {number}"
        if (name, number) in taken:
            yield f"two parameters have {name}({number})"
        taken.add((name, number))
        spaces = SPACES.get(name)
        if name in CLASSES and not any(re.match(CLASSES[name], word) for word in param.type):
            yield f"{name} on what is no {name}"
        if spaces and not (spaces & set(param.type) and {"*", "&"} & set(param.type)):
            yield f"{name} on what is in no such address space"


def check(words):
    """What is wrong, as lines and reasons."""
    faults = []
    for at, word in enumerate(words):
        if word in BANNED or RESERVED.match(word):
            faults.append((word.line, f"`{word}` is not in the language"))
        if word == "long" and words[at + 1:at + 2] and words[at + 1] in ("long", "double"):
            faults.append((word.line, f"`long {words[at + 1]}` is not in the language"))
        if LONG_LITERAL.match(word):
            faults.append((word.line, f"`{word}` is a literal of a type that is not in the language"))
    faults += check_constants(words)
    names = [named(directive) for directive in words.directives]
    faults += [(directive.line, f"`{word}` is not in the language")
               for directive, inside in zip(words.directives, names) for word in inside if word in BANNED]
    if not any(inside[:1] == ["include"] and inside[2].startswith("metal_") for inside in names):
        faults.append((1, "no header of the language is included"))
    for kernel in kernels(words):
        if kernel.result != ["void"]:
            faults.append((kernel.line, "a kernel gives no value"))
        if kernel.name == "main":
            faults.append((kernel.line, "no function is called main"))
        taken = set()
        for param in kernel.params:
            faults += [(param.line, why) for why in check_parameter(param, taken)]
        sizes = {param.type[-1][-1] for param in kernel.params for name, _ in param.attributes
                 if name in COORDINATES and param.type and param.type[-1][-1].isdigit()}
        if len(sizes) > 1:
            faults.append((kernel.line, "coordinates of different sizes"))
    return faults


def named(directive):
    """The tokens of a directive, from its name on."""
    return tokens(directive.lstrip()[1:])


def check_constants(words):
    taken = set()
    for at, _, parts in attributes(words):
        for name, args in parts:
            if name != "function_constant":
                continue
            index = args[0] if len(args) == 1 else ""
            if not index.isdigit() or int(index) > 65535:
                yield words[at].line, f"no function constant has the index {index}"
            if index in taken:
                yield words[at].line, f"two function constants have the index {index}"
            taken.add(index)
            if words[words.index("]]", at) + 1] != ";":
                yield words[at].line, "a function constant with a value"


def plain(words, start, end):
    """The numbers of the tokens of a declaration up to its value that are in no brackets."""
    depth, number = 0, start
    while number < end:
        word = words[number]
        depth += word == "<"
        if depth == 0:
            yield number
            if word == "=":
                return
            if word in ("(", "[", "{"):
                number = closing(words, number)
        depth -= word == ">" and depth > 0
        number += 1


def declarations(words):
    """What is declared in the program and its name spaces and ends with a semicolon: the numbers of
    the first token and of the semicolon."""
    start = at = 0
    while at < len(words):
        word = words[at]
        if word == "{" and "namespace" in words[start:at]:
            start = at + 1
        elif word in ("{", "("):
            before = [words[n] for n in plain(words, start, at)]
            function = word == "{" and ("operator" in before or "(" in before and "=" not in before)
            at = closing(words, at)
            start = at + 1 if function else start
        elif word == ";":
            yield start, at
            start = at + 1
        elif word == "}":
            start = at + 1
        at += 1


class Constant:
    """A variable of the program that is `constant`: the numbers of that word, of the name and of the
    semicolon, whether it is known to the compiler as a number, and its index, if it is a function
    constant (MSL 5.8.1)."""
    def __init__(self, space, name, end, number, index):
        self.space, self.name, self.end, self.number, self.index = space, name, end, number, index


def constants(words):
    for start, end in declarations(words):
        part = words[start:end]
        first = next((n for n in plain(words, start, end) if words[n] in ("=", "{", "(", "[[", "[")), end) - start
        head, after = part[:first], part[first:first + 1]
        if "constant" not in head or {"*", "&", "using", "typedef", "template"} & set(head):
            continue
        index = [args[0] for _, _, parts in attributes(part) for name, args in parts if name == "function_constant"]
        number = "constexpr" in head and after != ["["]
        yield Constant(start + head.index("constant"), start + first - 1, end, number, index[0] if index else None)


def for_clang(text, words):
    """The text as clang gets it. Attributes are blanks. A constant of the program is a variable in
    global memory, and a reference to it as a constant; a function constant gets the value that
    `launch.h` finds. What is left stays on its line."""
    out = list(text)
    for start, end, parts in attributes(words):
        first, last = words[start].at, words[end].at + 2
        blank = "".join(c if c == "\n" else " " for c in text[first:last])
        if [name for name, _ in parts] == ["kernel"]:
            blank = "kernel" + blank[6:]
        out[first:last] = [blank] + [""] * (last - first - 1)
    for directive in words.directives:
        if named(directive)[:1] == ["line"]:
            # What is said is said of the lines of the text itself.
            put(out, directive, "".join(c if c == "\n" else " " for c in directive))
    done = set()
    for one in constants(words):
        put(out, words[one.space], "const __global")
        done.add(one.space)
        if one.number:
            continue
        name = words[one.name]
        put(out, name, f"metal_shim_of_{name}")
        value = f" = metal_shim::constant_argument{{{one.index}}}" if one.index else ""
        more = f" constant auto& {name} = metal_shim::as_constant(metal_shim_of_{name});"
        if one.index:
            more += f" const __global bool metal_shim_defined_{name} = metal_shim_is_given({one.index});"
        put(out, words[one.end], value + ";" + more)
    for at, word in enumerate(words):
        # Of a class or of a function: it is a number, or its address is not passed on.
        if word == "constant" and at not in done and "static" in words[max(at - 2, 0):at + 2]:
            put(out, word, "const __global")
    own = {kernel.name: kernel.own_name() for kernel in kernels(words)}
    for at, word in enumerate(words):
        # Not a method's.
        if word in own and words[at + 1:at + 2] == ["("] and words[at - 1] not in (".", ">"):
            put(out, word, own[word])
    for end, names in group_memory(words):
        # The optimizer is not to know that nothing else is written to it.
        put(out, words[end], "".join([";"] + [f" metal_shim_shared((ulong)&{name});" for name in names]))
    for first, last in choices.operands(words):
        out[words[first].at] = choices.VALUE + out[words[first].at]
        out[words[last].at + len(words[last]) - 1] += ")"
    return "".join(out)


def group_memory(words):
    """Variables of groups: the number of the semicolon, and the names."""
    for kernel in kernels(words):
        for at in range(kernel.body or 0, closing(words, kernel.body) if kernel.body else 0):
            if words[at] != "threadgroup" or words[at - 1] not in ("{", "}", ";"):
                continue
            end = words.index(";", at)
            parts = split(words[at:end])
            if {"*", "&"} & set(parts[0]):
                continue
            names = [[w for w in part[:part.index("[") if "[" in part else len(part)]][-1] for part in parts]
            yield end, names


def put(out, word, text):
    out[word.at:word.at + len(word)] = [text] + [""] * (len(word) - 1)
