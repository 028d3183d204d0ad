//! The programs and commands of the book's pages, run. A block ```` ```slang NAME.slang ```` is a
//! file of its page. In a block ```` ```console ````, a line `$ caustic …` is a command, which goes
//! on below a `\\`; the lines below it are exactly what it prints. A word may stand in single
//! quotes, for the shell. What those of a block ```` ```console silent ```` print is not shown. A
//! command must succeed, but for those of a block ```` ```console fails ````, which are rejected,
//! or of ```` ```console traps ````; below them is the first line of their messages.
//! Commands read the page's files, those that commands before them wrote, and the repository's. A
//! picture that a page shows, `pictures/NAME.png`, is one that a command of the page writes. With
//! `BLESS=1` pictures are written anew. Must not know: what the programs are about.

use caustic_tool::{FileSystem, RealFiles};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// A page's fenced blocks: what stands behind the fence, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, Some(info)) => open = Some((info.trim().to_string(), String::new())),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end");
    found
}

/// The commands of a block, each with what it must print.
fn commands(block: &str) -> Vec<(Vec<String>, String)> {
    let mut found: Vec<(Vec<String>, String)> = Vec::new();
    for line in block.replace("\\\n", " ").lines() {
        if let Some(command) = line.strip_prefix("$ caustic ") {
            found.push((
                command.split_whitespace().map(|word| word.trim_matches('\'').to_string()).collect(),
                String::new(),
            ));
        } else {
            let (_, output) = found.last_mut().unwrap_or_else(|| panic!("no command prints `{line}`"));
            output.push_str(line);
            output.push('\n');
        }
    }
    found
}

/// The files of a page's folder, and below them those of the repository.
struct PageFiles {
    folder: PathBuf,
    root: PathBuf,
}

impl PageFiles {
    fn path(&self, path: &str) -> String {
        let own = self.folder.join(path);
        let found = if own.exists() { own } else { self.root.join(path) };
        found.display().to_string()
    }
}

