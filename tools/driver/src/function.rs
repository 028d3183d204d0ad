//! Functions of a program called by themselves, with their derivatives in both modes. There need be
//! no entry point.

use crate::context::Context;
use crate::diagnostics::{Error, Failure, Texts, Trap, told};
use crate::emit::no_function;
use crate::options::{Backend, CodeOptions, Derivatives, Stage, whole_file};
use crate::program::Program;
use crate::value::{Value, from_val, to_val, zero_of};
use crate::{available, gradcheck, pipeline};
use caustic_dialects::agg;
use caustic_dialects::reflect::{ENTRY, GROUPSHARED, PARAM};
use caustic_dialects::signature::{Direction, Signature, VISIBILITY, holds_handle};
use caustic_ir::codes;
use caustic_ir::eval::Val;
use caustic_ir::{CancelToken, Diagnostic, Loc, Module, Name, SymbolOp, Type};
use caustic_passes::autodiff::derivative_symbol;
use caustic_passes::optimize::symbol_dce::{self, Roots};

/// How a function is compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionOptions {
    /// What runs it: this machine.
    pub backend: Backend,
    /// Whether its loops ask if a call shall end, as a [`CancelToken`] wants. [`Backend::Interp`]
    /// asks in any case.
    pub interruptible: bool,
    /// How derivatives are made.
    pub derivatives: Derivatives,
    /// How LLVM compiles it.
    pub code: CodeOptions,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// As the program calls it.
    pub name: String,
    /// Whether a value is passed for it; not for an `out` parameter.
    pub is_input: bool,
    /// Whether it is among the results, as `out` and `inout` parameters are.
    pub is_output: bool,
    /// Whether derivatives flow through it.
    pub is_differentiable: bool,
    /// What its values look like.
    pub shape: Shape,
}

/// What the values of a parameter or of a result look like.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Shape {
    /// The value whose scalars are all zero.
    pub zero: Value,
    /// The same of its tangents and cotangents, if derivatives flow through it.
    pub differential: Option<Value>,
}

impl Shape {
    fn of(ty: Type, differential: Option<Type>) -> Shape {
        Shape { zero: zero_of(ty), differential: differential.map(zero_of) }
    }
}

pub(crate) type Call =
    Box<dyn Fn(Name, Vec<Val>, &CancelToken) -> Result<Vec<Val>, caustic_ir::eval::Trap> + Send + Sync>;

/// A function that can be called, and its derivatives: [`Program::function`].
///
/// Its results are the value that it returns, then its `out` and `inout` parameters in order.
pub struct Function {
    name: Name,
    signature: Signature,
    forward: Option<Name>,
    backward: Option<Name>,
    call: Call,
    file: String,
    texts: Texts,
    cancel: CancelToken,
}

impl Function {
    pub(crate) fn compile(
        of: &Program,
        name: &str,
        options: &FunctionOptions,
        cx: &Context,
    ) -> Result<Function, Failure> {
        available::check(&of.module, Name::new(name), None)?;
        let cx = &cx.rewriting(options.code, options.backend);
        let mut module = pipeline::lower(of.module.clone(), Stage::Ad, cx)?;
        let callable = |s: &&SymbolOp| s.body.entry().is_some() && Signature::of(s).is_some();
        let Some(symbol) = module.get(Name::new(name)).filter(callable) else {
            let known: Vec<&str> = module.symbols().iter().filter(callable).map(|s| s.name.as_str()).collect();
            return Err(of.about_names(no_function(name, &known)).into());
        };
        let (name, loc) = (symbol.name, symbol.loc);
        let signature = Signature::of(symbol).ok_or_else(|| lost(name))?;
        let not_alone = |loc: Loc, why: String| {
            Diagnostic::error(codes::E0803, loc, format!("`{name}` cannot be called by itself: {why}"))
                .with_note("run an entry point that calls it")
        };
        if let Some(param) = signature.params.iter().find(|p| holds_handle(p.ty)) {
            return Err(not_alone(loc, format!("its parameter `{}` is or holds a resource", param.name)).into());
        }
        let derivatives = [true, false].map(|forward| derivative_symbol(symbol, forward).map(|s| s.name));
        pipeline::request_derivatives(&mut module, |s| s.name == name);
        let [forward, backward] = derivatives.map(|d| d.filter(|&d| module.contains(d)));
        let module = pipeline::differentiate(module, options.derivatives, cx)?;
        let mut module = pipeline::continue_from(module, Stage::Ad, Stage::Reverse, cx)?;
        let roots: Vec<Name> = [Some(name), forward, backward].into_iter().flatten().collect();
        for symbol in module.symbols_mut() {
            symbol.remove_attr(ENTRY);
            if roots.contains(&symbol.name) {
                symbol.remove_attr(VISIBILITY);
            }
        }
        symbol_dce::run(&mut module, &Roots { entries_only: true, named: roots.clone() });
        if let Some((resource, at)) = resource_used(&module) {
            return Err(not_alone(at, format!("it uses `{resource}`, which is the program's")).into());
        }
        let module = pipeline::continue_from(module, Stage::Reverse, Stage::Lowered, cx)?;
        let call = options.backend.functions(module, &roots, options, &of.file, cx)?;
        let (file, texts, cancel) = (of.file.clone(), of.texts.clone(), cx.cancel.clone());
        Ok(Function { name, signature, forward, backward, call, file, texts, cancel })
    }

