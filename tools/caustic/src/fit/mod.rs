//! `fit`: one kernel, run again and again, whose parameters follow the gradient that it computes.

mod floats;
mod optimizer;
mod progress;

use crate::cli::FitOptions;
use crate::job::{Job, write_files, write_reads};
use crate::run::{code, with_entry};
use crate::{Terminal, json};
use caustic_driver::{Bindings, Dispatch, Error, Kernel, Scalar};
use caustic_runtime::output::{Format, ReadRequest};
use caustic_tool::{Console, FileSystem, exit};
use optimizer::Optimizer;
use progress::Progress;

/// The exit code after the user has asked for the end, as shells have it for that signal.
const INTERRUPTED: i32 = 130;

pub fn fit(options: &FitOptions, console: &mut Console<'_>, files: &dyn FileSystem, terminal: Terminal) -> i32 {
    let source = with_entry(&options.run.source, &options.run.entry);
    let mut job = Job::new(console, files, &source).with_format(options.run.format);
    let mut progress = Progress::new(options, terminal);
    let done = fit_kernel(options, terminal, &mut job, &mut progress);
    let (losses, read) = match &done {
        Ok((_, read)) => (progress.losses(), read.clone()),
        Err(_) => (progress.losses(), json::Values::default()),
    };
    let last = progress.last();
    job.finish(vec![("steps", last.0), ("loss", last.1), ("losses", losses), ("read", read.into())]);
    code(done.map(|(code, _)| code))
}

fn fit_kernel(
    options: &FitOptions,
    terminal: Terminal,
    job: &mut Job<'_, '_>,
    progress: &mut Progress,
) -> Result<(i32, json::Values), i32> {
    let run = &options.run;
    run.backend().require(&job.source.file).map_err(|error| job.failed(error))?;
    let program = job.compile()?;
    let entry = program.entry_point(run.entry.as_deref(), options.bound_names());
    let entry = entry.map_err(|error| job.failed(error))?;
    let mut bindings = entry.bindings();
    let mut all = run.clone();
    let zeros = options.zeros.iter().map(|name| ReadRequest { name: name.clone(), scalar: None });
    all.reads.extend(options.requests().cloned().chain(zeros));
    job.bind(&all, &mut bindings)?;
    let mut fit = Fit::new(options, &mut bindings).map_err(|why| match why {
        Unfit::Usage(message) => job.refused(&message),
        Unfit::Failed(error) => job.failed(error),
    })?;
    fit.draw(&mut bindings, 0).map_err(|error| job.failed(error))?;
    let kernel = entry.compile(&run.kernel()).map_err(|error| job.failed(error))?;
    let ended = fit.descend(&kernel, &mut bindings, terminal, job, progress);
    progress.end(job.console);
    let code = ended?;
    let read = match run.format {
        Format::Json => json::values(&run.reads, &bindings),
        Format::Text => {
            write_reads(run, &bindings, job.console);
            json::Values::default()
        }
    };
    write_files(run, &bindings, job)?;
    Ok((code, read))
}

/// Why there is no fit: what the command line says does not suit the program, or an error.
enum Unfit {
    Usage(String),
    Failed(Error),
}

impl From<Error> for Unfit {
    fn from(error: Error) -> Unfit {
        Unfit::Failed(error)
    }
}

/// The floats of a buffer.
struct Floats {
    name: String,
    scalar: Scalar,
    count: usize,
}

impl Floats {
    /// Those of a buffer; it is made of `count` zeros if it holds nothing.
    fn of(request: &ReadRequest, count: usize, bindings: &mut Bindings) -> Result<Floats, Unfit> {
        let name = request.name.clone();
        let array = bindings.array(&name)?;
        let scalar = request.scalar.unwrap_or(array.scalar);
        if !floats::is_float(scalar) {
            let held = scalar.name();
            return Err(Unfit::Usage(format!(
                "`{name}` holds {held}, not floats; if its bytes are floats say of which type, as in `{name}:f32`"
            )));
        }
        let mut bytes = array.bytes;
        if bytes.is_empty() {
            bytes = vec![0; count * scalar.size()];
            bindings.buffer(&name, &bytes)?;
        }
        if bytes.len() % scalar.size() != 0 {
            let (size, held) = (bytes.len(), scalar.name());
            return Err(Unfit::Usage(format!("`{name}` has {size} bytes, which are no whole number of {held}")));
        }
        Ok(Floats { name, scalar, count: bytes.len() / scalar.size() })
    }

    fn read(&self, bindings: &Bindings) -> Result<Vec<f64>, Error> {
        Ok(floats::decode(self.scalar, &bindings.bytes(&self.name)?))
    }
}

/// A buffer that changes, with its gradient.
struct Param {
    floats: Floats,
    grads: Floats,
    /// What it holds before it is rounded to its type: small changes of small floats add up.
    exact: Vec<f64>,
    optimizer: Optimizer,
}

impl Param {
    fn new(param: &ReadRequest, grad: &ReadRequest, fit: &FitOptions, on: &mut Bindings) -> Result<Param, Unfit> {
        let floats = Floats::of(param, 0, on)?;
        let (name, count) = (&floats.name, floats.count);
        if count == 0 {
            return Err(Unfit::Usage(format!(
                "`{name}` has no contents to begin with: give them with --buffer {name}=…"
            )));
        }
        let grads = Floats::of(grad, count, on)?;
        if grads.count != count {
            let (other, others) = (&grads.name, grads.count);
            return Err(Unfit::Usage(format!("`{name}` has {count} floats, and its gradient `{other}` has {others}")));
        }
        let exact = floats.read(on)?;
        Ok(Param { floats, grads, exact, optimizer: Optimizer::new(fit.rule(), count) })
    }