impl FileSystem for PageFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        RealFiles.read(&self.path(path))
    }

    fn is_file(&self, path: &str) -> bool {
        RealFiles.is_file(&self.path(path))
    }

    fn is_folder(&self, path: &str) -> bool {
        RealFiles.is_folder(&self.path(path))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        RealFiles.write(&self.folder.join(path).display().to_string(), bytes)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a page, and says how many commands it has.
fn run_page(name: &str) -> usize {
    let page = std::fs::read_to_string(root().join("docs").join(name)).unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("snippets-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let files = PageFiles { folder, root: root() };
    let mut count = 0;
    for (info, text) in blocks(&page) {
        match info.as_str() {
            "console" | "console fails" | "console traps" | "console silent" => {
                for (args, expected) in commands(&text) {
                    run(name, &info, &args, &expected, &files);
                    count += 1;
                }
            }
            "slang" => panic!("{name}: a block of Slang has no file name"),
            info => {
                if let Some(file) = info.strip_prefix("slang ") {
                    files.write(file, text.as_bytes()).unwrap();
                }
            }
        }
    }
    for picture in shown(&page) {
        compare(&files.folder.join(&picture), &root().join("docs/pictures").join(&picture));
    }
    count
}

fn run(page: &str, info: &str, args: &[String], expected: &str, files: &PageFiles) {
    let shown = args.join(" ");
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let code = caustic::main_with(args, &mut stdout, &mut stderr, files);
    let text = |stream| String::from_utf8_lossy(stream).replace(&format!("{}/", files.folder.display()), "");
    let (output, messages) = (text(&stdout), text(&stderr));
    let expected_code = match info {
        "console fails" => 1,
        "console traps" => 3,
        _ => 0,
    };
    assert_eq!(code, expected_code, "{page}: `caustic {shown}`: {messages}");
    let printed = match info {
        "console fails" | "console traps" => messages.lines().take(1).map(|l| format!("{l}\n")).collect(),
        "console silent" => String::new(),
        _ => output,
    };
    assert_eq!(printed, expected, "{page}: `caustic {shown}`");
}

/// The names of the pictures that a page shows.
fn shown(page: &str) -> BTreeSet<String> {
    let links = page.split("](pictures/").skip(1);
    links.filter_map(|rest| Some(rest.split_once(')')?.0.to_string())).collect()
}

/// A picture's width, its height, and its components.
fn decoded(path: &Path) -> (u32, u32, Vec<u8>) {
    let file = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}; run `cargo xtask pictures`", path.display()));
    let mut reader = png::Decoder::new(io::Cursor::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    bytes.truncate(info.buffer_size());
    (info.width, info.height, bytes)
}

/// The most rows of a picture, and the most bytes of its file: they are part of every checkout.
const MOST_ROWS: u32 = 128;
const MOST_BYTES: u64 = 20_000;
/// Threads add to sums in any order, which changes their last bits. Two hundred steps make less
/// than 1e-6 of that in a parameter: far from a level of 255, but a number that lies between two of
/// them goes to either. Where an edge is hard a sample may change sides, which is more than that,
/// in few places.
const MOST_LEVELS: u8 = 2;
const MOST_BEYOND: f64 = 0.002;

/// What is wrong with a committed picture, beside the one that was made.
fn difference(made: &Path, committed: &Path) -> Option<String> {
    if !committed.is_file() {
        return Some("it is not there".into());
    }
    let (width, height, bytes) = decoded(made);
    let (wanted_width, wanted_height, wanted) = decoded(committed);
    if (width, height, bytes.len()) != (wanted_width, wanted_height, wanted.len()) {
        return Some(format!("it has {wanted_width}x{wanted_height} pixels, not {width}x{height}"));
    }
    let beyond = bytes.iter().zip(&wanted).filter(|(a, b)| a.abs_diff(**b) > MOST_LEVELS).count();
    (beyond as f64 > MOST_BEYOND * bytes.len() as f64).then(|| format!("{beyond} components differ"))
}

/// Compares a picture with the committed one, which is written anew only where it is another.
fn compare(made: &Path, committed: &Path) {
    let (_, height, _) = decoded(made);
    let size = std::fs::metadata(made).unwrap().len();
    assert!(height <= MOST_ROWS && size <= MOST_BYTES, "{}: {height} rows, {size} bytes", made.display());
    let Some(difference) = difference(made, committed) else { return };
    let blesses = std::env::var("BLESS").is_ok_and(|v| v == "1");
    assert!(blesses, "{}: {difference}; `cargo xtask pictures` writes it anew", committed.display());
    std::fs::create_dir_all(committed.parent().unwrap()).unwrap();
    std::fs::copy(made, committed).unwrap();
}

const PAGES: [&str; 6] = [
    "getting-started.md",
    "gradient-cookbook.md",
    "buffers.md",
    "debugging.md",
    "fitting-an-image.md",
    "tensor-views.md",
];

#[test]
fn the_pages_for_users_run() {
    for page in PAGES {
        assert!(run_page(page) > 0, "{page} runs nothing");
    }
}

#[test]
fn the_pictures_are_what_programs_draw() {
    assert!(run_page("case-studies.md") > 0);
    let page = std::fs::read_to_string(root().join("docs/case-studies.md")).unwrap();
    for picture in shown(&page) {
        let (width, side, bytes) = decoded(&root().join("docs/pictures").join(&picture));
        let (width, side) = (width as usize, side as usize);
        // The two last squares of a strip: a derivative, and the same by differences. They differ
        // by a level where numbers are rounded, and by more where the image has a crease or an
        // edge.
        let row = |y: usize, left: usize| bytes[3 * (y * width + left)..][..3 * side].iter();
        let pairs = (0..side).flat_map(|y| row(y, width - 2 * side - 4).zip(row(y, width - side)));
        let apart: usize = pairs.map(|(a, b)| usize::from(a.abs_diff(*b))).sum();
        assert!(apart as f64 <= MOST_APART * (3 * side * side) as f64, "{picture}: {apart}");
    }
}

/// The mean of levels between a derivative and its differences: a twentieth of the smallest mean of
/// levels in a strip.
const MOST_APART: f64 = 0.17;