    /// Its parameters, in order.
    pub fn parameters(&self) -> Vec<Parameter> {
        let parameter = |p: &caustic_dialects::signature::Param| Parameter {
            name: p.name.to_string(),
            is_input: p.dir != Direction::Out,
            is_output: p.dir != Direction::In,
            is_differentiable: p.differential().is_some(),
            shape: Shape::of(p.ty, p.differential()),
        };
        self.signature.params.iter().map(parameter).collect()
    }

    /// What its results look like: the value that it returns, then its `out` and `inout`
    /// parameters.
    pub fn results(&self) -> Vec<Shape> {
        let s = &self.signature;
        s.results.iter().enumerate().map(|(i, &ty)| Shape::of(ty, s.result_differential(i))).collect()
    }

    /// Whether it has a derivative in forward mode, and in reverse mode.
    pub fn derivatives(&self) -> [bool; 2] {
        [self.forward, self.backward].map(|d| d.is_some())
    }

    /// Calls it with a value for each parameter but those that are `out`.
    ///
    /// # Errors
    /// [`Error::Rejected`]: the values do not fit. [`Error::Trapped`]
    pub fn call(&self, args: &[Value]) -> Result<Vec<Value>, Error> {
        let point = self.point(args)?;
        let results = self.run(self.name, point)?;
        Ok(self.signature.results.iter().zip(&results).map(|(&ty, v)| from_val(ty, v)).collect())
    }

    /// Forward mode: the results, and how they change along `tangents`, of which there is one for
    /// each differentiable argument. Of the results that are not differentiable there is no
    /// tangent.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no forward derivative, or the values do not fit.
    /// [`Error::Trapped`]
    pub fn jvp(&self, args: &[Value], tangents: &[Value]) -> Result<(Vec<Value>, Vec<Value>), Error> {
        let s = &self.signature;
        let forward = self.forward.ok_or_else(|| self.lacking("forward"))?;
        let point = self.point(args)?;
        let v = self.spread((0..s.inputs.len()).map(|i| s.input_differential(i)).collect(), tangents, "tangent")?;
        let w = vec![None; s.results.len()];
        let results = self.run(forward, gradcheck::arguments(s, &point, &v, &w).0)?;
        let (mut values, mut changes) = (Vec::new(), Vec::new());
        for (i, (&ty, result)) in s.results.iter().zip(&results).enumerate() {
            match (s.result_differential(i), result.parts()) {
                (Some(d), [value, change]) => {
                    values.push(from_val(ty, value));
                    changes.push(from_val(d, change));
                }
                (Some(_), _) => return Err(self.told(lost(forward).into())),
                (None, _) => values.push(from_val(ty, result)),
            }
        }
        Ok((values, changes))
    }

    /// Reverse mode: how what is made of the results changes with each differentiable argument, by
    /// the parameters' names. `cotangents` say how it changes with the results; there is one for
    /// each that is differentiable.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no backward derivative, or the values do not fit.
    /// [`Error::Trapped`]
    pub fn vjp(&self, args: &[Value], cotangents: &[Value]) -> Result<Vec<(String, Value)>, Error> {
        let s = &self.signature;
        let backward = self.backward.ok_or_else(|| self.lacking("backward"))?;
        let point = self.point(args)?;
        let v = vec![None; s.inputs.len()];
        let types = (0..s.results.len()).map(|i| s.result_differential(i)).collect();
        let w = self.spread(types, cotangents, "cotangent")?;
        let results = self.run(backward, gradcheck::arguments(s, &point, &v, &w).1)?;
        let with_pairs = s.params.iter().filter(|p| p.input.is_some()).filter_map(|p| Some((p, p.differential()?)));
        let gradients = with_pairs.zip(&results).map(|((p, d), pair)| {
            let change = pair.parts().get(1).ok_or_else(|| self.told(lost(backward).into()))?;
            Ok((p.name.to_string(), from_val(d, change)))
        });
        gradients.collect()
    }

