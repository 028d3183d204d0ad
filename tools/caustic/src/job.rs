//! A command at work: where it writes, what it reads, and how it tells what the driver found.

use crate::cli::{Color, FileForm, RunOptions, SourceOptions};
use crate::{files, inputs, json, pictures};
use caustic_driver::{
    Bindings, CudaError, Diagnostic, Diagnostics, Error, Given, Kernel, Program, Session, Severity, SourceLoader,
};
use caustic_ir::codes;
use caustic_runtime::output::{Format, write_outputs};
use caustic_runtime::{Contents, Loaded};
use caustic_tool::{Console, FileSystem, exit};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a file that a resource is bound to.
const MOST_OF_CONTENTS: u64 = 4 << 30;

/// Bytes that are read of a source. One that is nearly as large is a diagnostic already.
const MOST_OF_SOURCE: u64 = 64 << 20;

/// The files that were read, with what was in the way.
type Reads = Vec<(String, Option<String>)>;

/// The files of the tool as the driver reads them.
struct Files<'a> {
    files: &'a dyn FileSystem,
    read: Arc<Mutex<Reads>>,
}

impl SourceLoader for Files<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = self.files.read_at_most(path, MOST_OF_SOURCE);
        // A file that is too large is wrong as a program.
        let failed = bytes.as_ref().err().filter(|error| error.kind() != io::ErrorKind::FileTooLarge);
        let read = (path.to_string(), failed.map(io::Error::to_string));
        self.read.lock().unwrap_or_else(PoisonError::into_inner).push(read);
        bytes
    }

    fn is_file(&self, path: &str) -> bool {
        self.files.is_file(path)
    }

    fn identity(&self, path: &str) -> String {
        self.files.identity(path)
    }
}

/// A command at work.
pub(crate) struct Job<'a, 'c> {
    pub(crate) console: &'a mut Console<'c>,
    pub(crate) files: &'a dyn FileSystem,
    pub(crate) source: &'a SourceOptions,
    /// What is found, where it goes into a document and not to standard error.
    pub(crate) document: Option<Document>,
    /// The files that the program came from.
    read: Arc<Mutex<Reads>>,
}

/// The diagnostics of a document, and what is wrong with the command line or ended the work.
#[derive(Default)]
pub(crate) struct Document {
    found: Vec<serde_json::Value>,
    refused: Option<String>,
}

/// What the command line could change about a diagnostic.
fn help(d: &Diagnostic) -> Vec<String> {
    // A warning that is left is one that can be silenced.
    let warning = codes::row(&d.code).filter(|_| d.severity == Severity::Warning);
    let allow = warning.map(|row| format!("`--allow {}` silences this", row.name));
    d.input.map(|input| inputs::note(input).to_string()).into_iter().chain(allow).collect()
}

impl<'a, 'c> Job<'a, 'c> {
    pub(crate) fn new(console: &'a mut Console<'c>, files: &'a dyn FileSystem, source: &'a SourceOptions) -> Self {
        console.color = match source.color {
            Color::Auto => console.color,
            Color::Always => true,
            Color::Never => false,
        };
        Job { console, files, source, document: None, read: Arc::default() }
    }

    /// With a document if that is the format.
    pub(crate) fn with_format(mut self, format: Format) -> Self {
        self.document = (format == Format::Json).then(Document::default);
        self
    }

    /// Reports diagnostics and returns the exit code they ask for.
    pub(crate) fn report(&mut self, found: &Diagnostics) -> i32 {
        if let Some(document) = &mut self.document {
            document.found.extend(found.iter().map(|d| json::diagnostic(&inputs::placed(d), &help(d))));
            return exit::code_of(found);
        }
        let told = |d: &Diagnostic| help(d).into_iter().fold(inputs::placed(d), Diagnostic::with_note);
        let list: Vec<Diagnostic> = found.iter().map(told).collect();
        self.console.report(&list, &|name| found.text(name).map(str::to_string))
    }

    /// Tells what is wrong with the command line, or with a file that it names, and returns the
    /// exit code for that. (What ends a fit early is told so as well.)
    pub(crate) fn refused(&mut self, message: &str) -> i32 {
        match &mut self.document {
            Some(document) => document.refused = Some(message.to_string()),
            None => self.console.err(&format!("caustic: error: {message}\n")),
        }
        exit::USAGE
    }

