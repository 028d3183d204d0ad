//! What `run --write` writes, read again: by this test, and by `run --buffer NAME=@FILE`.

use caustic_tool::{FileSystem, MemoryFiles};
use std::io;

/// Files in memory, of which those in the folder `full` have no room.
struct Files(MemoryFiles);

impl FileSystem for Files {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }
    fn is_file(&self, path: &str) -> bool {
        self.0.is_file(path)
    }
    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if path.starts_with("full/") {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.write(path, bytes)
    }
}

const PROGRAM: &str = "
    RWStructuredBuffer<float3> colors;
    RWStructuredBuffer<int> numbers;
    RWTexture2D<float4> picture;
    [numthreads(1, 1, 1)] void computeMain()
    {
        for (int i = 0; i < 2; i++)
        {
            colors[i] = float3(i, 0.5, 1.0);
            numbers[i] = numbers[i] + 1;
            picture[uint2(i, 0)] = float4(0.5, 0.0, i, 1.0);
        }
    }";

fn files() -> Files {
    Files(MemoryFiles::new([("a.slang", PROGRAM.into())]))
}

fn run(files: &Files, line: &str) -> (i32, String, String) {
    let line = format!("run a.slang --buffer colors=zero:24 --texture picture=rgba8f:2x1: {line}");
    let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = caustic::main_with(&args, &mut out, &mut err, files);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn buffers_and_textures_are_written_and_read_again() {
    let files = files();
    let writes = "--write colors=c.npy --write colors=c.bin --write colors=c.png:2x1 --write numbers=n.npy \
                  --write picture=p.png:linear --write picture=p.npy";
    let (code, out, err) = run(&files, &format!("--buffer numbers=i32:6,-1 {writes}"));
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    let read = |path: &str| files.read(path).unwrap();
    assert_eq!(
        read("c.bin"),
        [0.0f32, 0.5, 1.0, 1.0, 0.5, 1.0].iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>()
    );
    let header = |path: &str| String::from_utf8_lossy(&read(path)[10..128]).into_owned();
    assert_eq!(header("c.npy").trim(), "{'descr': '<f4', 'fortran_order': False, 'shape': (2,3), }");
    assert_eq!(read("c.npy")[128..], read("c.bin"));
    assert_eq!(header("n.npy").trim(), "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }");
    assert_eq!(header("p.npy").trim(), "{'descr': '|u1', 'fortran_order': False, 'shape': (1,2,4), }");
    assert_eq!(read("p.npy")[128..], [128, 0, 0, 255, 128, 0, 255, 255]);
    for (path, expected) in
        [("c.png", &[0, 188, 255, 255, 188, 255][..]), ("p.png", &[128, 0, 0, 255, 128, 0, 255, 255])]
    {
        let mut reader = png::Decoder::new(io::Cursor::new(read(path))).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height, &pixels[..]), (2, 1, expected), "{path}");
    }
    let (code, out, _) = run(&files, "--buffer numbers=@n.npy --read numbers");
    assert_eq!((code, out.as_str()), (0, "numbers: 8, 1\n"));
}

/// Reads pixels into a buffer of these elements, and prints them.
const SEEN: &str = "
    StructuredBuffer<TYPE> pixels;
    RWStructuredBuffer<TYPE> seen;
    [numthreads(2, 1, 1)] void computeMain(uint i : SV_GroupIndex) { seen[i] = pixels[i]; }";

#[test]
fn pictures_are_read_as_they_are_written() {
    let seen = |ty: &str, line: &str| {
        let files = files();
        let (code, _, err) =
            run(&files, "--write colors=c.png:2x1 --write colors=l.png:2x1:linear --write picture=p.png");
        assert_eq!((code, err.as_str()), (0, ""));
        files.write("s.slang", SEEN.replace("TYPE", ty).as_bytes()).unwrap();
        let args: Vec<String> =
            format!("run s.slang --read seen {line}").split_whitespace().map(str::to_string).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        caustic::main_with(&args, &mut out, &mut err, &files);
        String::from_utf8(out).unwrap() + &String::from_utf8(err).unwrap()
    };
    let half = "--buffer seen=zero:24 --buffer pixels=@l.png";
    assert_eq!(seen("float3", half), "seen: 0.0, 0.5019608, 1.0, 1.0, 0.5019608, 1.0\n");
    let curve = "--buffer seen=zero:24 --buffer pixels=@c.png";
    assert_eq!(seen("float3", curve), "seen: 0.0, 0.5028865, 1.0, 1.0, 0.5028865, 1.0\n");
    let linear = "--buffer seen=zero:12 --buffer pixels=@c.png:linear";
    assert_eq!(seen("half3", linear), "seen: 0.0, 0.7373046875, 1.0, 1.0, 0.7373046875, 1.0\n");
    let bytes = "--buffer seen=zero:8 --buffer pixels=@p.png";
    assert_eq!(seen("vector<uint8_t, 4>", bytes), "seen: 128, 0, 0, 255, 128, 0, 255, 255\n");
    assert!(seen("float", "--buffer seen=zero:8 --buffer pixels=@c.png").contains("it has colors"));
    assert!(seen("float", "--buffer pixels=@none.png").contains("cannot read `none.png`"));
    assert!(seen("int", "--buffer seen=zero:8 --buffer pixels=@c.png").contains("it has colors"));
}