    /// One step; the error is the number of the derivative that is not finite.
    fn step(&mut self, bindings: &mut Bindings) -> Result<Result<(), usize>, Error> {
        let grads = self.grads.read(bindings)?;
        if let Some(wrong) = grads.iter().position(|g| !g.is_finite()) {
            return Ok(Err(wrong));
        }
        // A kernel may change its parameters as well, to keep them within bounds.
        let rounded = floats::decode(self.floats.scalar, &floats::encode(self.floats.scalar, &self.exact));
        for ((exact, rounded), held) in self.exact.iter_mut().zip(rounded).zip(self.floats.read(bindings)?) {
            if rounded != held {
                *exact = held;
            }
        }
        self.optimizer.step(&mut self.exact, &grads);
        bindings.overwrite(&self.floats.name, &floats::encode(self.floats.scalar, &self.exact))?;
        Ok(Ok(()))
    }
}

struct Fit<'o> {
    options: &'o FitOptions,
    params: Vec<Param>,
    loss: Floats,
    /// What is zero when a step begins.
    zeros: Vec<(String, usize)>,
}

impl<'o> Fit<'o> {
    fn new(options: &'o FitOptions, bindings: &mut Bindings) -> Result<Fit<'o>, Unfit> {
        let pairs = options.params.iter().zip(&options.grads);
        let params: Vec<Param> =
            pairs.map(|(param, grad)| Param::new(param, grad, options, bindings)).collect::<Result<_, _>>()?;
        let mut losses = options.losses.iter().map(|loss| Floats::of(loss, 1, bindings));
        let loss = losses.next().unwrap_or_else(|| Err(Unfit::Usage("there is no loss".into())))?;
        let own = params.iter().map(|p| &p.grads.name).chain([&loss.name]);
        let mut zeros = Vec::new();
        for name in own.chain(&options.zeros) {
            zeros.push((name.clone(), bindings.bytes(name)?.len()));
        }
        Ok(Fit { options, params, loss, zeros })
    }

    /// Draws the uniform of the seed for a step.
    fn draw(&self, bindings: &mut Bindings, step: u64) -> Result<(), Error> {
        match &self.options.seed {
            Some((name, seed)) => bindings.uniform(name, &drawn(*seed, step).to_le_bytes()),
            None => Ok(()),
        }
    }

    /// Runs the kernel on the parameters as they are; the loss.
    fn evaluate(
        &self,
        step: u64,
        kernel: &Kernel,
        bindings: &mut Bindings,
        progress: &Progress,
        console: &mut Console<'_>,
    ) -> Result<f64, Error> {
        for (name, size) in &self.zeros {
            bindings.overwrite(name, &vec![0; *size])?;
        }
        self.draw(bindings, step)?;
        let [x, y, z] = self.options.run.dispatch;
        let mut dispatch = Dispatch::groups(x, y, z);
        dispatch.time_limit = self.options.run.time_limit;
        let dispatched = kernel.dispatch(bindings, dispatch)?;
        progress.printed(&dispatched.printed, console);
        Ok(self.loss.read(bindings)?.iter().sum())
    }

    /// All steps; the exit code.
    fn descend(
        &mut self,
        kernel: &Kernel,
        bindings: &mut Bindings,
        terminal: Terminal,
        job: &mut Job<'_, '_>,
        progress: &mut Progress,
    ) -> Result<i32, i32> {
        let steps = self.options.steps.unwrap_or(0);
        for step in 0..=steps {
            let loss = self.evaluate(step, kernel, bindings, progress, job.console);
            let loss = loss.map_err(|error| {
                progress.end(job.console);
                let code = job.failed(error);
                job.console.err(&format!("  note: this was in step {step} of the fit\n"));
                code
            })?;
            if !loss.is_finite() {
                let why = format!("the loss is {} in step {step}", floats::shown(loss));
                return Err(stopped(&why, job, progress));
            }
            let ends = step == steps || terminal.is_stopped();
            progress.step(step, loss, ends, job.console);
            if ends {
                break;
            }
            for param in &mut self.params {
                if let Err(wrong) = param.step(bindings).map_err(|error| job.failed(error))? {
                    let name = &param.grads.name;
                    let why = format!("derivative {wrong} in `{name}` is not finite in step {step}");
                    return Err(stopped(&why, job, progress));
                }
            }
        }
        if progress.is_before(steps) {
            job.refused("the fit was interrupted");
            return Ok(INTERRUPTED);
        }
        Ok(exit::SUCCESS)
    }
}

/// The numbers are of no use any more; the exit code.
fn stopped(why: &str, job: &mut Job<'_, '_>, progress: &mut Progress) -> i32 {
    progress.end(job.console);
    job.refused(why);
    job.console.err("  note: a smaller rate may help; `caustic run --trap-nan` shows what makes the number\n");
    exit::TRAP
}

/// The bits of a step: those of SplitMix64.
fn drawn(seed: u64, step: u64) -> u32 {
    let mut z = seed.wrapping_add(step.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 32) as u32
}