    /// Writes a file; an error is the exit code of what was reported.
    pub(crate) fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), i32> {
        let written = self.files.write(path, bytes);
        written.map_err(|error| self.refused(&format!("cannot write `{path}`: {error}")))
    }

    /// Prints the document, if there is to be one, with these parts.
    pub(crate) fn finish(&mut self, parts: Vec<(&str, serde_json::Value)>) {
        if let Some(Document { found, refused }) = self.document.take() {
            self.console.out(&json::document(parts, found, refused));
        }
    }

    /// Tells why there is no result, and returns the exit code for it.
    pub(crate) fn failed(&mut self, error: Error) -> i32 {
        match error {
            Error::Rejected(found) => self.report(&found),
            Error::Trapped(trap) => {
                match &mut self.document {
                    // A document stands alone on the standard output.
                    Some(document) => {
                        document.refused = Some(trap.message.clone());
                        self.console.err(&trap.printed);
                    }
                    None => self.console.out(&trap.printed),
                }
                self.console.err(&trap.render());
                exit::TRAP
            }
            Error::Device(error) => {
                match &mut self.document {
                    Some(document) => document.refused = Some(error.to_string()),
                    None => self.console.err(&device_text(&error)),
                }
                // Who asks for a GPU where there is none has asked for the wrong thing.
                if error.unavailable { exit::USAGE } else { exit::TRAP }
            }
            error => {
                self.console.err(&format!("caustic: error: {error}\n"));
                exit::INTERNAL
            }
        }
    }

    /// The program in the file of the command, once its warnings are told; an error is the exit
    /// code of what was reported.
    pub(crate) fn compile(&mut self) -> Result<Program, i32> {
        if !self.files.is_file(&self.source.file) {
            let file = &self.source.file;
            let why = self.files.read_at_most(file, MOST_OF_SOURCE).err();
            let why = why.filter(|error| error.kind() != io::ErrorKind::NotFound);
            return Err(self.refused(&match (self.files.is_folder(file), why) {
                (true, _) => format!("`{file}` is a directory"),
                (false, Some(error)) => format!("cannot read `{file}`: {error}"),
                (false, None) => format!("there is no file `{file}`"),
            }));
        }
        let session =
            Session::new(self.source.options.clone()).with_loader(Files { files: self.files, read: self.read.clone() });
        let program = session.compile(&self.source.file).map_err(|error| match self.unreadable() {
            Some(why) => self.refused(&why),
            None => self.failed(error),
        })?;
        self.report(program.diagnostics());
        Ok(program)
    }

    /// Why the machine does not read the file of the command.
    fn unreadable(&self) -> Option<String> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, why) = read.iter().find_map(|(path, why)| Some((path, why.as_ref()?)))?;
        (*file == self.source.file).then(|| format!("cannot read `{file}`: {why}"))
    }

    /// Writes several files, unless one of them is another or one that the program came from.
    pub(crate) fn write_apart(&mut self, written: &[(String, &[u8])]) -> Result<(), i32> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (i, (path, _)) in written.iter().enumerate() {
            if read.iter().any(|(input, _)| self.files.is_same(path, input)) {
                return Err(self.refused(&format!("`{path}` is read here: what is written would take its place")));
            }
            if written[..i].iter().any(|(before, _)| self.files.is_same(path, before)) {
                let what = "is written beside the result, which has that name as well: give `-o` another one";
                return Err(self.refused(&format!("`{path}` {what}")));
            }
        }
        written.iter().try_for_each(|(path, bytes)| self.write(path, bytes))
    }

    /// Binds what the options name. A name that the program lacks is a diagnostic, a file that
    /// cannot be read a wrong command line.
    pub(crate) fn bind(&mut self, options: &RunOptions, bindings: &mut Bindings) -> Result<(), i32> {
        let files = self.files;
        let read = |path: &str| match files.is_folder(path) {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => files.read_at_most(path, MOST_OF_CONTENTS),
        };
        let mut load = |path: &str| read(path).map_err(|error| format!("cannot read `{path}`: {error}"));
        let (mut found, mut odd) = (Vec::new(), Vec::new());
        let mut note = |bound: Result<(), Error>| found.extend(bound.err());
        // What has parts is bound before them: their shape may be its own.
        let mut buffers: Vec<_> = options.buffers.iter().map(|b| (b, true)).collect();
        buffers.sort_by_key(|((name, _), _)| name.matches('.').count());
        let uniforms = options.uniforms.iter().map(|u| (u, false));
        for ((name, contents), is_buffer) in buffers.into_iter().chain(uniforms) {
            let loaded = match (contents, is_buffer) {
                (Contents::File(path), true) => pictures::load(path, name, bindings, &mut load),
                _ => Contents::load(contents.clone(), &mut load),
            };
            let Loaded { bytes, shape, scalar, by_bits, left_out } =
                loaded.map_err(|message| self.refused(&message))?;
            let unknown = scalar.is_none() && matches!(contents, Contents::File(_));
            let given = Given { bytes: &bytes, scalar, by_bits, unknown, left_out: &left_out };
            let suits = bindings.suits(name, given, &self.source.options);
            let exact = scalar.filter(|_| !by_bits && !bindings.is_bytes(name));
            note(suits.map(|found| odd.extend(found.iter().cloned())).and_then(|()| match is_buffer {
                true => bindings.shaped(name, &bytes, shape.as_deref(), exact),
                false => bindings.uniform(name, &bytes),
            }));
        }
        for (name, count) in &options.counters {
            note(bindings.counter(name, *count));
        }
        for (name, contents) in &options.textures {
            note(bindings.texture(name, contents));
        }
        for (name, sampler) in &options.samplers {
            note(bindings.sampler(name, *sampler));
        }
        for request in &options.reads {
            note(bindings.require_buffer(&request.name));
        }
        for request in &options.writes {
            note(bindings.array(&request.name).map(|_| ()));
        }
        self.report(&odd.into());
        if found.is_empty() {
            return Ok(());
        }
        // A name that is bound and read is wrong once.
        let mut told: Vec<Diagnostic> = Vec::new();
        for d in found.iter().flat_map(Error::diagnostics) {
            if !told.contains(d) {
                told.push(d.clone());
            }
        }
        Err(self.failed(Error::Rejected(told.into())))
    }
}