/// Numbers that a picture of bytes could not hold.
const FLOATS: &str = "
    RWStructuredBuffer<float4> four;
    RWStructuredBuffer<half3> three;
    RWStructuredBuffer<float2> two;
    RWStructuredBuffer<double> one;
    RWTexture2D<float4> bytes;
    [numthreads(1, 1, 1)] void computeMain()
    {
        bytes[uint2(1, 0)] = float4(0.2, 0.4, 1.0, 0.6);
    }";

#[test]
fn pictures_of_floats_keep_all_numbers() {
    let files = Files(MemoryFiles::new([("a.slang", FLOATS.into())]));
    let run = |line: &str| {
        let line = format!("run a.slang --texture bytes=rgba8f:2x1: {line}");
        let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = caustic::main_with(&args, &mut out, &mut err, &files);
        (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
    };
    let given = "--buffer four=f32:-1,2,nan,inf,1e30,0.5,-inf,7 --buffer three=f16:-0.5,1000,2,3,4,5 \
                 --buffer two=f32:1,-2,3,4 --buffer one=f64:0.25,-8";
    let written = "--write four=four.exr:2x1 --write three=three.exr:1x2 --write two=two.exr:1x2 \
                   --write one=one.exr:2x1 --write bytes=bytes.exr";
    assert_eq!(run(&format!("{given} {written}")), (0, String::new(), String::new()));
    let read = "--buffer four=@four.exr --buffer three=@three.exr --buffer two=@two.exr --buffer one=@one.exr";
    let shown = "--read four --read three --read two --read one";
    let expected = "four: -1.0, 2.0, NaN, Infinity, 1e30, 0.5, -Infinity, 7.0\n\
                    three: -0.5, 1000.0, 2.0, 3.0, 4.0, 5.0\ntwo: 1.0, -2.0, 3.0, 4.0\none: 0.25, -8.0\n";
    // What was read is written with its size.
    let again = "--write four=again.exr --write three=again3.exr";
    assert_eq!(run(&format!("{read} {shown} {again}")), (0, expected.to_string(), String::new()));
    assert_eq!(files.read("again.exr").unwrap(), files.read("four.exr").unwrap());
    assert_eq!(files.read("again3.exr").unwrap(), files.read("three.exr").unwrap());
    // A texture of bytes is read as what it shows.
    let (code, out, err) = run("--buffer four=@bytes.exr --read four");
    assert_eq!((code, err.as_str()), (0, ""));
    let numbers: Vec<f32> = out["four: ".len()..].trim().split(", ").map(|v| v.parse().unwrap()).collect();
    let off = numbers.iter().zip([0.0, 0.0, 0.0, 0.0, 0.2, 0.4, 1.0, 0.6]).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f32::max) < 1e-3, "{numbers:?}");
}

/// Reads what has rows and columns into buffers, and writes it again.
const AGAIN: &str = "
    RWStructuredBuffer<float3> colors;
    RWStructuredBuffer<float> gray;
    uniform float gain;
    [numthreads(2, 1, 1)] void computeMain(uint3 id : SV_DispatchThreadID) { gray[id.x] *= gain; }";

#[test]
fn what_was_read_with_rows_and_columns_is_written_with_them() {
    let files = Files(MemoryFiles::new([("a.slang", AGAIN.into())]));
    let run = |line: &str| {
        let args: Vec<String> =
            format!("run a.slang --uniform gain=f32:0.5 {line}").split_whitespace().map(str::to_string).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = caustic::main_with(&args, &mut out, &mut err, &files);
        (code, String::from_utf8(err).unwrap())
    };
    let size = |path: &str| {
        let reader = png::Decoder::new(io::Cursor::new(files.read(path).unwrap())).read_info().unwrap();
        (reader.info().width, reader.info().height, reader.info().color_type.samples())
    };
    let nothing = (0, String::new());
    let made =
        "--buffer colors=f32:0,0.5,1,1,0.5,0 --buffer gray=f32:0,1 --write colors=c.png:1x2 --write gray=g.png:2x1";
    assert_eq!(run(made), nothing);
    // Of pictures, and of arrays of their sizes.
    let pictures = "--buffer colors=@c.png --buffer gray=@g.png --write colors=c2.png --write gray=g2.png";
    assert_eq!(run(&format!("{pictures} --write colors=c.npy --write gray=g.npy")), nothing);
    let arrays = "--buffer colors=@c.npy --buffer gray=@g.npy --write colors=c3.png --write gray=g3.png";
    assert_eq!(run(&format!("{arrays} --write colors=c4.png:2x1 --write gray=g4.png:1x2")), nothing);
    let sizes = ["c2.png", "g2.png", "c3.png", "g3.png", "c4.png", "g4.png"].map(size);
    assert_eq!(sizes, [(1, 2, 3), (2, 1, 1), (1, 2, 3), (2, 1, 1), (2, 1, 3), (1, 2, 1)]);
    let (code, err) = run("--buffer colors=@c.png --write colors=c5.png:3x1");
    assert!(code == 2 && err.contains("it has 2 elements, not 3x1"), "{err}");
}

