//! The commands: what each is for, and examples of its use, which a test runs.

/// A command's name, what it does, and how it is used.
pub struct CommandRow {
    pub name: &'static str,
    pub arguments: &'static str,
    pub summary: &'static str,
    pub examples: &'static [Example],
}

/// A command line without the name of the tool, and what it is for.
pub struct Example {
    pub line: &'static str,
    pub text: &'static str,
}

const fn example(line: &'static str, text: &'static str) -> Example {
    Example { line, text }
}

pub const COMMANDS: [CommandRow; 9] = [
    CommandRow {
        name: "run",
        arguments: "FILE.slang [options]",
        summary: "Runs a compute entry point and prints the buffers asked for",
        examples: &[
            example(
                "run k.slang --buffer result=zero:16 --read result",
                "Runs it once, and prints a buffer of 16 bytes",
            ),
            example(
                "run k.slang --dispatch 4,1,1 --buffer result=@in.npy --write result=out.npy",
                "Runs 4 groups of threads on an array of NumPy, and writes it",
            ),
            example(
                "run k.slang --buffer result=f32:0.5,1,0,0.25 --write result=out.png:2x2",
                "Writes what it computes as a picture of 2 by 2 pixels",
            ),
            example(
                "run k.slang --buffer result=f32:1,2,3,4 --trap-nan --trap-oob",
                "Stops where a NaN begins, or an index leaves its buffer",
            ),
        ],
    },
    CommandRow {
        name: "launch",
        arguments: "FILE.ptx [options]",
        summary: "Runs a kernel that `emit --target ptx -o FILE.ptx` has compiled, on the GPU",
        examples: &[
            example(
                "launch k.ptx --buffer result=zero:16 --read result",
                "Runs it once, and prints a buffer of 16 bytes",
            ),
            example(
                "launch k.ptx --dispatch 4,1,1 --buffer result=@in.npy --write result=out.npy",
                "Runs 4 groups of threads on an array of NumPy, and writes it",
            ),
        ],
    },
    CommandRow {
        name: "fit",
        arguments: "FILE.slang --param NAME --grad NAME --loss NAME --steps N [options]",
        summary: "Runs a kernel again and again, and changes its parameters by the gradient that it computes",
        examples: &[
            example(
                "fit fit.slang --param line --grad gradient --loss loss --buffer line=f32:0,0 --steps 200 --adam 0.1",
                "Makes the loss small by Adam, and prints some ten lines about it",
            ),
            example(
                "fit fit.slang --param line --grad gradient --loss loss --buffer line=f32:0,0 --steps 50 --sgd 0.5 \
                 --write line=out.npy",
                "The same by plain gradient descent, and writes the parameters for NumPy",
            ),
            example(
                "fit fit.slang --param line --grad gradient --loss loss --buffer line=f32:0,0 --steps 200 --every 50 \
                 --read line --format json",
                "Prints one document, with the loss of every 50th step and the parameters",
            ),
        ],
    },
    CommandRow {
        name: "check",
        arguments: "FILE.slang [options]",
        summary: "Runs every check of the language, those about derivatives included",
        examples: &[
            example("check k.slang", "Prints errors and warnings, or nothing"),
            example("check k.slang --deny all --format json", "Takes warnings as errors, and prints JSON"),
            example("check - -D SIZE=4", "Reads the program from the standard input, with a macro"),
        ],
    },
    CommandRow {
        name: "emit",
        arguments: "FILE.slang --stage STAGE|--target TARGET|--report-checkpoint|--report-optimization [options]",
        summary: "Prints the program at a stage of its compilation, or a report about it",
        examples: &[
            example("emit k.slang --stage reverse --function square", "Prints the reverse derivative of a function"),
            example(
                "emit k.slang --target cpp -o k.cpp",
                "Writes the entry point in C++, and k.json, which describes it",
            ),
            example(
                "emit k.slang --target hlsl --library --function square -o square.hlsl",
                "Writes a function and its derivatives in HLSL, to be included",
            ),
            example("emit k.slang --report-checkpoint", "Prints what reverse derivatives store, and why"),
        ],
    },
    CommandRow {
        name: "gradcheck",
        arguments: "FILE.slang [options]",
        summary: "Compares forward mode, reverse mode and finite differences of every differentiable function",
        examples: &[
            example("gradcheck k.slang", "Checks every differentiable function of the file"),
            example("gradcheck k.slang --function square --samples 1000 --seed 7", "Checks one at 1000 other points"),
            example("gradcheck k.slang --format json", "Prints JSON"),
        ],
    },
    CommandRow {
        name: "explain",
        arguments: "CODE",
        summary: "Says what a diagnostic means, with a wrong and a right program for the commonest",
        examples: &[
            example("explain E0302", "Explains an error"),
            example("explain lossy-conversion", "Explains a warning, by its name"),
        ],
    },
    CommandRow {
        name: "completions",
        arguments: "bash|elvish|fish|powershell|zsh",
        summary: "Prints what a shell reads to complete command lines",
        examples: &[
            example("completions bash", "For `eval` in .bashrc"),
            example("completions fish", "For a file in .config/fish/completions"),
        ],
    },
    CommandRow {
        name: "man",
        arguments: "[COMMAND]",
        summary: "Prints the manual page, of the tool or of a command",
        examples: &[example("man", "The page of the tool"), example("man run", "The page of a command")],
    },
];