/// Notes about what the command line leaves out, where something can hardly be meant so.
impl Job<'_, '_> {
    fn note(&mut self, text: &str) {
        self.console.err(&format!("caustic: note: {text}\n"));
    }

    /// Tells people of uniforms that are zero because nothing is bound to them, and of more
    /// elements to be written than `threads` of the one group that runs. A resource that is
    /// `shared` has as many elements as it should.
    pub(crate) fn note_left_out(
        &mut self,
        kernel: &Kernel,
        options: &RunOptions,
        bindings: &Bindings,
        threads: [u32; 3],
        shared: impl Fn(&str) -> bool,
    ) {
        if options.format == Format::Json {
            return;
        }
        for name in kernel.unbound_uniforms(bindings) {
            self.note(&format!(
                "nothing is bound to the uniform `{name}`, which is 0: `--uniform {name}=TYPE:v` binds it"
            ));
        }
        let count: u64 = threads.iter().map(|n| u64::from(*n)).product();
        if options.groups.is_some() || count < 2 {
            return;
        }
        let written = options.writes.iter().filter(|request| !shared(&request.name));
        let more = written.filter_map(|request| {
            let elements = bindings.array(&request.name).ok()?.count();
            (elements as u64 > count).then_some((&request.name, elements))
        });
        if let Some((name, elements)) = more.into_iter().next() {
            self.note(&format!(
                "one group of {count} threads runs, and `{name}` has {elements} elements: `--dispatch X,Y,Z` runs more groups"
            ));
        }
    }

    /// That what `--write` asks for can be written, before anything runs.
    pub(crate) fn check_writes(&mut self, options: &RunOptions, bindings: &Bindings) -> Result<(), i32> {
        for request in options.writes.iter().filter(|request| matches!(request.form, FileForm::Picture(_))) {
            let array = bindings.array(&request.name).map_err(|error| self.failed(error))?;
            files::check(request, &array).map_err(|why| self.refused(&why))?;
        }
        Ok(())
    }
}

/// Writes what `--write` asks for; names were checked before the dispatch.
pub(crate) fn write_files(options: &RunOptions, bindings: &Bindings, job: &mut Job<'_, '_>) -> Result<(), i32> {
    for request in &options.writes {
        let array = bindings.array(&request.name).map_err(|error| job.failed(error))?;
        let bytes = files::encode(request, &array).map_err(|why| job.refused(&why))?;
        job.write(&request.path, &bytes)?;
    }
    Ok(())
}

/// Prints what `--read` asks for; names were checked before the dispatch.
pub(crate) fn write_reads(options: &RunOptions, bindings: &Bindings, console: &mut Console<'_>) {
    let mut outputs = Vec::new();
    for request in &options.reads {
        let Ok((bytes, declared)) = bindings.raw(&request.name) else { continue };
        let name = &request.name;
        if bytes.is_empty() && !bindings.is_given(name) {
            console.err(&format!(
                "caustic: note: nothing is bound to `{name}`, which has no elements: give it some with `--buffer {name}=zero:BYTES`\n"
            ));
        }
        // Programs read JSON, where what has fields is words; people read text.
        if let (Format::Text, None, Ok(Some(fields))) = (options.format, request.scalar, bindings.fields_text(name)) {
            console.out(&write_outputs(options.format, &std::mem::take(&mut outputs)));
            console.out(format!("{name}: {fields}").trim_end());
            console.out("\n");
            continue;
        }
        outputs.push((name.clone(), request.scalar.unwrap_or(declared), bytes));
    }
    if !outputs.is_empty() || options.format == Format::Json {
        console.out(&write_outputs(options.format, &outputs));
    }
}

fn device_text(error: &CudaError) -> String {
    let notes = error.note.into_iter().chain(error.input.map(inputs::note));
    let notes: String = notes.map(|note| format!("  note: {note}\n")).collect();
    format!("caustic: error: {error}\n{notes}")
}