#[test]
fn one_group_for_more_elements_than_threads_is_told() {
    let files = Files(MemoryFiles::new([("a.slang", AGAIN.into())]));
    let told = |line: &str| {
        let line = format!("run a.slang --uniform gain=f32:1 --buffer gray=zero:16 --write gray=g.npy {line}");
        let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        assert_eq!(caustic::main_with(&args, &mut out, &mut err, &files), 0);
        String::from_utf8(err).unwrap()
    };
    let note =
        "caustic: note: one group of 2 threads runs, and `gray` has 4 elements: `--dispatch X,Y,Z` runs more groups\n";
    assert_eq!(told(""), note);
    for line in ["--dispatch 2", "--groups 1,1,1", "--format json"] {
        assert_eq!(told(line).as_str(), "", "{line}");
    }
}

#[test]
fn what_cannot_be_written_or_read_is_a_wrong_command_line() {
    let files = files();
    let array = |descr: &str, order: &str| {
        let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': (1,), }}");
        [b"\x93NUMPY\x01\x00".as_slice(), &(header.len() as u16).to_le_bytes(), header.as_bytes(), &[0; 8]].concat()
    };
    files.write("fortran.npy", &array("<i4", "True")).unwrap();
    files.write("complex.npy", &array("<c8", "False")).unwrap();
    for (line, expected, part) in [
        ("--write colors=full/c.bin", 2, "cannot write `full/c.bin`"),
        ("--write colors=c.png", 2, "give its size"),
        ("--write numbers=n.png:1x1 --buffer numbers=i32:1", 2, "its numbers are i32"),
        ("--write color=c.bin", 1, "no parameter `color`"),
        ("--write colors=c.jpg", 2, "neither with .bin nor .npy nor .exr nor .png"),
        ("--buffer numbers=@fortran.npy", 2, "its first index moves fastest"),
        ("--buffer numbers=@complex.npy", 2, "its numbers are `<c8`"),
    ] {
        let (code, _, err) = run(&files, line);
        assert!(code == expected && err.contains(part), "{line}: {code} {err}");
    }
}

fn emit(files: &dyn FileSystem, line: &str) -> (i32, String) {
    let args: Vec<String> = format!("emit a.slang {line}").split_whitespace().map(str::to_string).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = caustic::main_with(&args, &mut out, &mut err, files);
    (code, String::from_utf8(err).unwrap())
}

#[test]
fn what_is_written_takes_the_place_of_nothing_that_is_read() {
    let import = "import b; RWStructuredBuffer<float> o; [numthreads(1, 1, 1)] void computeMain() { o[0] = one(); }";
    let files =
        Files(MemoryFiles::new([("a.slang", import.into()), ("b.slang", "public float one() { return 1.0; }".into())]));
    for line in [
        "--target cpp -o a.slang",
        "--stage hl -o a.slang",
        "--report-checkpoint -o a.slang",
        "--target cpp -o b.slang",
        "--target cuda -o k.json",
    ] {
        let (code, err) = emit(&files, line);
        assert_eq!(code, 2, "{line}: {err}");
    }
    assert!(files.0.count() == 2 && files.read("a.slang").unwrap() == import.as_bytes());
    assert_eq!(emit(&files, "--target cpp -o /dev/null").0, 0);
    assert!(files.is_file("/dev/null") && !files.is_file("/dev/null.json"));
    assert_eq!(emit(&files, "--target cpp -o k.cpp").0, 0);
    assert!(files.is_file("k.cpp") && files.is_file("k.json"));
}

/// A file that nobody may read.
struct Closed;

impl FileSystem for Closed {
    fn read(&self, _path: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::PermissionDenied.into())
    }
    fn is_file(&self, _path: &str) -> bool {
        true
    }
}

#[test]
fn a_program_that_cannot_be_read_is_no_wrong_program() {
    let (code, err) = emit(&Closed, "--stage hl");
    assert!(code == 2 && err.starts_with("caustic: error: cannot read `a.slang`: "), "{code} {err}");
}