    /// [`Function::vjp`] of a function whose only differentiable result is one number.
    ///
    /// # Errors
    /// As of [`Function::vjp`]; [`Error::Rejected`] if there are more numbers or none.
    pub fn gradient(&self, args: &[Value]) -> Result<Vec<(String, Value)>, Error> {
        let s = &self.signature;
        let types: Vec<Type> = (0..s.results.len()).filter_map(|i| s.result_differential(i)).collect();
        match types[..] {
            [ty] if ty.is_float() => self.vjp(args, &[Value::Float(1.0)]),
            _ => {
                let message = format!("`{}` has no single number as its result", self.name);
                let found = Diagnostic::error(codes::E0802, whole_file(&self.file), message);
                Err(self.told(found.with_note("say with `vjp` how much each number counts").into()))
            }
        }
    }

    fn run(&self, name: Name, args: Vec<Val>) -> Result<Vec<Val>, Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        match (self.call)(name, args, &self.cancel) {
            Ok(results) => Ok(results),
            Err(_) if self.cancel.is_cancelled() => Err(Error::Cancelled),
            Err(trap) => Err(Error::Trapped(Trap::new(trap.into(), String::new(), &self.texts))),
        }
    }

    fn told(&self, failure: Failure) -> Error {
        told(failure, &self.cancel, &self.texts)
    }

    /// The arguments as values of the parameters' types.
    fn point(&self, args: &[Value]) -> Result<Vec<Val>, Error> {
        let inputs: Vec<(Name, Type)> =
            self.signature.params.iter().filter(|p| p.input.is_some()).map(|p| (p.name, p.ty)).collect();
        if inputs.len() != args.len() {
            return Err(self.misfit(format!("it takes {}, not {}", count(inputs.len(), "argument"), args.len())));
        }
        let value = |((name, ty), arg): (&(Name, Type), &Value)| {
            to_val(*ty, arg).ok_or_else(|| self.misfit(format!("`{name}` is a `{ty}`, and not {arg:?}")))
        };
        inputs.iter().zip(args).map(value).collect()
    }

    /// The values at those places that have a type.
    fn spread(&self, types: Vec<Option<Type>>, values: &[Value], what: &str) -> Result<Vec<Option<Val>>, Error> {
        let wanted = types.iter().flatten().count();
        if wanted != values.len() {
            return Err(self.misfit(format!("it takes {}, not {}", count(wanted, what), values.len())));
        }
        let mut values = values.iter();
        let place = |ty: Option<Type>| {
            let Some((ty, value)) = ty.and_then(|ty| Some((ty, values.next()?))) else { return Ok(None) };
            let fits = to_val(ty, value);
            fits.map(Some).ok_or_else(|| self.misfit(format!("a {what} is a `{ty}`, and not {value:?}")))
        };
        types.into_iter().map(place).collect()
    }

    fn misfit(&self, why: String) -> Error {
        let message = format!("`{}` cannot be called so: {why}", self.name);
        self.told(Diagnostic::error(codes::E0802, whole_file(&self.file), message).into())
    }

    fn lacking(&self, mode: &str) -> Error {
        let message = format!("`{}` has no {mode} derivative", self.name);
        let found = Diagnostic::error(codes::E0803, whole_file(&self.file), message);
        self.told(found.with_note("mark the function with `[Differentiable]`").into())
    }
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn lost(name: Name) -> Diagnostic {
    Diagnostic::internal(Loc::unknown(), format!("`{name}` does not have the signature that it is called by"))
}

/// The resources and other memory of the program that a function names, and where.
pub(crate) fn memory_named(symbol: &SymbolOp) -> impl Iterator<Item = (Name, Loc)> {
    let body = &symbol.body;
    body.all_ops().filter_map(|op| {
        let name = match agg::GlobalSlot::is(body, op) {
            true => agg::GlobalSlot(op).name(body)?,
            false => agg::resource_name(body, op)?,
        };
        Some((name, body.op(op).loc))
    })
}

/// A resource that the code reads or writes, and where.
fn resource_used(module: &Module) -> Option<(Name, Loc)> {
    module.symbols().iter().flat_map(memory_named).find(|(name, _)| {
        let outside = |s: &SymbolOp| s.attr(PARAM).is_some() || s.attr(GROUPSHARED).is_some();
        module.get(*name).is_some_and(outside)
    })
}
